#!/usr/bin/env bash
# usage: patience.sh REGATTA MPI PROGRAM SCENARIO RANKS NODES
# Runs one scenario of patience.c with races between ranks looked for and the ranks spread over NODES nodes (0: as they are):
# it must end, find nothing, and have looked to the end (give-up: said that it has not).
set -eu
regatta=$1 mpi=$2 program=$3 scenario=$4 ranks=$5 nodes=$6
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
truncate -s 4096 "$work/flags"
export REGATTA_OPTIONS="races=1:nodes=$nodes"
"$regatta" run --mpi "$mpi" --json "$work/findings.json" -n "$ranks" "$program" "$scenario" "$work/flags" >"$work/out" 2>"$work/err" || {
    cat "$work/out" "$work/err"
    exit 1
}
grep -qx "done" "$work/out" || { cat "$work/out" "$work/err" && exit 1; }
[ "$(jq '.findings | length' "$work/findings.json")" = 0 ] || { jq .findings "$work/findings.json" && exit 1; }
gave_up=no
grep -q 'not looked at: .*races between ranks from some moment on' "$work/err" && gave_up=yes
expected=no
[ "$scenario" != give-up ] || expected=yes
[ $gave_up = $expected ] || { echo "given up: $gave_up" && cat "$work/err" && exit 1; }
