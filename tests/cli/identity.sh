#!/usr/bin/env bash
# The id of a finding stays the same: lines come in above, the directory has another name, another MPI, compiler or level.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/harness.sh"
mkdir one
cat >one/ring.c <<'EOF'
#include <mpi.h>
static double row[100];

static void exchange(int to, int from)
{
    MPI_Request requests[2];
    MPI_Isend(row, 100, MPI_DOUBLE,
              to, 0, MPI_COMM_WORLD,
              &requests[0]);
    MPI_Irecv(row, 100, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, *memory, value = 1, ranks;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    exchange((rank + 1) % ranks, (rank + ranks - 1) % ranks);
    MPI_Win_allocate(64, sizeof *memory, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    if (rank == 1)
        memory[0] = 7;
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
EOF
mkdir other && { printf '/* A comment\n   of two lines */\n\n' && sed 's/MPI_Win win;/MPI_Win win; \/\/ whose?/' one/ring.c; } >other/ring.c

# The ids of a way: MPI, compiler, level, directory.
ids() {
    local mpi=$1 compiler=$2 level=$3 directory=$4
    (cd "$directory" && OMPI_CC=$compiler MPICH_CC=$compiler "$REGATTA" cc --mpi "$mpi" -w -g "$level" ring.c -o ring) >/dev/null || fail "does not compile: $*"
    try "$REGATTA" run --mpi "$mpi" --json f.json -n 2 "$directory/ring"
    code_is 66
    jq -r '.findings[] | "\(.rule) \(.id)"' f.json | sort
}
first=$(ids mpich gcc -O0 one)
[ "$(cut -d' ' -f1 <<<"$first" | tr '\n' ' ')" = 'local-race remote-race ' ] || fail "not the two findings: $first"
for way in 'mpich gcc -O2 one' 'mpich gcc -O0 other' 'openmpi gcc -O1 other' 'mpich clang-19 -O2 one' 'openmpi clang-19 -O0 other'; do
    # shellcheck disable=SC2086 # four words
    found=$(ids $way)
    [ "$found" = "$first" ] || fail "other ids, $way: $found instead of $first"
done

# A baseline still knows them after lines came in.
cp f.json old.json
try "$REGATTA" run --mpi mpich --baseline old.json -n 2 one/ring
code_is 0
err_has ' · 2 known'
finish
