#!/usr/bin/env bash
# usage: provides_less.sh BUILD MPI
# An MPI that provides less than it is asked for (a library in front of the real one says so): a note if the program goes on with
# threads all the same, none if it looks at the level and does not.
set -u
build=$(realpath "$1") mpi=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
cat >less.c <<'C'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    int (*real)(int *, char ***, int, int *);
    *(void **)&real = dlsym(RTLD_NEXT, "PMPI_Init_thread");
    int result = real(argc, argv, required, provided);
    *provided = MPI_THREAD_FUNNELED;
    return result;
}
int PMPI_Query_thread(int *provided)
{
    *provided = MPI_THREAD_FUNNELED;
    return MPI_SUCCESS;
}
C
cat >program.c <<'C'
#include <mpi.h>
#include <pthread.h>
static void *work(void *unused)
{
    return unused;
}
int main(int argc, char **argv)
{
    int provided;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
#ifdef LOOKS
    if (provided == MPI_THREAD_MULTIPLE)
#endif
    {
        pthread_create(&thread, NULL, work, NULL);
        pthread_join(thread, NULL);
    }
    MPI_Finalize();
    return 0;
}
C
"mpicc.$mpi" -shared -fPIC less.c -o libless.so -ldl || exit 2
failures=0
for looks in "" -DLOOKS; do
    # shellcheck disable=SC2086 # one flag or none
    "$build/regatta" cc --mpi "$mpi" -g -pthread $looks program.c -o program -Wl,--no-as-needed -L. -lless "-Wl,-rpath,$work" || exit 2
    "$build/regatta" run --mpi "$mpi" -n 2 --quiet --json found.json ./program </dev/null || failures=$((failures + 1))
    wanted='["note thread-level level-less 11"]'
    [ -z "$looks" ] || wanted='[]'
    found=$(jq -c '[.findings[] | "\(.severity) \(.rule) \(.case) \(.first.line)"]' found.json)
    [ "$found" = "$wanted" ] || { echo "FAILED${looks:+ with $looks}: $found, not $wanted" && failures=$((failures + 1)); }
done
[ $failures = 0 ]
