/* Independent ping-pongs of the threads of two ranks under MPI_THREAD_MULTIPLE, each on a communicator of its own: nothing but
 * what lies below orders the threads. With `self` each rank plays alone, by messages to itself: no thread waits for another
 * process then, so that the times are those of the calls even on a busy machine. `nonblocking` is the same by nonblocking calls.
 * usage: pingpong THREADS ROUNDS pair|self|nonblocking
 * Prints by rank 0 `ok WALL CPU KIB`: microseconds per round of all threads together, medians over parts of the run; what the process has
 * grown by since the first part. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { PARTS = 20, MOST = 64 };

static int rank, nthreads, rounds;
static long first_kib;
static MPI_Comm comms[MOST];
static pthread_barrier_t meeting;
static double walls[PARTS], cpus[PARTS];

static double seconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* One message there and one back. */
static void round_of_two(MPI_Comm comm, double *ball)
{
    if (rank == 0) {
        MPI_Send(ball, 1, MPI_DOUBLE, 1, 0, comm);
        MPI_Recv(ball, 1, MPI_DOUBLE, 1, 0, comm, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(ball, 1, MPI_DOUBLE, 0, 0, comm, MPI_STATUS_IGNORE);
        *ball += 1;
        MPI_Send(ball, 1, MPI_DOUBLE, 0, 0, comm);
    }
}

static void round_alone(MPI_Comm comm, double *ball)
{
    double thrown = *ball + 1;
    MPI_Sendrecv(&thrown, 1, MPI_DOUBLE, rank, 0, ball, 1, MPI_DOUBLE, rank, 0, comm, MPI_STATUS_IGNORE);
}

static void round_nonblocking(MPI_Comm comm, double *ball)
{
    double thrown = *ball + 1;
    MPI_Request requests[2];
    MPI_Irecv(ball, 1, MPI_DOUBLE, rank, 0, comm, &requests[0]);
    MPI_Isend(&thrown, 1, MPI_DOUBLE, rank, 0, comm, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void (*round_of)(MPI_Comm comm, double *ball);

static long resident_kib(void)
{
    long pages = 0, resident = 0;
    FILE *statm = fopen("/proc/self/statm", "r");
    if (statm) {
        if (fscanf(statm, "%ld %ld", &pages, &resident) != 2)
            resident = 0;
        fclose(statm);
    }
    return resident * 4;
}

static void *play(void *context)
{
    int thread = (int)(size_t)context, part_rounds = rounds / PARTS;
    double ball = 0;
    for (int part = 0; part < PARTS; part++) {
        pthread_barrier_wait(&meeting);
        double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
        for (int i = 0; i < part_rounds; i++)
            round_of(comms[thread], &ball);
        pthread_barrier_wait(&meeting);
        if (thread == 0) {
            walls[part] = seconds(CLOCK_MONOTONIC) - wall;
            cpus[part] = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
            if (part == 0)
                first_kib = resident_kib();
        }
    }
    return (void *)(size_t)((rank == 0 || round_of != round_of_two) && ball != (double)part_rounds * PARTS);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of one round of one thread, in microseconds. */
static double median(double *times)
{
    qsort(times, PARTS, sizeof *times, ascending);
    return 1e6 * times[PARTS / 2] / (rounds / PARTS) / nthreads;
}

int main(int argc, char **argv)
{
    int provided;
    pthread_t threads[MOST];
    void *wrong = NULL, *result;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    nthreads = argc > 1 ? atoi(argv[1]) : 0;
    rounds = argc > 2 ? atoi(argv[2]) : 0;
    const char *way = argc > 3 ? argv[3] : "pair";
    round_of = strcmp(way, "self") == 0          ? round_alone
               : strcmp(way, "nonblocking") == 0 ? round_nonblocking
                                                 : round_of_two;
    if (provided != MPI_THREAD_MULTIPLE || nthreads < 1 || nthreads > MOST || rounds < PARTS)
        MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < nthreads; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    pthread_barrier_init(&meeting, NULL, (unsigned)nthreads);
    for (int i = 0; i < nthreads; i++)
        pthread_create(&threads[i], NULL, play, (void *)(size_t)i);
    for (int i = 0; i < nthreads; i++) {
        pthread_join(threads[i], &result);
        wrong = wrong ? wrong : result;
    }
    for (int i = 0; i < nthreads; i++)
        MPI_Comm_free(&comms[i]);
    if (rank == 0)
        printf("%s %.3f %.3f %ld\n", wrong ? "wrong" : "ok", median(walls), median(cpus), resident_kib() - first_kib);
    MPI_Finalize();
    return wrong != NULL;
}
