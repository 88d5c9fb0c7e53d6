#!/usr/bin/env bash
# A program that calls MPI by its PMPI_ names: it is said, and what may be ordered by these calls is no error.
# shellcheck source-path=SCRIPTDIR
. "$(dirname "$0")/harness.sh"
cat >program.c <<'END'
#include <mpi.h>
int main(int argc, char **argv)
{
    int rank, *memory, value = 7, wrong = 0;
    MPI_Win win;
    MPI_Init(&argc, &argv);
    double begin = PMPI_Wtime();
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
    }
    BARRIER(MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    }
    MPI_Win_unlock_all(win);
    wrong = PMPI_Wtime() < begin;
    MPI_Win_free(&win);
    MPI_Finalize();
    return wrong;
}
END
export REGATTA_MPI=$MPI
for name in MPI_Barrier PMPI_Barrier '(void)'; do
    "mpicc.$MPI" -g "-DBARRIER=$name" program.c -o program
    try "$REGATTA" run -n 2 ./program
    case $name in
    MPI_Barrier)
        code_is 0
        err_lacks 'remote-race'
        err_lacks 'calls such as'
        ;;
    PMPI_Barrier)
        code_is 0
        err_has 'warning.*remote-race\|remote-race.*warning'
        err_has 'Only a warning: calls such as .* are not seen here'
        err_has 'not looked at: .*calls such as PMPI_Barrier (not by its MPI_ name'
        try "$REGATTA" run --werror -n 2 env X=1 ./program
        code_is 66
        err_has 'not looked at: .*calls such as PMPI_Barrier (not by its MPI_ name'
        try "$REGATTA" stress --runs 1 --plain-runs 1 -n 2 ./program
        err_has 'not looked at: .*calls such as PMPI_Barrier (not by its MPI_ name'
        ;;
    *) # questions change nothing: without a barrier it is a race
        code_is 66
        err_lacks 'calls such as'
        ;;
    esac
done
finish
