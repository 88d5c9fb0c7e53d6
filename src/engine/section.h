/* Byte sets with a regular shape, the common currency of layouts, buffers and windows.
 *
 * A section is `count` blocks of `length` bytes each, the first at `start`, each next one
 * `stride` bytes further:
 *
 *     start        start+stride     start+2*stride
 *     |##length##|......|##length##|......|##length##|          count = 3
 *
 * Canonical form, which every function here expects and keeps:
 *   - length > 0 and count > 0 (an empty set has no section);
 *   - count == 1: contiguous, stride is 0;
 *   - count > 1: stride > length (touching blocks are one contiguous block), blocks in
 *     ascending order of address.
 * Addresses are plain numbers: virtual addresses for buffers, byte offsets for windows. */
#ifndef REGATTA_ENGINE_SECTION_H
#define REGATTA_ENGINE_SECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct section {
    uint64_t start;
    uint64_t length;
    uint64_t stride;
    uint64_t count;
};

/* What is done to the bytes of a buffer. */
enum buffer_access { BUFFER_READ, BUFFER_WRITE };

/* The first address after the last block. */
static inline uint64_t section_end(const struct section *section)
{
    return section->start + (section->count - 1) * section->stride + section->length;
}

/* The number of bytes in the set. */
static inline uint64_t section_bytes(const struct section *section)
{
    return section->length * section->count;
}

/* Whether two sets share a byte. Exact, and constant-time up to a logarithm: number theory, no
 * enumeration of blocks. If they do and `common` is given, it receives a contiguous run of shared
 * bytes (the lowest one). */
bool section_overlaps(const struct section *a, const struct section *b, struct section *common);

bool section_contains_byte(const struct section *section, uint64_t address);

/* Whether every byte of `inner` is in `outer`. A true answer is always right; for two strided
 * sections whose strides are not multiples of each other it may say no though the answer is yes. */
bool section_covers(const struct section *outer, const struct section *inner);

/* Whether this is the canonical form and no address overflows: for sections from outside. */
bool section_valid(const struct section *section);

/* The part inside [low, high): a piece of a block, whole blocks, a piece of a block. */
size_t section_clip(const struct section *section, uint64_t low, uint64_t high,
                    struct section pieces[3]);

#endif
