#!/usr/bin/env bash
# usage: namespaces.sh REGATTA MPI PROGRAMS
# Two ranks in PID namespaces of their own, both as process 1, on one /dev/shm: the verdicts are those of any other run, and nobody
# takes the other's records for its own.
# The MPIs themselves are kept from shared memory, which does not work for them there: MPICH 4.0.2 never comes out of MPI_Finalize, Open MPI
# 4.1.4's windows crash. MPICH at times does not come out over TCP either, with and without Regatta: such runs are tried again, and prove
# nothing (77), as where namespaces are not permitted.
set -eu
regatta=$1 mpi=$2 programs=$3
export UCX_TLS=tcp OMPI_MCA_btl=self,tcp OMPI_MCA_osc=pt2pt
apart=(unshare --pid --fork --mount-proc --kill-child)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"${apart[@]}" true 2>/dev/null || { echo "no namespaces here" && exit 77; }

# Runs the program until it ends by itself; the exit code is in `code`.
run_to_end() {
    for _ in 1 2 3 4 5 6; do
        code=0
        rm -rf records
        timeout -k 1 15 "$regatta" run --mpi "$mpi" --strict --keep-records records -n 1 "${apart[@]}" ./program : \
            -n 1 "${apart[@]}" ./program </dev/null >out 2>&1 || code=$?
        [ $code = 124 ] || [ $code = 137 ] || return 0
    done
    echo "this MPI does not work across namespaces"
    exit 77
}

for name in lock/flag_before_data_ok lock/flag_before_data_race atomics/flag_publishes_race atomics/flag_publishes_ok; do
    REGATTA_MPI=$mpi "$regatta" cc -g -O1 -w "$programs/$name.c" -o program
    expected=0
    [ "${name%_ok}" != "$name" ] || expected=66
    run_to_end
    [ "$code" = $expected ] || { echo "$name: exit code $code" && cat out && exit 1; }
    [ "$(find records -name '*.records' | wc -l)" = 2 ] || { ls records && exit 1; }
done
