# shellcheck shell=bash
# What the scripts here share. Needs $mpi, $work (a folder of the script's own).

stress_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# Ranks that wait for each other sleep instead of spinning, in the plain runs that a campaign compares with and under stress.
# The machine has fewer cores than ranks, and spinning ranks would take them from the ones that are waited for.
let_waiting_ranks_sleep() {
    "mpicc.$mpi" -shared -fPIC -O2 "$stress_dir/../mpich-suite/yield.c" -o "$work/yield.so" -ldl && export LD_PRELOAD=$work/yield.so
}
