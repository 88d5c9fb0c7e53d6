/* The bytes of a buffer given as address, count and datatype: copied, filled, hashed. */
#ifndef REGATTA_STRESS_COPIES_H
#define REGATTA_STRESS_COPIES_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "engine/section.h"
#include "held_call.h"

struct buffer {
    char *base;
    int count;
    MPI_Datatype type;
};

enum { BYTES_INSIDE = 4 };

struct bytes {
    struct section *at; /* inside, or allocated */
    size_t count;
    uint64_t low, high; /* all are in [low, high) */
    struct section inside[BYTES_INSIDE];
};

/* False if the datatype cannot be decoded or there is no memory. To be freed if it was true. */
bool bytes_of(struct bytes *bytes, const struct buffer *buffer);
/* The same for buffer i of a call; `written`: MPI writes it. */
bool bytes_of_argument(struct bytes *bytes, const struct call *call, int i, bool *written);
void bytes_free(struct bytes *bytes);

/* Frees a datatype of the layer's own. MPI gives its handle to the next one, so what is known about
 * it goes, too. */
void bytes_forget_type(MPI_Datatype *type);

uint64_t bytes_hash(const struct bytes *bytes);
/* What is put into memory that MPI is going to write. As an int it is no likely result, nor as a
 * double. */
enum { POISON = 0xFB };
void bytes_poison(const struct bytes *bytes);
bool bytes_are_poison(const struct bytes *bytes);

/* A private copy: the same datatype applied to the address that is returned in `base` gives the
 * same data. Returns the memory to free, NULL if there is none or it would be larger than `most`
 * bytes. */
void *bytes_copy(const struct bytes *bytes, const void *buffer, uint64_t most, char **base);
/* Copies the other way: from what bytes_copy has returned. */
void bytes_put_back(const struct bytes *bytes, const void *copy);
void bytes_renew(const struct bytes *bytes, void *copy);

#endif
