/* Programs that would hang if Regatta waited for a rank that has no reason to call MPI. What ranks wait for outside of MPI
 * is a flag in a file that all of them map: argv[2]. No scenario depends on time. */
#include <fcntl.h>
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile int *flags;
static int rank, ranks;

static void raise_flag(int which)
{
    __sync_synchronize();
    flags[which] = 1;
}

static void wait_outside(int which)
{
    while (!flags[which])
        usleep(100);
    __sync_synchronize();
}

static void need(int n)
{
    if (ranks >= n)
        return;
    fprintf(stderr, "needs %d ranks\n", n);
    MPI_Abort(MPI_COMM_WORLD, 2);
}

/* Messages to a rank that calls MPI only when the sender has started all of them: no letter may wait for it. */
static void busy_receiver(void)
{
    enum { MESSAGES = 200 };
    int value = rank, got, window_memory[4] = {0};
    MPI_Request requests[MESSAGES];
    MPI_Win win;
    MPI_Win_create(window_memory, sizeof window_memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    for (int i = 0; rank == 0 && i < MESSAGES; i++)
        MPI_Isend(&value, 1, MPI_INT, 1, i % 3, MPI_COMM_WORLD, &requests[i]);
    if (rank == 0)
        raise_flag(0);
    if (rank == 1)
        wait_outside(0);
    for (int i = 0; rank == 1 && i < MESSAGES; i++)
        MPI_Recv(&got, 1, MPI_INT, 0, i % 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0)
        MPI_Waitall(MESSAGES, requests, MPI_STATUSES_IGNORE);
    MPI_Win_free(&win);
}

/* Rank 0 completes an operation on rank 2's memory and tells rank 1, who tells rank 2: rank 2 needs what rank 0 sent.
 * Rank 0 does not call MPI until rank 2 is done with it. */
static void busy_origin(void)
{
    int value = 1, window_memory[4] = {0};
    MPI_Win win;
    need(3);
    MPI_Win_create(window_memory, sizeof window_memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 2, 0, win);
        MPI_Put(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, win);
        MPI_Win_unlock(2, win);
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        wait_outside(0);
    } else if (rank == 1) {
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    } else if (rank == 2) {
        MPI_Recv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&window_memory[0], 1, MPI_INT, 1, 1, MPI_COMM_WORLD); /* reads what was put: ordered */
        raise_flag(0);
    }
    if (rank == 1)
        MPI_Recv(&value, 1, MPI_INT, 2, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Win_free(&win);
}

/* A rank that asks again and again whether something has come, and gets puts meanwhile. */
static void polling(void)
{
    int value = 1, found = 0, window_memory[4] = {0};
    MPI_Win win;
    MPI_Win_create(window_memory, sizeof window_memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 1) {
        while (!found)
            MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 0) {
        for (int i = 0; i < 10; i++) {
            MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
            MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
            MPI_Win_unlock(1, win);
        }
        MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    MPI_Win_free(&win);
}

/* Rank 0 has nothing to do and leaves; the others share a window of their own. */
static void early_end(void)
{
    int value = rank, window_memory[4] = {0};
    MPI_Comm others;
    MPI_Win win;
    need(3);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0 ? MPI_UNDEFINED : 0, rank, &others);
    if (rank == 0)
        return;
    wait_outside(0); /* rank 0 raises it right before MPI_Finalize */
    MPI_Win_create(window_memory, sizeof window_memory, sizeof(int), MPI_INFO_NULL, others, &win);
    for (int i = 0; i < 5; i++) {
        MPI_Win_fence(0, win);
        MPI_Put(&value, 1, MPI_INT, rank % (ranks - 1), 0, 1, MPI_INT, win);
    }
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Comm_free(&others);
}

/* Everybody puts to both neighbours and sends to them, with and without world-wide synchronisation. */
static void crowd(void)
{
    int right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks, value = rank, window_memory[4] = {0};
    MPI_Win win;
    MPI_Win_create(window_memory, sizeof window_memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    for (int i = 0; i < 3; i++) {
        MPI_Win_fence(0, win);
        MPI_Put(&value, 1, MPI_INT, right, 0, 1, MPI_INT, win);
        MPI_Put(&value, 1, MPI_INT, left, 1, 1, MPI_INT, win);
    }
    MPI_Win_fence(0, win);
    MPI_Sendrecv(&window_memory[0], 1, MPI_INT, right, 0, &value, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Win_free(&win);
}

/* Rank 0 does something after which the order of events cannot be followed: it tries to leave its world. All others have
 * to hear of it, in whatever call they are. */
static void give_up(void)
{
    int value = rank, window_memory[4] = {0};
    MPI_Comm elsewhere;
    MPI_Win win;
    MPI_Win_create(window_memory, sizeof window_memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
        if (MPI_Comm_connect("nowhere", MPI_INFO_NULL, 0, MPI_COMM_SELF, &elsewhere) == MPI_SUCCESS)
            exit(2);
    }
    /* The ranks tell each other about these, and the others do not know yet. */
    MPI_Win second;
    MPI_Group group;
    MPI_Comm all;
    MPI_Win_create(&value, sizeof value, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &second);
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Comm_create_group(MPI_COMM_WORLD, group, 0, &all);
    MPI_Group_free(&group);
    MPI_Comm_free(&all);
    MPI_Win_free(&second);
    for (int i = 0; i < 3; i++) {
        MPI_Put(&value, 1, MPI_INT, (rank + 1) % ranks, 0, 1, MPI_INT, win);
        MPI_Win_fence(0, win);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % ranks, 0, &value, 1, MPI_INT, (rank + ranks - 1) % ranks, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } scenarios[] = {{"busy-receiver", busy_receiver}, {"busy-origin", busy_origin}, {"polling", polling},
                     {"early-end", early_end},         {"crowd", crowd},
                     {"give-up", give_up}};
    int file = argc == 3 ? open(argv[2], O_RDWR) : -1;
    if (file < 0)
        return 2;
    flags = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++)
        if (strcmp(scenarios[i].name, argv[1]) == 0)
            scenarios[i].run();
    if (rank == 0)
        raise_flag(0);
    MPI_Finalize();
    if (rank == 0)
        puts("done");
    return 0;
}
