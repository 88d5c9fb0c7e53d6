#!/usr/bin/env bash
# One cause, one entry: sixty findings with three causes are three entries; what `check` and `run` both find is one finding, confirmed.
# With the real runtime.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/harness.sh"

# Three operations, each of which meets twenty lines: a put and stores of the target, a get that its own rank reads too early, and a send whose buffer is written.
{
    cat <<'END'
#include <mpi.h>
#include <stdlib.h>
double volatile sink;
int main(int argc, char **argv)
{
    int rank;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double *memory, *out = calloc(20, sizeof *out), *in = calloc(20, sizeof *in), *row = calloc(20, sizeof *row);
    MPI_Win_allocate(160, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_set_name(win, "flood");
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(out, 20, MPI_DOUBLE, 1, 0, 20, MPI_DOUBLE, win);
        MPI_Win_flush(1, win);
        MPI_Request request;
        MPI_Isend(row, 20, MPI_DOUBLE, 1, 0, MPI_COMM_WORLD, &request);
END
    for i in {0..19}; do echo "        row[$i] = $i;"; done
    echo '        MPI_Wait(&request, MPI_STATUS_IGNORE);'
    echo '        MPI_Get(in, 20, MPI_DOUBLE, 0, 0, 20, MPI_DOUBLE, win);'
    for i in {0..19}; do echo "        sink = in[$i];"; done
    echo '    } else if (rank == 1) {'
    for i in {0..19}; do echo "        memory[$i] = $i;"; done
    cat <<'END'
        MPI_Recv(row, 20, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
END
} >flood.c
try "$REGATTA" cc --mpi "$MPI" -g -O0 flood.c -o flood
code_is 0
try "$REGATTA" run --mpi "$MPI" --json flood.json -n 2 ./flood
code_is 66
[ "$(jq '.findings | length' flood.json)" = 60 ] || fail 'not sixty findings in the JSON'
[ "$(jq '[.findings[].cause] | unique | length' flood.json)" = 3 ] || fail 'not three causes in the JSON'
[ "$(jq '[.findings[].id] | unique | length' flood.json)" = 60 ] || fail 'ids are not per pair'
[ "$(grep -c '^error:' "$scratch/err")" = 3 ] || fail 'not three entries'
for call in Put Get Isend; do err_has "^  the same MPI_$call at flood.c:[0-9]* also meets:\$"; done
[ "$(grep -c '^    and 11 more; --verbose shows them all$' "$scratch/err")" = 3 ] || fail 'not all findings are accounted for'
[ "$(grep -c '^    rank [01]  \(store\|load\) ' "$scratch/err")" = 24 ] || fail 'not eight pairs below each entry'
err_has '^regatta: 60 errors, 0 warnings · 3 causes · 2 ranks'
try "$REGATTA" report --verbose flood.json
[ "$(grep -c '^error:' "$scratch/out")" = 60 ] || fail 'verbose does not show all'
! grep -q 'also meets' "$scratch/out" || fail 'verbose shows them twice'
try "$REGATTA" report --sarif flood.sarif flood.json
[ "$(jq '.runs[0].results | length' flood.sarif)" = 60 ] || fail 'SARIF is not per pair'
# A filter leaves a part; the rest still has its causes.
try "$REGATTA" report --rule remote-race flood.json
out_has '^regatta: 20 errors, 0 warnings · 1 cause · .* · 40 not selected$'

# Two that have nothing in common stay two entries.
try "$REGATTA" report --json two.json --rule local-race flood.json
[ "$(grep -c '^error:' "$scratch/out")" = 2 ] || fail 'two causes are not two entries'

if "$REGATTA" check --help >/dev/null 2>&1; then
    sed -e '/sink = in\[[1-9]/d' -e '/row\[[1-9]/d' -e '/memory\[[1-9]/d' flood.c >pairs.c
    try "$REGATTA" cc --mpi "$MPI" -g -O1 pairs.c -o pairs
    try "$REGATTA" run --mpi "$MPI" --json run.json -n 2 ./pairs
    code_is 66
    try "$REGATTA" check --mpi "$MPI" --json check.json pairs.c
    code_is 66
    for order in 'run.json check.json' 'check.json run.json'; do
        # shellcheck disable=SC2086 # two words
        try "$REGATTA" report --json both.json $order
        code_is 66
        jq -r '.findings[] | "\(.rule) \(.first.line) \(.second.line) \(.found_by | sort | join("+")) \(.count)"' both.json >"$scratch/both"
        grep -q '^local-race .* check+run 1$' "$scratch/both" || fail "nothing is confirmed: $(cat "$scratch/both")"
        [ "$(sort -u -k1,3 "$scratch/both" | wc -l)" = "$(wc -l <"$scratch/both")" ] || fail 'a pair is shown twice'
        out_has '· confirmed: check found it, too$'
        # Who has seen it speaks.
        out_has '^  seen once .*· confirmed'
    done

    # Variables have the names of the source, not those of the bitcode.
    cat >scopes.c <<'END'
#include <mpi.h>
void two(int other)
{
    {
        int buf[4] = {0};
        MPI_Request request;
        MPI_Isend(buf, 4, MPI_INT, other, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    {
        static int kept[4];
        int buf[4] = {0};
        MPI_Request request, more;
        MPI_Isend(buf, 4, MPI_INT, other, 0, MPI_COMM_WORLD, &request);
        buf[0] = 1;
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Isend(kept, 4, MPI_INT, other, 0, MPI_COMM_WORLD, &more);
        kept[0] = 1;
        MPI_Wait(&more, MPI_STATUS_IGNORE);
    }
}
END
    try "$REGATTA" check --mpi "$MPI" --json scopes.json scopes.c
    [ "$(jq -c '[.findings[] | .first.variable, .second.variable]' scopes.json)" = '["buf","buf","kept","kept"]' ] || fail 'names of the bitcode'
fi
finish
