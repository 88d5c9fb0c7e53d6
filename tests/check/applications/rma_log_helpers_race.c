/* expect: local-race A B */
/* Lines of a log are put into a window of process 0, through helpers; one buffer for all lines is formatted again too early. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 64, LINES = 8 };

struct log {
    MPI_Win win;
    char *lines; /* of process 0 */
    char text[LINE];
    int rank, next;
};

static void check(int code, const char *what)
{
    char text[MPI_MAX_ERROR_STRING];
    int length;
    if (code == MPI_SUCCESS)
        return;
    MPI_Error_string(code, text, &length);
    fprintf(stderr, "%s: %s\n", what, text);
    MPI_Abort(MPI_COMM_WORLD, code);
}

static void log_open(struct log *l)
{
    int size;
    MPI_Comm_rank(MPI_COMM_WORLD, &l->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    l->next = 0;
    check(MPI_Win_allocate(l->rank == 0 ? (MPI_Aint)size * LINES * LINE : 0, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &l->lines, &l->win), "window");
    check(MPI_Win_lock_all(0, l->win), "lock");
}

static void log_send(struct log *l)
{
    MPI_Aint place = ((MPI_Aint)l->rank * LINES + l->next % LINES) * LINE;
    check(MPI_Put(l->text, LINE, MPI_CHAR, 0, place, LINE, MPI_CHAR, l->win), "put"); /* A */
    l->next++;
}

static void log_line(struct log *l, const char *text, int number)
{
    snprintf(l->text, sizeof l->text, "%d: %s %d", l->rank, text, number); /* B */
    log_send(l);
}

static void log_close(struct log *l)
{
    check(MPI_Win_unlock_all(l->win), "unlock");
    MPI_Barrier(MPI_COMM_WORLD);
    check(MPI_Win_free(&l->win), "free");
}

static double work(int step)
{
    double sum = 0;
    for (int i = 1; i < 100; i++)
        sum += 1.0 / (i + step);
    return sum;
}

int main(int argc, char **argv)
{
    struct log l;
    double sum = 0;
    MPI_Init(&argc, &argv);
    log_open(&l);
    for (int step = 0; step < 5; step++) {
        sum += work(step);
        log_line(&l, "step", step);
    }
    log_close(&l);
    if (l.rank == 0)
        printf("%g\n", sum);
    MPI_Finalize();
    return 0;
}
