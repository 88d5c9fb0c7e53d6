#!/usr/bin/env bash
# `regatta check --confirm`: what a run with the example's processes and arguments reports, too, is marked.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/harness.sh"
: "${MPI:?}"

# Two files; it runs with three processes or more only, and needs a number as argument.
mkdir src
cat >src/part.h <<'C'
void shift(int *row, int to, int from);
C
cat >src/part.c <<'C'
#include "part.h"
#include <math.h>
#include <mpi.h>
static double root(double x)
{
    return sqrt(x);
}
void shift(int *row, int to, int from)
{
    int other[10];
    MPI_Request r[2];
    MPI_Isend(row, 10, MPI_INT, to, 0, MPI_COMM_WORLD, &r[0]);
    MPI_Irecv(other, 10, MPI_INT, from, 0, MPI_COMM_WORLD, &r[1]);
    row[0] = (int)root(row[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}
C
cat >main.c <<'C'
#include "part.h"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int rank, size, row[10] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size < 3 || argc < 2)
        MPI_Abort(MPI_COMM_WORLD, 3);
    FILE *file = fopen("made_by_the_program", "w");
    if (file)
        fclose(file);
    for (int i = 0; i < atoi(argv[1]); i++)
        shift(row, (rank + 1) % size, (rank + size - 1) % size);
    MPI_Finalize();
    return 0;
}
C
try "$REGATTA" check --mpi "$MPI" --confirm --json both.json main.c src/part.c -- -Isrc -lm
code_is 66
[ "$(jq -c '[.mode, (.findings | length), .findings[0].found_by, .findings[0].first.line, .findings[0].second.line]' both.json)" = '["check",1,["run","check"],12,14]' ] || fail 'not one finding, confirmed'
err_has 'Confirmed: regatta run -n 3 with the arguments [0-9 ]* reports it, too\.'
# 3 ranks, as many rounds as the argument says; the count is the run's.
err_has '^  seen [0-9]* times · ranks 0, 1, 2 · confirmed: check found it, too$'
err_has '1 of 1 findings confirmed by runs'
[ ! -e made_by_the_program ] || fail 'the program ran among the files of the user'

# Behind a file that is not there in the run: it cannot meet that.
sed 's/if (size < 3 || argc < 2)/if (!fopen("input", "r"))/; s/atoi(argv\[1\])/2/' main.c >input.c
try "$REGATTA" check --mpi "$MPI" --confirm --json not.json input.c src/part.c -- -Isrc -lm
code_is 66
[ "$(jq -c '[(.findings | length), .findings[0].found_by]' not.json)" = '[1,["check"]]' ] || fail 'not one finding of check alone'
err_has 'Not confirmed: regatta run -n [0-9]*, without input, does not report it\.'
err_has '0 of 1 findings confirmed by runs'

# Nothing to build: said, and nothing is lost.
try "$REGATTA" check --mpi "$MPI" --confirm src/part.c -- -Isrc
code_is 66
err_has 'not confirmed: 1 in code of which no program is in view'
sed 's/sqrt(x)/nowhere_defined(x)/; s/#include <math.h>/double nowhere_defined(double);/' src/part.c >part.c
try "$REGATTA" check --mpi "$MPI" --confirm main.c part.c -- -Isrc
code_is 66
err_has 'main.c could not be built: .*nowhere_defined'

# Nothing found: nothing is built or run.
sed '/row\[0\] = /d' src/part.c >part.c
try "$REGATTA" check --mpi "$MPI" --confirm main.c part.c -- -Isrc
code_is 0
err_lacks 'confirmed'
finish
