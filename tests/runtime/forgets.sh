#!/usr/bin/env bash
# usage: forgets.sh REGATTA MPI PROGRAM
# At the cap of its memory Regatta forgets what was done long before and says so: the late race of forgets.c is found, the early
# one only with enough memory, and nothing else in either case.
set -eu
regatta=$1 mpi=$2 program=$3
source=$(dirname "$0")/forgets.c
line() { grep -n "/\* $1 \*/" "$source" | cut -d: -f1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# usage: run OPTIONS   leaves the lines of rank 2 that race
run() {
    rm -f "$work/done"
    REGATTA_OPTIONS=races=1:$1 "$regatta" run --mpi "$mpi" --exitcode 0 --json "$work/findings.json" -n 3 "$program" 60000 "$work/done" \
        >/dev/null 2>"$work/err" || { cat "$work/err" && exit 1; }
    lines=$(jq -r '.findings[] | [.first, .second][] | select(.rank == 2) | .stack[0].line' "$work/findings.json" | sort -n | tr '\n' ' ')
}
run memory_cap=0
[ "$lines" = "$(line first) $(line last) " ] || { echo "with all memory: $lines" && cat "$work/err" && exit 1; }
run memory_cap="${CAP:-6}"
grep -q 'not looked at: .*races with what was done long before (memory cap of' "$work/err" || { echo "not said" && cat "$work/err" && exit 1; }
grep -q 'from some moment on' "$work/err" && { echo "given up" && cat "$work/err" && exit 1; }
[ "$lines" = "$(line last) " ] || { echo "with little memory: $lines" && cat "$work/err" && exit 1; }
