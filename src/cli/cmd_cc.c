/* regatta cc, c++, fc: the compiler wrapper of the MPI, with what good reports need. */
#include "cli.h"
#include "mpis.h"
#include "words.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static enum language language_of(const char *command)
{
    if (!strcmp(command, "c++"))
        return LANGUAGE_CXX;
    return !strcmp(command, "fc") ? LANGUAGE_FORTRAN : LANGUAGE_C;
}

static int show_help(const char *command)
{
    printf(
        "usage: regatta %s [--mpi mpich|openmpi] ARGS...\n\n"
        "Compiles like the MPI's own compiler wrapper; all arguments go to it. Adds -g (unless a\n"
        "-g option is given) and -fno-omit-frame-pointer, so that findings name source lines and\n"
        "call stacks are whole. It is also installed as regatta-%s, for\n\n"
        "    make CC=\"regatta cc\"        cmake -DCMAKE_C_COMPILER=regatta-cc\n\n"
        "Which MPI: --mpi as the first argument, else REGATTA_MPI, else what mpicc is.\n\n"
        "It does not yet compile checks of the program's own loads and stores in: races are found\n"
        "between MPI calls only.\n",
        command, command);
    return 0;
}

static bool asks_for_debug_info(char **argv)
{
    for (; *argv; argv++)
        if (!strncmp(*argv, "-g", 2))
            return true;
    return false;
}

int cmd_cc(int argc, char **argv)
{
    const char *command = argv[0];
    const char *asked = NULL;
    char **rest = argv + 1;
    if (argc == 2 && !strcmp(argv[1], "--help"))
        return show_help(command);
    if (argc >= 3 && !strcmp(argv[1], "--mpi")) {
        asked = argv[2];
        rest = argv + 3;
    } else if (argc >= 2 && !strncmp(argv[1], "--mpi=", 6)) {
        asked = argv[1] + 6;
        rest = argv + 2;
    }
    const char *how;
    const struct mpi *mpi = mpi_default(asked, &how);
    struct words line = {0};
    char *compiler = mpi_compiler(mpi, language_of(command));
    if (!compiler)
        fail(EXIT_INTERNAL, "%s: %s's compiler wrapper was not found (Debian: %s)", command,
             mpi->title, mpi->package);
    words_add(&line, compiler);
    /* In front, so that the user's own options have the last word. */
    if (*rest) {
        if (!asks_for_debug_info(rest))
            words_add_copy(&line, "-g");
        words_add_copy(&line, "-fno-omit-frame-pointer");
    }
    for (; *rest; rest++)
        words_add_copy(&line, *rest);
    execv(compiler, line.list);
    fail(EXIT_INTERNAL, "cannot start %s: %s", compiler, strerror(errno));
}
