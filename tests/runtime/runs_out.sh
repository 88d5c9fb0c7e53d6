#!/usr/bin/env bash
# usage: runs_out.sh REGATTA MPI PROGRAM
# When there are no numbers left for moments, or for combinations of locks, the search ends with a word: what was found before is reported,
# nothing is invented afterwards.
set -eu
regatta=$1 mpi=$2 program=$3
source=$(dirname "$0")/runs_out.c arguments=()
line() { grep -n "/\* $1 \*/" "$source" | cut -d: -f1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# usage: run OPTIONS   leaves the exit code, the lines that race, and why the search ended
run() {
    code=0
    REGATTA_OPTIONS=races=1:$1 "$regatta" run --mpi "$mpi" --strict --json "$work/findings.json" -n 2 "$program" "${arguments[@]}" >/dev/null 2>"$work/err" || code=$?
    lines=$(jq -r '.findings[] | select(.severity == "error") | .first.line' "$work/findings.json" | sort -nu | tr '\n' ' ')
    limits=$(jq -r '.limits[] | select(.kind == "races") | .why' "$work/findings.json")
}
fail() { echo "$1: exit code $code, lines $lines, limits $limits" && cat "$work/err" && exit 1; }
run generations_left=0
[ "$code" = 66 ] && [ "$lines" = "$(line early) $(line late) " ] && [ -z "$limits" ] || fail "with all numbers"
run generations_left=20
[ "$code" = 66 ] && [ "$lines" = "$(line early) " ] && [[ $limits == *'more moments'* ]] || fail "with few numbers"
grep -q '^regatta: .* not looked at: .*races between ranks from some moment on (more moments' "$work/err" || fail "not in the last line"
run generations_left=1
[ "$code" = 3 ] && [ -z "$lines" ] && [[ $limits == *'more moments'* ]] || fail "with one number"

# Combinations of locks: 2^4 are told apart, 2^17 are not. Whatever is stored under the last of them races with nothing.
source=$(dirname "$0")/runs_out_locks.c program=$work/locks
"$regatta" cc --mpi "$mpi" -g -O1 "$source" -o "$program"
arguments=(4) && run generations_left=0
[ "$code" = 66 ] && [ "$lines" = "$(line early) $(line late) " ] && [ -z "$limits" ] || fail "with few locks"
arguments=(17) && run generations_left=0
[ "$code" = 66 ] && [ "$lines" = "$(line early) " ] && [[ $limits == *'combinations of locks'* ]] || fail "with many locks"
