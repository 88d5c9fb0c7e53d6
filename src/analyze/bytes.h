/* The bytes that a buffer covers in one draw, as sections. For moments.c, window_bytes.c. */
#ifndef REGATTA_ANALYZE_BYTES_H
#define REGATTA_ANALYZE_BYTES_H

#include "draws.h"

#include "engine/section.h"

/* Sections count from 0; offsets may be negative. */
enum { BIAS = 1 << 30, BYTES_SECTIONS = 64 };

struct bytes {
    unsigned count;
    struct section sections[BYTES_SECTIONS];
    bool exact; /* false: the length is a guess */
    /* One section that stands for all iterations of a loop; -1: not so. */
    int swept_loop;
    int64_t swept_start, swept_stride;
};

void bytes_add(struct bytes *bytes, int64_t start, int64_t length, int64_t stride, int64_t count);

/* False if the numbers are not known. */
bool buffer_bytes(struct draw *draw, enum side side, const struct event *event,
                  const struct buffer *buffer, struct bytes *bytes);

/* Bytes outside the variable they are said to be in: no correct program has such numbers. */
bool bytes_exceed(const struct bytes *bytes, int64_t size);

/* Goes to the iteration that touches this byte; what holds there must fit the conditions. */
void bytes_go_to(struct draw *draw, enum side side, const struct bytes *bytes, uint64_t byte);

#endif
