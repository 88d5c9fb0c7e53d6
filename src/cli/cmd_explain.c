/* regatta explain: what a rule means. */
#include "cli.h"
#include "options.h"
#include "reporting.h"
#include "findings/rules.h"

#include <stdlib.h>
#include <unistd.h>

int cmd_explain(int argc, char **argv)
{
    static const struct option none[] = {{0}};
    static const struct command command = {
        .name = "explain",
        .usage = "[RULE...]",
        .about = "Says what a rule means, with an example, a picture and how to mend it; without\n"
                 "RULE, which rules there are.",
        .tables = {none},
    };
    int next = options_parse(&command, argc, argv);
    struct text_style style = {.color = isatty(STDOUT_FILENO) && !getenv("NO_COLOR")};
    for (int i = next; i < argc; i++)
        if (!rule_find(argv[i]))
            fail(EXIT_USAGE, "there is no rule '%s'; regatta explain lists them", argv[i]);
    if (next == argc)
        for (size_t i = 0; i < rule_count; i++)
            printf("%-18s %s\n", rules[i].id, rules[i].title);
    for (int i = next; i < argc; i++) {
        if (i > next)
            putchar('\n');
        text_rule(stdout, rule_find(argv[i]), &style);
    }
    return fflush(stdout) == 0 ? 0 : EXIT_INTERNAL;
}
