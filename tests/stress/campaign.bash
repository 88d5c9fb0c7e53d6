# shellcheck shell=bash
# What the scripts here share. Needs $mpi, $work (a folder of the script's own).

stress_dir=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# Ranks that wait for each other sleep instead of spinning, in the plain runs that a campaign compares with and under stress.
# The machine has fewer cores than ranks, and spinning ranks would take them from the ones that are waited for.
let_waiting_ranks_sleep() {
    # shellcheck disable=SC2154 # variables of the script
    "mpicc.$mpi" -shared -fPIC -O2 "$stress_dir/../mpich-suite/yield.c" -o "$work/yield.so" -ldl && export LD_PRELOAD=$work/yield.so
}

# The lines of standard input in an order that has nothing to do with their names, but is always the same: a run that stops early
# has tried a bit of everything.
scatter() {
    local line
    while IFS= read -r line; do
        printf '%s\t%s\n' "$(cksum <<<"$line" | cut -d' ' -f1)" "$line"
    done | sort -n | cut -f2-
}
