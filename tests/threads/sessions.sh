#!/usr/bin/env bash
# usage: sessions.sh BUILD MPI
# A program that uses sessions instead of MPI_Init (MPI-4.0 §11.3) is not watched, whatever level it asks for: it runs as it would plainly, and
# the last line says that nothing was looked at. Exit code 77: this MPI has no sessions.
set -u
build=$(realpath "$1") mpi=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
cat >program.c <<'C'
#include <mpi.h>
#include <stdio.h>
int main(void)
{
    MPI_Session session;
    MPI_Group group;
    MPI_Comm comm;
    MPI_Info info;
    int size, rank;
    MPI_Info_create(&info);
    MPI_Info_set(info, "thread_level", "MPI_THREAD_FUNNELED");
    MPI_Session_init(info, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
    MPI_Comm_create_from_group(group, "all", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm);
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &rank);
    MPI_Barrier(comm);
    printf("%d of %d\n", rank, size);
    MPI_Comm_free(&comm);
    MPI_Group_free(&group);
    MPI_Info_free(&info);
    MPI_Session_finalize(&session);
    return 0;
}
C
"mpicc.$mpi" -w program.c -o plain 2>/dev/null || { echo "$mpi has no sessions" && exit 77; }
"$build/regatta" cc --mpi "$mpi" -g program.c -o program || exit 2
failures=0
expect() { # CODE OPTION…
    local wanted=$1 code=0
    shift
    "$build/regatta" run --mpi "$mpi" -n 2 "$@" ./program >out 2>err </dev/null || code=$?
    [ $code = "$wanted" ] && [ "$(sort out)" = "$(printf '0 of 2\n1 of 2')" ] && grep -q 'not looked at: anything (no process initialised MPI)' err ||
        { echo "FAILED: exit code $code, not $wanted, or another output" && cat out err && failures=$((failures + 1)); }
}
expect 0
expect 3 --strict
[ $failures = 0 ]
