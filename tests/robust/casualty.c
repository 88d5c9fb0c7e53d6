/* An MPI program that comes to a bad end, or does what detectors tend to stumble over.
 *     casualty HOW clean|race
 * With `race` each rank first makes a mistake that must be in the report whatever happens later. */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static int rank, ranks;

static void say(const char *what)
{
    char line[100];
    int length = snprintf(line, sizeof line, "rank %d of %d: %s\n", rank, ranks, what);
    if (write(STDOUT_FILENO, line, (size_t)length) != length)
        _exit(9);
}

/* The ring is right if what goes out and what comes in have buffers of their own. */
static void pass_round(int *out, int *in)
{
    MPI_Request requests[2];
    int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
    MPI_Irecv(in, 4, MPI_INT, left, 7, MPI_COMM_WORLD, &requests[0]); /* RACE */
    MPI_Isend(out, 4, MPI_INT, right, 7, MPI_COMM_WORLD, &requests[1]); /* RACE */
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

static void crash(void)
{
    raise(SIGSEGV);
}

static void children(void)
{
    pid_t child = fork();
    if (child == 0) {
        say("a child that leaves by exit()");
        exit(0); /* runs the destructors that the parent's libraries brought along */
    }
    waitpid(child, NULL, 0);
    child = fork();
    if (child == 0) {
        execlp("sh", "sh", "-c", "echo a child that became a shell; exit 3", (char *)NULL);
        _exit(9);
    }
    int status = 0;
    waitpid(child, &status, 0);
    say(WIFEXITED(status) && WEXITSTATUS(status) == 3 ? "the shell said 3" : "the shell did not say 3");
    if (system("true") != 0)
        say("system() failed");
}

/* A list that just fits: Open MPI lets a process attach 32 pages. A detector whose own objects lie between the
 * program's would spread the elements over more. */
static void attach_list(void)
{
    enum { ELEMENTS = 1000 };
    static void *elements[ELEMENTS];
    MPI_Win window;
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
    MPI_Win_lock_all(0, window);
    for (int i = 0; i < ELEMENTS; i++) {
        MPI_Aint address, one = 1;
        elements[i] = malloc(80);
        if (MPI_Win_attach(window, elements[i], 80) != MPI_SUCCESS) {
            say("cannot attach all");
            break;
        }
        MPI_Get_address(elements[i], &address);
        MPI_Accumulate(&one, 1, MPI_AINT, rank, address, 1, MPI_AINT, MPI_REPLACE, window);
        MPI_Win_flush(rank, window);
    }
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    for (int i = 0; i < ELEMENTS; i++)
        free(elements[i]);
}

/* Rank 0 fails after MPI_Finalize. Open MPI then kills whoever is still there, so it lets the others leave first. */
static int outlive_others(long other)
{
    if (rank != 0)
        return 0;
    /* A while at most: a launcher may not reap the other, or its number may be given to somebody else. */
    for (int i = 0; i < 3000 && kill((pid_t)other, 0) == 0; i++)
        usleep(1000);
    return 5;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 8;
    const char *how = argv[1];
    int mine[4] = {1, 2, 3, 4}, other[4];
    signal(SIGSEGV, SIG_DFL);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    pass_round(mine, strcmp(argv[2], "race") ? other : mine);
    say("is here");
    MPI_Barrier(MPI_COMM_WORLD);

    /* MPICH's launcher forgets output that it has not passed on yet: in 10 of 250 plain runs without this. */
    if (!strncmp(how, "abort", 5))
        usleep(300000);
    if (!strcmp(how, "abort") && rank == 1)
        MPI_Abort(MPI_COMM_WORLD, 3);
    if (!strcmp(how, "abort-all"))
        MPI_Abort(MPI_COMM_WORLD, 3);
    if (!strcmp(how, "exit"))
        exit(4);
    if (!strcmp(how, "exit-0"))
        exit(0);
    if (!strcmp(how, "exit-at-once"))
        _exit(4);
    if (!strcmp(how, "crash") && rank == 1)
        crash();
    if (!strcmp(how, "crash-all"))
        crash();
    if (!strcmp(how, "lost") && rank == 1)
        raise(SIGKILL);
    if (!strcmp(how, "lost-waiting") && rank == 1) {
        MPI_Request request;
        MPI_Irecv(other, 4, MPI_INT, 0, 8, MPI_COMM_WORLD, &request);
        raise(SIGKILL);
    }
    if (!strcmp(how, "children"))
        children();
    if (!strcmp(how, "attach"))
        attach_list();
    if (!strcmp(how, "wait"))
        for (;;)
            pause();

    long last_pid = getpid();
    MPI_Barrier(MPI_COMM_WORLD);
    pass_round(other, mine);
    MPI_Bcast(&last_pid, 1, MPI_LONG, ranks - 1, MPI_COMM_WORLD);
    MPI_Finalize();
    say("is done");
    return strcmp(how, "fail-late") ? 0 : outlive_others(last_pid);
}
