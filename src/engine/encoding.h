/* Bytes that travel: growing output, and input that cannot be read past its end.
 *
 * Numbers are LEB128 varints; signed ones are folded (0, -1, 1, -2 …) first. A reader that meets
 * anything odd goes into the failed state, gives zeros from then on, and is asked once at the end.
 */
#ifndef REGATTA_ENGINE_ENCODING_H
#define REGATTA_ENGINE_ENCODING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "alloc.h"

enum { NUMBER_MAX_BYTES = 10 };

struct writer {
    uint8_t *bytes;
    size_t size, capacity;
};

static inline void write_reserve(struct writer *out, size_t more)
{
    if (out->size + more <= out->capacity)
        return;
    out->capacity = 2 * out->capacity + more + 64;
    out->bytes = reallocate(out->bytes, out->capacity);
}

static inline void write_byte(struct writer *out, uint8_t byte)
{
    write_reserve(out, 1);
    out->bytes[out->size++] = byte;
}

static inline void write_number(struct writer *out, uint64_t number)
{
    write_reserve(out, NUMBER_MAX_BYTES);
    while (number >= 0x80) {
        out->bytes[out->size++] = (uint8_t)number | 0x80;
        number >>= 7;
    }
    out->bytes[out->size++] = (uint8_t)number;
}

static inline uint64_t folded(int64_t number)
{
    return (uint64_t)number << 1 ^ (uint64_t)(number >> 63);
}

static inline int64_t unfolded(uint64_t number)
{
    return (int64_t)(number >> 1) ^ -(int64_t)(number & 1);
}

struct reader {
    const uint8_t *at, *end;
    bool failed;
};

static inline struct reader reader_of(const void *bytes, size_t size)
{
    return (struct reader){bytes, size ? (const uint8_t *)bytes + size : bytes, false};
}

static inline uint8_t read_byte(struct reader *in)
{
    if (in->at == in->end) {
        in->failed = true;
        return 0;
    }
    return *in->at++;
}

static inline uint64_t read_number(struct reader *in)
{
    uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        uint8_t byte = read_byte(in);
        if (shift == 63 && byte > 1)
            break;
        number |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return in->failed ? 0 : number;
    }
    in->failed = true;
    return 0;
}

/* A number below a limit. */
static inline uint64_t read_below(struct reader *in, uint64_t limit)
{
    uint64_t number = read_number(in);
    if (number < limit)
        return number;
    in->failed = true;
    return 0;
}

static inline size_t bytes_left(const struct reader *in)
{
    return in->failed ? 0 : (size_t)(in->end - in->at);
}

static inline bool read_whole(const struct reader *in)
{
    return !in->failed && in->at == in->end;
}

#endif
