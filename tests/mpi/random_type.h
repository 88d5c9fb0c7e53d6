/* Random nested datatypes from all constructors, reproducible from a seed. */
#ifndef REGATTA_TESTS_RANDOM_TYPE_H
#define REGATTA_TESTS_RANDOM_TYPE_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

struct random_type {
    MPI_Datatype type;
    char text[4096]; /* how it was made */
    bool uniform;    /* all its data is of the predefined type `basic` */
    bool predefined;
    MPI_Datatype basic;
};

void random_seed(uint64_t seed);
int random_between(int low, int high);

/* Makes a committed datatype of at most `depth` constructors on top of each other. */
void random_type_make(struct random_type *made, int depth);
void random_type_free(struct random_type *made);

#endif
