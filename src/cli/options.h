/* Option tables: every command has one, from which arguments are parsed and --help is made. */
#ifndef REGATTA_CLI_OPTIONS_H
#define REGATTA_CLI_OPTIONS_H

#include <stddef.h>

enum option_kind {
    OPTION_FLAG,   /* target: bool, becomes true */
    OPTION_TEXT,   /* target: const char * */
    OPTION_LIST,   /* target: const char *; given again, the values stand behind each other with a
                      comma between them */
    OPTION_NUMBER, /* target: int, from `least` to `most` */
    OPTION_PAIR,   /* target: const char *[2], two arguments */
    OPTION_CHOICE, /* target: const char *, one of the words in `choices` */
};

struct option {
    const char *name;  /* "--json", "-n" */
    const char *value; /* how help names the value, NULL for flags */
    enum option_kind kind;
    void *target;
    const char *help; /* NULL: another spelling, not shown */
    int least, most;
    const char *choices; /* "auto|always|never" */
};

struct command {
    const char *name;  /* "run" */
    const char *usage; /* "[OPTIONS] -n N PROG [ARGS...]" */
    const char *about; /* one or two sentences */
    const struct option
        *tables[2];   /* each ends with a row without a name; the second may be NULL */
    const char *more; /* printed at the end of --help, or NULL */
};

/* Takes options from the front of argv[1…] up to the first operand or "--" and returns the index
 * of what comes next. --help is answered and ends the program, as is --list-options
 * (scripts/make-pages); mistakes end it with 2. */
int options_parse(const struct command *command, int argc, char **argv);

/* For commands whose operands are files: puts the options that stand behind or between them in
 * front of them, as far as the first "--". */
void options_gather(const struct command *command, int argc, char **argv);

#endif
