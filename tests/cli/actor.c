/* An MPI program that does what its first argument says, to see how the command takes it.
 * Deeds that end a process are done by rank 1 while the others go on to wait for it.
 * With ACTOR_RACES set, every rank first receives into a buffer that it is sending. */
#include <mpi.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static volatile sig_atomic_t told;

static void hear(int number)
{
    told = number;
}

static void print_arguments(int rank, char **arguments)
{
    if (rank == 0)
        for (; *arguments; arguments++)
            printf("<%s>\n", *arguments);
}

static void print_environment(int rank)
{
    if (rank == 0)
        for (char **setting = environ; *setting; setting++)
            puts(*setting);
}

static void copy_input(int rank)
{
    int c;
    while (rank == 0 && (c = getchar()) != EOF)
        putchar(c);
}

static void fork_children(void)
{
    for (int i = 0; i < 3; i++) {
        pid_t child = fork();
        if (child == 0)
            exit(0); /* through atexit, as careless programs do */
        waitpid(child, NULL, 0);
    }
    if (system("true") != 0)
        abort();
}

/* Tells the test that it is ready, then waits for a signal. */
static void wait_for_signal(int rank, const char *ready)
{
    signal(SIGUSR1, hear);
    signal(SIGTERM, hear);
    MPI_Barrier(MPI_COMM_WORLD);
    FILE *file = rank == 0 ? fopen(ready, "w") : NULL;
    if (file)
        fclose(file);
    while (!told)
        usleep(10000);
    printf("rank %d heard %d\n", rank, (int)told);
    fflush(stdout);
}

static void exit_together(int code)
{
    MPI_Barrier(MPI_COMM_WORLD);
    exit(code);
}

static void end_early(int rank, const char *deed, int number)
{
    if (rank == 1) {
        if (!strcmp(deed, "exit"))
            exit(number);
        if (!strcmp(deed, "_exit"))
            _exit(number);
        if (!strcmp(deed, "raise"))
            raise(number);
        if (!strcmp(deed, "abort"))
            MPI_Abort(MPI_COMM_WORLD, number);
    }
    MPI_Barrier(MPI_COMM_WORLD); /* never comes about */
}

static void race(int rank)
{
    int size, box = 0;
    MPI_Request requests[2];
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Isend(&box, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&box, 1, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank;
    const char *deed = argc > 1 ? argv[1] : "nothing";
    if (!strcmp(deed, "no-init"))
        return argc > 2 ? atoi(argv[2]) : 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (getenv("ACTOR_RACES"))
        race(rank);
    if (!strcmp(deed, "arguments"))
        print_arguments(rank, argv + 2);
    else if (!strcmp(deed, "name"))
        print_arguments(rank, (char *[]){argv[0], NULL});
    else if (!strcmp(deed, "environment"))
        print_environment(rank);
    else if (!strcmp(deed, "input"))
        copy_input(rank);
    else if (!strcmp(deed, "streams") && rank == 0)
        fputs("to standard error\n", stderr), puts("to standard output");
    else if (!strcmp(deed, "fork"))
        fork_children();
    else if (!strcmp(deed, "signal"))
        wait_for_signal(rank, argv[2]);
    else if (!strcmp(deed, "all-exit"))
        exit_together(atoi(argv[2]));
    else if (argc == 3 && strcmp(deed, "return"))
        end_early(rank, deed, atoi(argv[2]));
    MPI_Finalize();
    return !strcmp(deed, "return") ? atoi(argv[2]) : 0;
}
