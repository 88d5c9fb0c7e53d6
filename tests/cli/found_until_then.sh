#!/usr/bin/env bash
# What was found before a run went wrong is reported. With the real runtime.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/harness.sh"
: "${MPI:?}"
actor=$BUILD/tests/cli/actor_$MPI
export ACTOR_RACES=1

# The one race of the actor, whatever it does then.
one_race() {
    code_is 66
    err_has '\[local-race\]$'
    [ "$(jq -r '[.findings[] | select(.rule == "local-race")] | "\(length) \(.[0].first.function)"' findings.json)" = '1 race' ] ||
        fail 'not exactly one local-race in race()'
    rm -f findings.json
}

for deed in 'nothing' 'return 3' 'raise 9' 'raise 11' 'abort 5' 'exit 4' 'all-exit 0' 'fork'; do
    read -r -a words <<<"$deed"
    try "$REGATTA" run --json findings.json -n 2 "$actor" "${words[@]}"
    one_race
done
try "$REGATTA" run --json findings.json -n 2 "$actor" abort 5
err_has 'rank 1 called MPI_Abort'
try "$REGATTA" run --json findings.json -n 2 "$actor" exit 4
err_has 'ended without MPI_Finalize'

start "$REGATTA" run --json findings.json -n 2 "$actor" signal ready
signal INT
stop
one_race

# --live shows it while the program still waits.
start "$REGATTA" run --live --json findings.json -n 2 "$actor" signal ready
for ((i = 0; i < 200; i++)); do
    grep -q '\[local-race\]$' "$scratch/err" && break
    sleep 0.1
done
[ ! -e findings.json ] || fail 'the run is over already'
err_has '\[local-race\]$'
signal USR1
stop
one_race
[ "$(grep -c '\[local-race\]$' "$scratch/err")" = 1 ] || fail 'shown more than once'

# A rank that is killed has its places on disk before others can name them. Only mpich's launcher lets the others live on.
[ "$MPI" = mpich ] || finish
cat >killed.c <<'EOF'
#include <mpi.h>
#include <signal.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    int rank, *memory, value = 1;
    MPI_Win win;
    MPI_Comm survivors;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(64, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0, 0, &survivors);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
        raise(SIGKILL);
    }
    sleep(1);
    if (rank == 2) {
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
    }
    MPI_Barrier(survivors);
    raise(SIGKILL);
}
EOF
mpicc.mpich -w -g -O1 killed.c -o killed
try "$REGATTA" run --json findings.json --launcher 'mpiexec.hydra -disable-auto-cleanup -n 3' ./killed
code_is 66
err_has 'ranks 0-2 ended without MPI_Finalize'
[ "$(jq -c '.findings[0] | [.rule, ([.first, .second] | map(.rank, .line))[]]' findings.json)" = '["remote-race",0,15,2,21]' ] ||
    fail "the killed rank's place is not known"
finish
