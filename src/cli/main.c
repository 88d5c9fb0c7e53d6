/* regatta: finds data races and synchronisation errors in MPI programs. */
#include "binutils.h"
#include "cli.h"
#include "mpis.h"
#include "findings/checked.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct command_entry {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *usage;
    const char *about;
} commands[] = {
    {"try", cmd_try, "try FILE [-n N]", "check one source file, compile it, run it, report"},
    {"cc", cmd_cc, "cc ARGS...", "compile like mpicc, ready for good reports"},
    {"c++", cmd_cc, "c++ ARGS...", "the same for C++"},
    {"fc", cmd_cc, "fc ARGS...", "the same for Fortran"},
    {"run", cmd_run, "run [OPTIONS] -n N PROG [ARGS...]", "run a program under the detector"},
    {"check", cmd_check, "check FILES... | -p DIR | -- make", "look for races without running"},
    {"stress", cmd_stress, "stress [OPTIONS] -n N PROG [ARGS...]",
     "run it under pessimistic schedules"},
    {"exec", cmd_exec, "exec PROG [ARGS...]", "behind a launcher: srun -n 64 regatta exec ./prog"},
    {"report", cmd_report, "report [FINDINGS.json|DIR...]", "show findings again, convert, merge"},
    {"explain", cmd_explain, "explain RULE", "what a rule means, with example and fix"},
    {"env", cmd_env, "env [--mpi M] [--records DIR]", "variables to set in batch scripts"},
    {"doctor", cmd_doctor, "doctor", "what is installed, what works, what is missing"},
};

enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static void vsay(const char *format, va_list arguments)
{
    fflush(stdout);
    fputs("regatta: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

void say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsay(format, arguments);
    va_end(arguments);
}

void fail(int code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsay(format, arguments);
    va_end(arguments);
    exit(code);
}

static const struct command_entry *find_command(const char *name)
{
    for (int i = 0; i < COMMAND_COUNT; i++)
        if (!strcmp(commands[i].name, name))
            return &commands[i];
    return NULL;
}

static int show_help(void)
{
    puts("regatta " REGATTA_VERSION
         ": finds data races and synchronisation errors in MPI programs\n");
    for (int i = 0; i < COMMAND_COUNT; i++)
        printf("  regatta %-36s %s\n", commands[i].usage, commands[i].about);
    puts("\n  regatta CMD --help                           options of a command\n"
         "\nExit codes: 0 nothing found; 66 errors found; the program's own code if it failed and\n"
         "nothing was found; 2 wrong usage; 70 Regatta itself failed.");
    return 0;
}

/* regatta-cc.mpich is regatta-cc for that MPI, whatever the environment says. */
static const char *without_mpi(const char *name)
{
    const char *dot = strrchr(name, '.');
    if (!dot || !mpi_named(dot + 1))
        return name;
    setenv("REGATTA_MPI", dot + 1, 1);
    return checked_printf("%.*s", (int)(dot - name), name);
}

int main(int argc, char **argv)
{
    /* Under the names regatta-cc, regatta-c++ and regatta-fc it is a compiler, and there are tools
     * beside it. */
    const char *slash = strrchr(argv[0], '/');
    const char *own_name = slash ? slash + 1 : argv[0];
    if (!strncmp(own_name, "regatta-", 8)) {
        if (!strcmp(own_name, "regatta-mpiexec"))
            return cmd_mpiexec(argc, argv);
        own_name = without_mpi(own_name);
        const struct command_entry *command = find_command(own_name + 8);
        if (command && command->run == cmd_cc) {
            argv[0] = (char *)command->name;
            return command->run(argc, argv);
        }
        if (binutils_has(own_name + 8)) {
            argv[0] = (char *)own_name + 8;
            binutils_become(argv);
        }
    }
    if (argc < 2)
        fail(EXIT_USAGE, "which command? See regatta --help");
    if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help"))
        return show_help();
    if (!strcmp(argv[1], "--version")) {
        puts("regatta " REGATTA_VERSION);
        return 0;
    }
    const struct command_entry *command = find_command(argv[1]);
    if (!command)
        fail(EXIT_USAGE, "unknown %s '%s'; see regatta --help",
             argv[1][0] == '-' ? "option" : "command", argv[1]);
    return command->run(argc - 1, argv + 1);
}
