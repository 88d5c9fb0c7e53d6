#!/usr/bin/env bash
# usage: unchecked_rank.sh REGATTA MPI PROGRAM
# One rank cannot write its records (a full disk, a directory that its node does not have): the program runs as ever, and what
# is not checked is said.
set -eu
regatta=$1 mpi=$2 program=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
truncate -s 4096 "$work/flags"
export REGATTA_OPTIONS=races=1
"$regatta" run --mpi "$mpi" -n 1 env REGATTA_RECORDS=/nonexistent "$program" polling "$work/flags" : \
    -n 1 "$program" polling "$work/flags" >"$work/out" 2>"$work/err" || { cat "$work/out" "$work/err" && exit 1; }
for line in '^regatta: cannot write records to /nonexistent' 'not looked at: .*races between ranks (a rank cannot be checked, on 1 of 2 ranks)' \
    'rank 0 (left no records)'; do
    grep -q "$line" "$work/err" || { echo "not said: $line" && cat "$work/err" && exit 1; }
done
grep -qx "done" "$work/out" || { cat "$work/out" "$work/err" && exit 1; }
