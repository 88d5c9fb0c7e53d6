# shellcheck shell=bash
# What the scripts here know about a labelled program: its header lines and its labels.
# A header line is a comment `key: value` of the file's language; a label is a comment of one
# capital letter that ends the line it names. README.md describes the format for people.

# Other collections of such programs (tests/threads) name their folder.
programs_dir=${PROGRAMS_DIR:-$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)}

# All programs, relative to this folder, that match the pattern (an extended regular expression).
programs_list() {
    (cd "$programs_dir" && find . -mindepth 2 -type f \
        \( -name '*.c' -o -name '*.cpp' -o -name '*.f90' -o -name '*.f' \) -printf '%P\n') | sort | grep -E "${1:-.}"
}

# program_header FILE KEY: the values of all header lines of that key, one per line.
program_header() {
    sed -nE "1,12{s@^(/\*|//|!) $2: (.*[^ ])( \*/)?\$@\2@p}" "$1" | sed -E 's@ *\*/$@@'
}

# program_label_line FILE LABEL: the number of the one line that ends in that label.
program_label_line() {
    grep -nE "(/\* $2 \*/|// $2|! $2)\$" "$1" | cut -d: -f1
}

# program_findings FILE KEY: the findings that header lines of that key name, as `rule line line`, the smaller line
# first. A finding of one place has - for the other.
program_findings() {
    local rule label lines
    program_header "$1" "$2" | while read -r rule first second; do
        [ "$rule" = none ] && continue
        lines=$(for label in "$first" "$second"; do
            if [ "$label" = - ]; then echo -; else program_label_line "$1" "$label"; fi
        done | sort -n | paste -sd' ')
        printf '%s %s\n' "$rule" "$lines"
    done | sort -u
}

# program_expected FILE, program_warned FILE: errors, and warnings of the rules in program_warnings.
program_expected() {
    program_findings "$1" expect
}
program_warned() {
    program_findings "$1" warns
}
# Warnings of other rules are not compared.
# shellcheck disable=SC2034
program_warnings='["shared-window", "thread-level", "thread-request", "thread-probe", "thread-collective", "thread-finalize"]'
# Notes are compared where the file says something of them.
program_noted() {
    program_findings "$1" notes
}

# program_runs_on FILE MPI COMPILER: false if the program needs routines or constructs that they lack.
program_runs_on() {
    local mpi compiler
    mpi=$(program_header "$1" mpi) compiler=$(program_header "$1" compiler)
    { [ -z "$mpi" ] || [ "$mpi" = "$2" ]; } && { [ -z "$compiler" ] || [ "$compiler" = "${3:-$compiler}" ]; }
}

# program_compiler FILE MPI: the plain compiler wrapper for the file's language.
program_compiler() {
    case $1 in
    *.c) echo "mpicc.$2" ;;
    *.cpp) echo "mpicxx.$2" ;;
    *) echo "mpifort.$2" ;;
    esac
}

# program_launch MPI RANKS COMMAND…: start it plainly, also as root and on few cores.
program_launch() {
    local mpi=$1 ranks=$2
    shift 2
    case $mpi in
    openmpi)
        OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 \
            mpiexec.openmpi --oversubscribe -n "$ranks" "$@" ;;
    *) "mpiexec.$mpi" -n "$ranks" "$@" ;;
    esac
}

# program_warnings FILE: the strictest warnings that the MPIs' own headers allow, as words.
# MPICH declares MPI_STATUSES_IGNORE in a way that GCC takes for an overflow; Open MPI's old C++
# bindings cast functions; mpif.h is full of unused parameters.
program_warnings() {
    case $1 in
    *.c) echo -Wall -Wextra -Werror -Wno-stringop-overflow ;;
    *.cpp) echo -Wall -Wextra -Werror -Wno-stringop-overflow -DOMPI_SKIP_MPICXX -DMPICH_SKIP_MPICXX ;;
    *) echo -Wall -Wextra -Werror -Wno-unused-parameter ;;
    esac
}
