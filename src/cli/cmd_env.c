/* regatta env: the variables that batch scripts set instead of using regatta run. */
#include "cli.h"
#include "mpis.h"
#include "options.h"
#include "paths.h"
#include "runtime_options.h"
#include "findings/checked.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Single quotes, so that the shell takes the text as it is. */
static void print_quoted(const char *text)
{
    putchar('\'');
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*text);
    }
    putchar('\'');
}

int cmd_env(int argc, char **argv)
{
    static const char *asked;
    static const char *records = "regatta-records";
    static bool options_wanted;
    static const struct option own[] = {
        {"--mpi", "NAME", OPTION_CHOICE, &asked,
         "mpich or openmpi (else REGATTA_MPI, else as mpicc)", 0, 0, "mpich|openmpi"},
        {"--records", "DIR", OPTION_TEXT, &records,
         "where the processes write, seen by all nodes (regatta-records)", 0, 0, NULL},
        {"--options", NULL, OPTION_FLAG, &options_wanted, "list what REGATTA_OPTIONS can hold", 0,
         0, NULL},
        {0},
    };
    static const struct command command = {
        .name = "env",
        .usage = "[--mpi NAME] [--records DIR]",
        .about = "Prints the variables that put a program under the detector, for batch scripts:",
        .tables = {own, NULL},
        .more = "    eval \"$(regatta env --mpi openmpi --records $PWD/records)\"\n"
                "    srun ./halo\n"
                "    unset LD_PRELOAD\n"
                "    regatta report records",
    };
    int next = options_parse(&command, argc, argv);
    if (options_wanted) {
        runtime_options_show();
        return 0;
    }
    if (next < argc)
        fail(EXIT_USAGE, "env: unexpected argument '%s'; see regatta env --help", argv[next]);
    runtime_options_check();
    const char *how;
    const struct mpi *mpi = mpi_default(asked, &how);
    char *runtime = mpi_runtime_or_fail(mpi);
    char *directory = paths_absolute(records);
    if (mkdir(directory, 0777) != 0 && errno != EEXIST)
        fail(EXIT_USAGE, "cannot make %s: %s", directory, strerror(errno));
    if (access(directory, W_OK | X_OK) != 0)
        fail(EXIT_USAGE, "cannot write into %s: %s", directory, strerror(errno));
    fputs("export LD_PRELOAD=\"${LD_PRELOAD:+$LD_PRELOAD:}\"", stdout);
    print_quoted(runtime);
    fputs("\nexport REGATTA_RECORDS=", stdout);
    print_quoted(directory);
    putchar('\n');
    free(runtime);
    free(directory);
    return fflush(stdout) == 0 ? 0 : EXIT_INTERNAL;
}
