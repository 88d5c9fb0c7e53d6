/* What the latent bugs share. Each file is two programs: with -DREPAIRED the synchronisation that is missing is there.
 * With -DASSERTS the program checks its results itself; without, it just goes on, as most programs do. */
#ifndef LATENT_H
#define LATENT_H

#include <assert.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef ASSERTS
#define EXPECT(condition) assert(condition)
#else
#define EXPECT(condition) ((void)(condition))
#endif

#ifdef REPAIRED
#define REPAIR(statement) statement
#define BUG(statement)
#else
#define REPAIR(statement)
#define BUG(statement) statement
#endif

static int rank, ranks;
static int *window; /* COUNT ints, all 0 at the beginning */
static MPI_Win win;
enum { COUNT = 64 };

static inline void begin(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
}

static inline void begin_window(int *argc, char ***argv)
{
    begin(argc, argv);
    MPI_Win_allocate(COUNT * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window, &win);
    memset(window, 0, COUNT * sizeof(int));
    MPI_Barrier(MPI_COMM_WORLD);
}

static inline int end(void)
{
    MPI_Finalize();
    return 0;
}

static inline int end_window(void)
{
    MPI_Win_free(&win);
    return end();
}

#endif
