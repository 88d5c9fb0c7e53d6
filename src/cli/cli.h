/* What all commands share: how they end, and the list of them. */
#ifndef REGATTA_CLI_CLI_H
#define REGATTA_CLI_CLI_H

enum {
    EXIT_USAGE = 2,       /* wrong usage, bad input: nothing was run */
    EXIT_LIMITS = 3,      /* --strict: something was not looked at */
    EXIT_FINDINGS = 66,   /* errors were found */
    EXIT_INTERNAL = 70,   /* Regatta itself failed */
    EXIT_TIMED_OUT = 124, /* --timeout, as timeout(1) has it */
};

/* One line "regatta: …" on standard error, then the end with that code. */
_Noreturn void fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same line without the end. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Each takes its arguments with the command's name as argv[0] and returns the exit code. */
int cmd_run(int argc, char **argv);
int cmd_exec(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_stress(int argc, char **argv);
int cmd_try(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_env(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_mpiexec(int argc, char **argv); /* regatta-mpiexec */
int cmd_cc(int argc, char **argv);      /* argv[0] is cc, c++ or fc */

#endif
