#!/usr/bin/env bash
# usage: latent.sh [OPTIONS] [PATTERN]
# The programs in latent/: each has a bug that plain runs do not show. `regatta stress` must show it, without asserts in the
# program, and must leave the repaired twin alone. Prints a table program × strategy.
#   --build DIR   where regatta is (build)      --mpi mpich|openmpi   (mpich)
#   --runs N      schedules to try (20)         --plain N             plain runs that must pass, with asserts (3)
#   --first       stop at the first schedule that shows the bug: no table
#   --limit S     time limit per run (20)
# PATTERN: an extended regular expression on the name.
set -u
here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=tests/programs/program.bash
. "$here/../programs/program.bash"
build=$here/../../build mpi=mpich runs=20 plain=3 pattern=. first=() limit=20
while [ $# -gt 0 ]; do
    case $1 in
    --build) build=$2 && shift ;;
    --mpi) mpi=$2 && shift ;;
    --runs) runs=$2 && shift ;;
    --plain) plain=$2 && shift ;;
    --first) first=(--first) ;;
    --limit) limit=$2 && shift ;;
    -*) sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2 && exit 2 ;;
    *) pattern=$1 ;;
    esac
    shift
done
build=$(realpath "$build")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2

compile() { # NAME OUTPUT FLAGS…
    local name=$1 output=$2
    shift 2
    "mpicc.$mpi" -g -O1 "$@" "$here/latent/$name.c" -o "$output" 2>log || { cat log && exit 2; }
}

stress() { # PROGRAM RANKS OPTIONS…
    local program=$1 ranks=$2
    shift 2
    "$build/regatta" stress --mpi "$mpi" -n "$ranks" --runs "$runs" --timeout "$limit" --werror --table table "$@" \
        "./$program" >log 2>&1
}

strategies=(late reverse eager get-first put-first synchronous elements slow bytes random)
bad=0 programs=0
complain() {
    echo "$name: $*"
    bad=$((bad + 1))
}
if [ ${#first[@]} = 0 ]; then
    echo "| program |$(printf ' %s |' "${strategies[@]}")"
    echo "|---|$(printf '---|%.0s' "${strategies[@]}")"
fi
for file in "$here"/latent/*.c; do
    name=$(basename "$file" .c)
    grep -qE "$pattern" <<<"$name" || continue
    ranks=$(program_header "$file" ranks)
    compile "$name" checked -DASSERTS
    compile "$name" bug
    compile "$name" repaired -DREPAIRED -DASSERTS
    only=$(program_header "$file" latent) # the MPI that hides the bug; the other shows it at once
    [ -z "$only" ] || [ "$only" = "$mpi" ] || continue
    programs=$((programs + 1))
    for ((i = 0; i < plain; i++)); do
        # shellcheck disable=SC2016 # the inner shell expands it
        timeout 60 bash -c '. "$0"; program_launch "$@"' "$here/../programs/program.bash" "$mpi" "$ranks" ./checked >log 2>&1 ||
            { complain "fails in a plain run" && break; }
    done
    stress bug "$ranks" "${first[@]}"
    code=$?
    [ $code = 66 ] || { complain "stress does not show it: exit code $code" && tail -3 log; }
    if [ ${#first[@]} = 0 ]; then
        row="| $name |"
        for strategy in "${strategies[@]}"; do
            row+=" $(awk -F'\t' -v s="$strategy" '$2 == s && $3 != "same" { found = found ? found : $3 } END { print found }' table) |"
        done
        echo "$row"
    fi
    stress repaired "$ranks"
    code=$?
    if [ $code != 0 ] || [ "$(grep -c . table)" != "$runs" ]; then
        complain "the repaired program: exit code $code" && head -8 log
    fi
done
echo "$mpi: $programs programs, $bad failures"
[ $bad = 0 ] && [ $programs -gt 0 ]
