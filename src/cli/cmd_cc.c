/* regatta cc, c++, fc: the compiler wrapper of the MPI, with what good reports need. */
#include "cli.h"
#include "compilation.h"
#include "mpis.h"

#include <errno.h>
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
        "Compiles like the MPI's own compiler wrapper; all arguments go to it. Adds checks of the\n"
        "program's loads and stores, -g (unless a -g option is given) and "
        "-fno-omit-frame-pointer,\n"
        "so that regatta run finds races between them and MPI and names source lines. It is also\n"
        "installed as regatta-%s, for\n\n"
        "    make CC=\"regatta cc\"        cmake -DCMAKE_C_COMPILER=regatta-cc\n\n"
        "Which MPI: --mpi as the first argument, else REGATTA_MPI, else what mpicc is. Which\n"
        "compiler: gcc or clang, as the wrapper is told (MPICH_CC, OMPI_CC and the like).\n\n"
        "Link with it too. A program built so runs without regatta run as well, with its checks\n"
        "asleep. Without checks, as before: -static, -m32 and other sanitizers.\n",
        command, command);
    return 0;
}

/* ---- a build that was configured for the other MPI ---- */

/* The MPI whose mpi.h stands in the directory, NULL if there is none or it is another. */
static const char *header_of(const char *directory)
{
    char *path = checked_printf("%s/mpi.h", directory);
    FILE *file = fopen(path, "r");
    const char *name = NULL;
    char line[256];
    free(path);
    while (file && !name && fgets(line, sizeof line, file))
        name = strstr(line, "MPICH_VERSION")        ? "mpich"
               : strstr(line, "OMPI_MAJOR_VERSION") ? "openmpi"
                                                    : NULL;
    if (file)
        fclose(file);
    return name;
}

static bool ends_in(const char *word, const char *ending)
{
    size_t length = strlen(word), tail = strlen(ending);
    return length >= tail && !strcmp(word + length - tail, ending);
}

static bool takes_next(const char *word)
{
    return !strcmp(word, "-I") || !strcmp(word, "-isystem");
}

/* Which MPI a word of the line belongs to: CMake's FindMPI and configure scripts put the
 * directories and libraries of the one that they found there. */
static const char *mpi_of_word(const char *word, const char *next)
{
    if (takes_next(word))
        return next ? header_of(next) : NULL;
    if (!strncmp(word, "-I", 2))
        return header_of(word + 2);
    if (!strcmp(word, "-lmpich") || ends_in(word, "/libmpich.so") || ends_in(word, "/libmpich.a"))
        return "mpich";
    return ends_in(word, "/openmpi/lib/libmpi.so") ? "openmpi" : NULL;
}

static void note_other_mpi(const struct mpi *mpi, const char *command, char *const *words)
{
    for (; *words; words++) {
        const char *name = mpi_of_word(words[0], words[1]);
        const struct mpi *other = name ? mpi_named(name) : NULL;
        if (!other || other == mpi)
            continue;
        fprintf(stderr,
                "regatta %s: note: %s is of %s, but this compiles for %s: configure and build "
                "differ in MPI. Use regatta-%s.%s (or REGATTA_MPI=%s) for both, or configure "
                "anew.\n",
                command,
                takes_next(words[0])          ? words[1]
                : !strncmp(words[0], "-I", 2) ? words[0] + 2
                                              : words[0],
                other->title, mpi->title, command, name, name);
        return;
    }
}

int cmd_cc(int argc, char **argv)
{
    const char *command = argv[0];
    const char *asked = NULL;
    char **rest = argv + 1;
    if (argc == 2 && !strcmp(argv[1], "--help"))
        return show_help(command);
    if (argc >= 2 && !strcmp(argv[1], "--mpi")) {
        asked = argc >= 3 ? argv[2] : "";
        rest = argc >= 3 ? argv + 3 : argv + 2;
    } else if (argc >= 2 && !strncmp(argv[1], "--mpi=", 6)) {
        asked = argv[1] + 6;
        rest = argv + 2;
    }
    if (asked && !*asked)
        fail(EXIT_USAGE, "%s: --mpi needs a value, mpich or openmpi", command);
    const char *how;
    const struct mpi *mpi = mpi_default(asked, &how);
    note_other_mpi(mpi, command, rest);
    struct words line = compilation_line(mpi, language_of(command), rest);
    execv(line.list[0], line.list);
    fail(EXIT_INTERNAL, "cannot start %s: %s", line.list[0], strerror(errno));
}
