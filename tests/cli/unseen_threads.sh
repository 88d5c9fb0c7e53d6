#!/usr/bin/env bash
# Threads that nobody was seen to create, as MPI libraries have them: they are a limit of the run if they call MPI or run the program's
# compiled code on what is watched, and none if they only allocate and free memory of their own.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/harness.sh"
export REGATTA_MPI=$MPI
# What the thread of a library without checks does, which is made past every pthread_create but the C library's own.
cat >unseen.c <<'END'
#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
typedef int create_thread(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
void in_unseen_thread(void *(*work)(void *), void *argument)
{
    pthread_t thread;
    create_thread *create = (create_thread *)dlsym(dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD), "pthread_create");
    create(&thread, NULL, work, argument);
    pthread_join(thread, NULL);
}
END
cat >idle.c <<'END'
#include <stdlib.h>
void *idle(void *blocks)
{
    for (int i = 0; i < 1000; i++)
        free(((void **)blocks)[i]);
    return NULL;
}
END
cat >program.c <<'END'
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
void in_unseen_thread(void *(*work)(void *), void *argument);
void *idle(void *blocks);
static pthread_mutex_t end = PTHREAD_MUTEX_INITIALIZER;
static int number, got;
static char *blocks[1000];

/* Two threads of the program that are seen: what one did is remembered as long as the other does not know of it. */
static void *use(void *unused)
{
    for (int i = 0; i < 1000; i++)
        MPI_Sendrecv(&number, 1, MPI_INT, 0, 0, blocks[i], 4, MPI_BYTE, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    return unused;
}

static void *stay(void *unused)
{
    pthread_mutex_lock(&end);
    pthread_mutex_unlock(&end);
    return unused;
}

static void *call(void *unused)
{
    MPI_Request request;
    MPI_Ibarrier(MPI_COMM_SELF, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return unused;
}

static void *touch(void *unused)
{
    number = 1;
    return unused;
}

int main(int argc, char **argv)
{
    int provided;
    pthread_t threads[2];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    for (int i = 0; i < 1000; i++)
        blocks[i] = malloc(100);
    pthread_mutex_lock(&end);
    pthread_create(&threads[0], NULL, stay, NULL);
    pthread_create(&threads[1], NULL, use, NULL);
    pthread_join(threads[1], NULL);
    if (strcmp(argv[1], "touch") == 0) {
        MPI_Request request;
        int other = 2;
        MPI_Irecv(&got, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
        in_unseen_thread(touch, NULL);
        MPI_Send(&other, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        in_unseen_thread(strcmp(argv[1], "call") == 0 ? call : idle, blocks);
    }
    pthread_mutex_unlock(&end);
    pthread_join(threads[0], NULL);
    MPI_Finalize();
    return 0;
}
END
"mpicc.$MPI" -g -c unseen.c -o unseen.o
"mpicc.$MPI" -g -shared -fPIC idle.c -o libidle.so
"$REGATTA" cc -g program.c unseen.o -L. -lidle -Wl,-rpath,"$PWD" -o program -lpthread -ldl
said='not looked at: .*order between some threads of a process (who created them was not seen'
try "$REGATTA" run --strict -n 1 ./program idle
code_is 0
err_lacks 'not looked at'
for what in call touch; do
    try "$REGATTA" run --exitcode 0 -n 1 ./program $what
    err_has "$said"
    try "$REGATTA" run --exitcode 0 --strict -n 1 ./program $what
    code_is 3
done
finish
