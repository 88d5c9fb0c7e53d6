/* Operations cut into pieces that have the same effect together.
 *
 * Legal: put and get are not atomic at all, accumulates only element by element (MPI-4.0 §12.7.1),
 * so a program cannot tell one operation from its pieces unless it relies on atomicity that nobody
 * promised. A piece goes to its own displacement; where the displacement unit has none for it, to
 * the operation's with a datatype that holds the piece's place. Fetching accumulates are not cut
 * there: Open MPI 4.1.4 brings a wrong result for such a datatype, even of one element. */
#ifndef REGATTA_STRESS_SPLIT_H
#define REGATTA_STRESS_SPLIT_H

#include "delayed.h"
#include "settings.h"

struct piece {
    struct operation *operation;
    bool whole; /* the operation as it is; what follows does not count */
    int64_t origin, result,
        target; /* first byte, relative to the buffers and to the displacement */
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
