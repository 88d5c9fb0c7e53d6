#!/usr/bin/env bash
# The command line of `regatta stress`: options, exit codes, reproduction, records left behind.
set -u
: "${REGATTA:?}"
here=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/tmp" && cd "$scratch" || exit 1
export TMPDIR=$scratch/tmp
unset REGATTA_MPI REGATTA_OPTIONS LD_PRELOAD
failures=0
expect() { # CODE TEXT COMMAND…
    local wanted=$1 text=$2 code=0
    shift 2
    timeout -k 5 120 "$@" >out 2>err </dev/null || code=$?
    [ $code = "$wanted" ] || { echo "FAILED: exit code $code, not $wanted: $*" && tail -5 err && failures=$((failures + 1)); }
    grep -q -e "$text" out err || { echo "FAILED: '$text' is not there: $*" && tail -5 err && failures=$((failures + 1)); }
}

mpi=mpich
command -v mpicc.mpich >/dev/null || mpi=openmpi
"mpicc.$mpi" -g -DASSERTS "$here/latent/put_then_accumulate.c" -o bug || exit 1
"mpicc.$mpi" -g -DASSERTS -DREPAIRED "$here/latent/put_then_accumulate.c" -o good || exit 1
"mpicc.$mpi" -g "$here/latent/put_then_accumulate.c" -o silent || exit 1

expect 2 'which program' "$REGATTA" stress -n 2
expect 2 'how many processes' "$REGATTA" stress ./good
expect 2 'unknown option' "$REGATTA" stress -n 2 --ordre random ./good
expect 2 'is one of' "$REGATTA" stress -n 2 --order sideways ./good
expect 2 'is one of late' "$REGATTA" stress -n 2 --strategy none ./good
expect 2 'exclude each other' "$REGATTA" stress -n 2 --strategy late --order random ./good
expect 2 'contradict' "$REGATTA" stress -n 2 --defer --no-defer ./good
expect 2 'NASTY_SUBMIT_ORDER' env NASTY_SUBMIT_ORDER=sideways "$REGATTA" stress -n 2 ./good
expect 0 'strategies\|Strategies' "$REGATTA" stress --help

expect 0 '0 of 2 schedules changed the outcome' "$REGATTA" stress -n 2 --plain-runs 1 --runs 2 ./good
expect 66 'Assertion' "$REGATTA" stress -n 2 --plain-runs 1 --runs 9 --first ./bug
# One printed command shows it again.
again=$(sed -n 's/.*To see it again: regatta \(stress .*\)/\1/p' err | head -1)
[ -n "$again" ] || { echo "FAILED: no command to see it again" && failures=$((failures + 1)); }
# shellcheck disable=SC2086 # the words of the command
expect 66 'Assertion' "$REGATTA" $again
# The paper's names.
expect 66 'Assertion' env NASTY_SUBMIT_ORDER=reverse_po "$REGATTA" stress -n 2 --plain-runs 1 --runs 1 ./bug
expect 0 '0 of 1' env NASTY_SKIP_COMPLETION_STAGE=1 "$REGATTA" stress -n 2 --plain-runs 1 --runs 1 ./bug
# What MPI promises holds, on every MPI that is here.
for each in mpich openmpi; do
    command -v "mpicc.$each" >/dev/null || continue
    "mpicc.$each" -g "$here/legal.c" -o legal || exit 1
    expect 0 '0 of 24 schedules changed the outcome' "$REGATTA" stress --mpi "$each" -n 2 --plain-runs 1 --runs 24 --jobs 2 --timeout 30 ./legal
done
# The place is the program's, not that of MPI or libc in which the process hangs or ends.
"mpicc.$mpi" -g "$here/latent/sends_face_to_face.c" -o wait || exit 1
expect 66 'hang .*sends_face_to_face.c:10 .*hangs here' "$REGATTA" stress -n 2 --plain-runs 1 --runs 1 --strategy synchronous --timeout 10 ./wait
"mpicc.$mpi" -g -DASSERTS "$here/latent/irecv_read_before_wait.c" -o early || exit 1
expect 66 'end .*irecv_read_before_wait.c:21 .*aborts here' "$REGATTA" stress -n 2 --plain-runs 1 --runs 1 --strategy late ./early
# Without asserts the window tells: which bytes, and the two operations.
expect 66 'depend on the schedule' "$REGATTA" stress -n 2 --plain-runs 1 --runs 1 --strategy reverse --json f.json ./silent
jq -e '.mode == "stress" and (.findings | length == 1) and (.findings[0] |
    .rule == "schedule" and .memory.offset == 12 and .memory.bytes <= 4 and .memory.rank == 1 and
    ([.first.call, .second.call] | sort) == ["MPI_Accumulate", "MPI_Put"] and .first.line > 0)' f.json >/dev/null ||
    { echo "FAILED: the finding is not the one expected" && cat f.json && failures=$((failures + 1)); }
# The fewest operations, and the finding tried again; in the repaired program it is not confirmed.
expect 66 'only these operations are perturbed:.*put_then_accumulate.c' "$REGATTA" stress -n 2 --plain-runs 1 --runs 1 \
    --strategy reverse --minimise ./silent
expect 66 'Confirmed by stress: strategy reverse' "$REGATTA" stress -n 2 --plain-runs 1 --confirm f.json ./silent
expect 66 'Not confirmed by stress' "$REGATTA" stress -n 2 --plain-runs 1 --confirm f.json ./good
expect 2 'nowhere.json' "$REGATTA" stress -n 2 --plain-runs 1 --confirm nowhere.json ./good
# A program that fails anyway keeps its own exit code.
printf '#include <mpi.h>\nint main(void){MPI_Init(0,0);MPI_Finalize();return 3;}\n' >three.c
"mpicc.$mpi" three.c -o three && expect 3 'also without stress' "$REGATTA" stress -n 1 --plain-runs 1 --runs 1 ./three
# Where plain runs vary, --first still tries schedules, up to the first error. And the command to see it again says all that matters.
cat >varies.c <<'END'
#include <mpi.h>
#include <stdio.h>
int main(void)
{
    int rank, value = -1, sent = 7;
    MPI_Request request;
    MPI_Init(0, 0);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        printf("time %.9f\n", MPI_Wtime());
        MPI_Recv(0, 0, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Irecv(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        for (int done = 0, i = 0; !done && i < 1000000; i++)
            done = value == 7; /* by luck */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&sent, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(0, 0, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    printf("%d: %d\n", rank, value);
    MPI_Finalize();
    return 0;
}
END
sed -i 's/MPI_Wait(&request, MPI_STATUS_IGNORE);/printf("seen %d\\n", value); &/' varies.c
"mpicc.$mpi" varies.c -o varies && expect 66 'of [1-9][0-9]* schedules changed' "$REGATTA" stress -n 2 --runs 8 --first --ignore-output '^time' --timeout 60 ./varies
again=$(sed -n "s/.*To see it again: regatta \(stress .*\)/\1/p" err | head -1)
case $again in *"--timeout 60 --ignore-output '^time'"*) ;; *) echo "FAILED: conditions are missing: $again" && failures=$((failures + 1)) ;; esac
eval "expect 66 'standard output depends' \"\$REGATTA\" $again"
# An end that does not come back when the schedule is repeated is a warning: launchers of MPIs fail now and then. The second run of
# this program, the first under stress, is such a failure.
cat >glitch.c <<'END'
#include <mpi.h>
#include <stdio.h>
int main(void)
{
    MPI_Init(0, 0);
    MPI_Finalize();
    FILE *runs = fopen("runs", "a+");
    fputc('x', runs);
    return ftell(runs) == 2 ? 3 : 0;
}
END
"mpicc.$mpi" glitch.c -o glitch && expect 0 'It came once' "$REGATTA" stress -n 1 --plain-runs 1 --runs 2 --jobs 1 --table table ./glitch
[ "$(cut -f3 table | paste -sd' ')" = 'once same' ] || { echo "FAILED: once, then same" && cat table && failures=$((failures + 1)); }
# Nothing is left in $TMPDIR.
[ -z "$(ls -A "$TMPDIR")" ] || { echo "FAILED: left behind: $(ls "$TMPDIR")" && failures=$((failures + 1)); }
[ $failures = 0 ]
