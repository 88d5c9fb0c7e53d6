/* Operations cut into pieces that have the same effect together.
 *
 * Legal: put and get are not atomic at all, accumulates only element by element (MPI-4.0 §12.7.1), so a program
 * cannot tell one operation from its pieces unless it relies on atomicity that nobody promised. A piece goes to the
 * original displacement with a datatype that holds its place, so the displacement unit does not matter. */
#ifndef REGATTA_STRESS_SPLIT_H
#define REGATTA_STRESS_SPLIT_H

#include "operations.h"
#include "settings.h"

struct piece {
    struct operation *operation;
    bool whole;                       /* the operation as it is; what follows does not count */
    int64_t origin, result, target;   /* first byte, relative to the buffers and to the displacement */
    uint64_t bytes;
};

struct pieces {
    struct piece *at;
    size_t count, room;
};

/* Appends the pieces of an operation. False without memory: then there is none of them. */
bool pieces_add(struct pieces *pieces, struct operation *operation, enum split split);

/* Where the piece acts, for ordering. */
struct placed piece_place(const struct piece *piece);
/* Hands it to MPI. */
int piece_issue(const struct piece *piece, MPI_Win win);

#endif
