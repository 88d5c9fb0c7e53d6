/* Compiled without checks in all variants: its cost is not the kernel's. */
#include "kernel.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

int kernel_rank, kernel_ranks;
size_t kernel_window_bytes;

static pthread_barrier_t *meeting;
static struct {
    enum phase_kind kind;
    int count;
    double *times;
} phases[PHASES];
static int most; /* iterations */
static double begun;

static void fail(const char *what)
{
    perror(what);
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(1);
}

static double cpu_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void meeting_open(void)
{
    char name[64];
    snprintf(name, sizeof name, "/regatta-bench-%ld", (long)getpid());
    MPI_Bcast(name, sizeof name, MPI_CHAR, 0, MPI_COMM_WORLD);
    int file = -1;
    if (kernel_rank == 0) {
        file = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0600);
        if (file < 0 || ftruncate(file, sizeof *meeting))
            fail(name);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (kernel_rank != 0)
        file = shm_open(name, O_RDWR, 0600);
    if (file < 0)
        fail(name);
    meeting = mmap(NULL, sizeof *meeting, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (meeting == MAP_FAILED)
        fail("mmap");
    close(file);
    if (kernel_rank == 0) {
        pthread_barrierattr_t shared;
        pthread_barrierattr_init(&shared);
        pthread_barrierattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
        pthread_barrier_init(meeting, &shared, (unsigned)kernel_ranks);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (kernel_rank == 0)
        shm_unlink(name);
}

void kernel_begin(int iterations, int size)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &kernel_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &kernel_ranks);
    if (iterations <= 0 || size <= 0) {
        fprintf(stderr, "usage: KERNEL ITERATIONS SIZE\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    most = iterations + 1;
    for (int i = 0; i < PHASES; i++)
        if (!(phases[i].times = calloc((size_t)most, sizeof *phases[i].times)))
            fail("calloc");
    meeting_open();
}

void kernel_start(int argc, char **argv, int *iterations, int *size)
{
#ifdef THREADS /* bench/threads: the level that its kernels need */
    int provided;
    MPI_Init_thread(&argc, &argv, THREADS, &provided);
#else
    MPI_Init(&argc, &argv);
#endif
    *iterations = argc > 1 ? atoi(argv[1]) : 0;
    *size = argc > 2 ? atoi(argv[2]) : 0;
    kernel_begin(*iterations, *size);
}

void phase_begin(void)
{
    pthread_barrier_wait(meeting);
    begun = cpu_seconds();
}

void phase_end(int phase, enum phase_kind kind)
{
    double time = cpu_seconds() - begun;
    if (phase >= PHASES || phases[phase].count == most)
        fail("too many phases");
    phases[phase].kind = kind;
    phases[phase].times[phases[phase].count++] = time;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double undisturbed(enum phase_kind kind)
{
    double sum = 0;
    for (int i = 0; i < PHASES; i++) {
        int count = phases[i].count;
        if (count == 0 || phases[i].kind != kind)
            continue;
        qsort(phases[i].times, (size_t)count, sizeof *phases[i].times, ascending);
        sum += phases[i].times[kind == COMPUTES ? count / 2 : count / 20] * count;
    }
    return sum;
}

static double peak_kib(void)
{
    char line[256];
    double peak = 0;
    FILE *status = fopen("/proc/self/status", "r");
    while (status && fgets(line, sizeof line, status))
        if (sscanf(line, "VmHWM: %lf", &peak) == 1)
            break;
    if (status)
        fclose(status);
    return peak;
}

int kernel_end(int right)
{
    int all_right;
    double mine[4] = {undisturbed(COMPUTES), undisturbed(COMMUNICATES), peak_kib(), (double)kernel_window_bytes / 1024};
    double worst[4];
    MPI_Reduce(mine, worst, 4, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    MPI_Allreduce(&right, &all_right, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    if (kernel_rank == 0)
        printf("%s %.4f %.4f %.0f %.0f\n", all_right ? "ok" : "wrong", worst[0], worst[1], worst[2],
               worst[3]);
    MPI_Finalize();
    return all_right ? 0 : 1;
}
