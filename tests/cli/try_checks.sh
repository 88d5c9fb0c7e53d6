#!/usr/bin/env bash
# `regatta try` looks at the source as well: what a run cannot meet is told, what both find is one finding. `regatta check --timeout`.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/harness.sh"
: "${MPI:?}"
cat >ring.c <<'C'
#include <mpi.h>
static int row[10], other[10];
int main(int argc, char **argv)
{
    int rank, size;
    MPI_Request r[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Isend(row, 10, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &r[0]);
    if (argc > 1)
        row[0] = 1;
    MPI_Irecv(other, 10, MPI_INT, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
C
try "$REGATTA" try --mpi "$MPI" -n 2 --json seen.json ring.c
code_is 66
[ "$(jq -c '[.mode, .ranks, (.findings | length), .findings[0].found_by, .findings[0].first.line, .findings[0].second.line]' seen.json)" = '["run",2,1,["check"],10,12]' ] || fail 'not the finding of check alone'
err_has 'found in the source, not seen in a run'
err_has '^regatta: 1 error, 0 warnings · 2 ranks · '
try "$REGATTA" try --mpi "$MPI" -n 2 --json both.json ring.c -- store
code_is 66
[ "$(jq -c '[(.findings | length), .findings[0].found_by]' both.json)" = '[1,["run","check"]]' ] || fail 'not one finding of both'
err_has 'seen 2 times · ranks 0, 1 · confirmed: check found it, too'
try "$REGATTA" try --mpi "$MPI" -n 2 --no-check ring.c
code_is 0
# What annotations may excuse is left to the run, and nothing else.
header=$(realpath "$here/../../include/regatta.h")
sed -e "1i #include \"$header\"" -e 's,^    if (argc > 1),    REGATTA_IGNORE(row\, sizeof row);\n&,' ring.c >annotated.c
try "$REGATTA" try --mpi "$MPI" -n 2 annotated.c
code_is 0
err_has '^regatta: 0 errors, 0 warnings'
sed 's,IGNORE(row\, sizeof row),IGNORE(other\, sizeof other),' annotated.c >elsewhere.c
try "$REGATTA" try --mpi "$MPI" -n 2 elsewhere.c
code_is 66
err_has 'found in the source, not seen in a run'

# --timeout of check ends what it started, and says what it did not look at.
try "$REGATTA" check --mpi "$MPI" --timeout 1 --json late.json -- sleep 47.11
code_is 124
err_has '^regatta: 0 errors, 0 warnings .*not looked at: anything (stopped after 1 seconds\{0,1\} (--timeout))'
[ "$(jq -c '.limits | length' late.json)" = 1 ] || fail 'no limit in the JSON'
! pgrep -f '^sleep 47\.11$' >/dev/null || fail 'what it started goes on'
try "$REGATTA" check --mpi "$MPI" --timeout 50 ring.c
code_is 66
err_has '\[local-race\]'
finish
