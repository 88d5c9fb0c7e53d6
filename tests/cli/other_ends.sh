#!/usr/bin/env bash
# Crashes, the program's own exit code, signals, and launchers of another MPI: each told in the report.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/harness.sh"
: "${MPI:?}"
other=mpich
[ "$MPI" = mpich ] && other=openmpi
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1

cat >crash.c <<'C'
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, x[2] = {0};
    MPI_Request r[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Isend(x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(x, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        *(volatile int *)8 = 1;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
C
"mpicc.$MPI" -g -w -o crash crash.c || exit 1
try "$REGATTA" run --json crash.json -n 2 ./crash
code_is 66
err_has 'note: rank 1 crashed first: signal 11 (Segmentation fault) at crash.c:13 main()'
[ "$(jq .exit.crash.rank crash.json)" = 1 ] || fail 'no crash in the JSON'
[ "$(jq '.exit.code > 0 and .exit.code != 66' crash.json)" = true ] || fail "the program's own exit code is not in the JSON"

# MPI aborts because of a wrong argument, and names no line.
cat >wrong.c <<'C'
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, size, x = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        MPI_Send(&x, 1, MPI_INT, size + 7, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
C
"mpicc.$MPI" -g -o wrong wrong.c || exit 1
try "$REGATTA" run -n 2 ./wrong
failed
err_has '^regatta: note: rank 0 ended in MPI_Send at wrong.c:9$'

# Each process is alone: the launcher is of the other MPI.
cat >small.c <<'C'
#include <mpi.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return 0;
}
C
"mpicc.$MPI" -g -o small small.c || exit 1
if command -v "mpiexec.$other" >/dev/null; then
    try "$REGATTA" run --launcher "mpiexec.$other" -n 2 ./small
    err_has '2 processes, each rank 0 of 1: the launcher is not that of'
    # A script hides which MPI it is.
    try "$REGATTA" run --mpi "$other" -n 2 sh -c ./small
    err_has "^regatta: this program uses .*: say --mpi $MPI"
    err_lacks 'Segmentation fault'
fi

# An MPI that does not understand its own launcher, as that of Ubuntu 24.04: the doctor says so, too.
mkdir broken
cat >"broken/mpiexec.$MPI" <<'SH'
#!/bin/bash
while [[ $1 == -* ]]; do
    case $1 in
    -genv) export "$2=$3" && shift 3 ;;
    -x) export "$2" && shift 2 ;;
    -n) count=$2 && shift 2 ;;
    *) shift ;;
    esac
done
for ((i = 0; i < count; i++)); do "$@" & done
wait
SH
chmod +x "broken/mpiexec.$MPI"
PATH=$PWD/broken:$PATH try "$REGATTA" run --json alone.json -n 2 ./small
err_has '2 processes, each rank 0 of 1: this .* does not understand its own launcher, as Ubuntu 24.04.s MPICH'
[ "$(jq -r '.limits[] | select(.kind == "mpi") | .do' alone.json | grep -c 'update or rebuild this MPI')" = 1 ] || fail 'it does not say what to do'
PATH=$PWD/broken:$PATH try "$REGATTA" doctor
code_is 70
out_has 'BROKEN   test run .*each rank 0 of 1: this .* does not understand its own launcher.*; update or rebuild this'

# Told to end while it waits.
cat >waits.c <<'C'
#include <fcntl.h>
#include <mpi.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        close(open("ready", O_CREAT | O_WRONLY, 0600));
        sleep(60);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
C
"mpicc.$MPI" -g -o waits waits.c || exit 1
start "$REGATTA" run --json told.json -n 2 ./waits
sleep 2
signal TERM
stop
err_has 'stopped by a signal; the ranks were here:'
err_has 'rank 1  *MPI_Barrier  *waits.c:13  main()   waits for rank 0 to make the same collective call'
err_lacks 'deadlock'
[ "$(jq -r .waiting.stopped_by told.json)" = signal ] || fail 'no waiting in the JSON'
finish
