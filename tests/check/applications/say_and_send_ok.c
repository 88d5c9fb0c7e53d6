/* expect: none */
/* Progress is printed by a function with a variable number of arguments while a result is sent, and the result is cleared. */
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int verbosity = 1;

static void say(int level, const char *format, ...)
{
    va_list arguments;
    if (level > verbosity)
        return;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
}

static void die(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

struct job {
    int id, n;
    double *result;
    MPI_Request sent;
};

static void job_start(struct job *j, int id, int n)
{
    j->id = id;
    if (j->n < n) {
        double *larger = realloc(j->result, (size_t)n * sizeof(double));
        if (!larger)
            die("no room for %d results\n", n);
        j->result = larger;
        j->n = n;
    }
    memset(j->result, 0, (size_t)n * sizeof(double));
}

static void job_work(struct job *j)
{
    for (int i = 0; i < j->n; i++)
        for (int k = 1; k < 5; k++)
            j->result[i] += 1.0 / (k + j->id);
    say(1, "job %d of %d numbers is done\n", j->id, j->n);
}

static void job_send(struct job *j)
{
    if (MPI_Isend(j->result, j->n, MPI_DOUBLE, 0, 4, MPI_COMM_WORLD, &j->sent) != MPI_SUCCESS)
        die("job %d cannot be sent\n", j->id);
    say(2, "job %d is on its way\n", j->id);
}

static void collect(int jobs)
{
    double numbers[16], total = 0;
    for (int i = 0; i < jobs; i++) {
        MPI_Recv(numbers, 16, MPI_DOUBLE, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        total += numbers[0];
    }
    say(1, "%g\n", total);
}

int main(int argc, char **argv)
{
    int rank, size, jobs = 3;
    struct job j = {0, 0, NULL, MPI_REQUEST_NULL};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 1; i < argc; i++)
        if (!strcmp(argv[i], "-q"))
            verbosity = 0;
    if (rank == 0) {
        collect(jobs * (size - 1));
    } else {
        for (int id = 0; id < jobs; id++) {
            MPI_Wait(&j.sent, MPI_STATUS_IGNORE);
            job_start(&j, id, 16);
            job_work(&j);
            job_send(&j);
        }
        MPI_Wait(&j.sent, MPI_STATUS_IGNORE);
        free(j.result);
    }
    MPI_Finalize();
    return 0;
}
