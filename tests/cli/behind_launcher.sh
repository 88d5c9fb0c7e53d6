#!/usr/bin/env bash
# `regatta exec` behind the MPI's own launcher: rank 0 reports for all, the others pass through, and nothing is left behind.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/harness.sh"
: "${MPI:?}"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
mpiexec="mpiexec.$MPI"

cat >ring.c <<'C'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
static int row[10], other[10];
int main(int argc, char **argv)
{
    int rank, size;
    MPI_Request r[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int *into = argc > 1 && rank == size - 1 ? row : other;
    MPI_Isend(row, 10, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(into, 10, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    printf("rank %d of %d, %d arguments\n", rank, size, argc - 1);
    return argc > 2 ? atoi(argv[2]) : 0;
}
C
"mpicc.$MPI" -g -w -o ring ring.c || exit 1

# The race is rank 2's: rank 0 waits for what the others wrote.
try "$mpiexec" -n 3 "$REGATTA" exec --json found.json ./ring race
code_is 66
[ "$(sort "$scratch/out" | tr '\n' ' ')" = 'rank 0 of 3, 1 arguments rank 1 of 3, 1 arguments rank 2 of 3, 1 arguments ' ] || fail 'not the output of three ranks'
[ "$(jq -c '[.ranks, (.findings | length), .findings[0].first.rank, .findings[0].first.line, .findings[0].second.line]' found.json)" = '[3,1,2,13,14]' ] || fail "not the race of rank 2: $(cat found.json)"
[ "$(grep -c '^error: race on a buffer in use' "$scratch/err")" = 1 ] || fail 'the race is not told once'
tidy
# Without one, its own code; a second run in the same directory is another one.
try "$mpiexec" -n 3 "$REGATTA" exec ./ring
code_is 0
err_has '^regatta: 0 errors, 0 warnings · 3 ranks · '
tidy
try "$mpiexec" -n 3 "$REGATTA" exec --exitcode 0 ./ring race 5
code_is 5
err_has '\[local-race\]'
# Records that are named stay, and can be shown again.
try "$mpiexec" -n 3 "$REGATTA" exec --quiet --exitcode 0 --records kept ./ring race
code_is 0
[ ! -s "$scratch/err" ] || fail 'something on standard error'
try "$REGATTA" report kept
code_is 66
out_has '\[local-race\]'
# No launcher: a run of one process. A program that is missing is told by each.
try "$REGATTA" exec ./ring
code_is 0
err_has '· 1 rank ·'
try "$REGATTA" exec ./not-there
refused 'not-there: No such file'
try "$REGATTA" exec
refused 'which program'
# A launcher whose processes have nothing in common.
try env PMI_RANK=1 PMI_SIZE=4 MPI_LOCALNRANKS=2 "$REGATTA" exec ./ring
refused 'say --records DIR'
finish
