/* regatta stress: a program under pessimistic schedules. */
#include "campaign.h"
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SETTING(name, value, most)
#include "stress/settings.def"
#undef SETTING

enum { RUNS_DEFAULT = 20 };

/* Options of a single schedule, as given; -1 and NULL: not given. */
struct asked {
    const char *strategy, *split, *order, *stagger, *threads;
    bool defer, no_defer, local, no_local, add_flush, poison, synchronous, wildcards, late_tests;
    int latency;
};

static void unite(long *value, bool on, bool off, const char *name)
{
    if (on && off)
        fail(EXIT_USAGE, "stress: --%s and --no-%s contradict each other", name, name);
    if (on || off)
        *value = on;
}

/* The names that Nasty-MPI used; options on the command line come later and win. */
static bool read_nasty_environment(struct schedule *schedule)
{
    static const struct {
        const char *name;
        enum setting setting;
        bool inverted;
    } switches[] = {
        {"NASTY_SKIP_COMPLETION_STAGE", SETTING_defer, true},
        {"NASTY_LOCAL_COMPLETION_ENABLED", SETTING_local_completion, false},
        {"NASTY_ADD_FLUSH_ENABLED", SETTING_add_flush, false},
    };
    bool any = false;
    for (size_t i = 0; i < sizeof switches / sizeof switches[0]; i++) {
        const char *value = getenv(switches[i].name);
        if (!value)
            continue;
        if (strcmp(value, "0") && strcmp(value, "1"))
            fail(EXIT_USAGE, "%s is 0 or 1, not '%s'", switches[i].name, value);
        schedule->values[switches[i].setting] = (*value == '1') != switches[i].inverted;
        any = true;
    }
    const char *atomicity = getenv("NASTY_SKIP_ATOMICITY_STAGE"),
               *order = getenv("NASTY_SUBMIT_ORDER");
    const char *latency = getenv("NASTY_ADD_LATENCY");
    if (atomicity)
        schedule->values[SETTING_split] = strcmp(atomicity, "1") ? 1 : 0;
    if (latency)
        schedule->values[SETTING_latency] = strtol(latency, NULL, 10);
    if (order) {
        long number = schedule_word("-|random|reverse_po|put_before_get|get_before_put", order);
        if (number < 1)
            fail(EXIT_USAGE,
                 "NASTY_SUBMIT_ORDER is random, reverse_po, put_before_get or get_before_put, not "
                 "'%s'",
                 order);
        schedule->values[SETTING_order] = number;
    }
    return any || atomicity || order || latency;
}

/* True if one schedule was asked for instead of the table. */
static bool make_schedule(const struct asked *asked, struct schedule *schedule)
{
    *schedule = schedule_of_options();
    bool any = read_nasty_environment(schedule);
    any |= asked->split || asked->order || asked->stagger || asked->threads || asked->defer ||
           asked->no_defer || asked->local || asked->no_local || asked->add_flush ||
           asked->poison || asked->synchronous || asked->wildcards || asked->late_tests ||
           asked->latency >= 0;
    if (asked->strategy) {
        if (any)
            fail(EXIT_USAGE, "stress: --strategy and options of a schedule exclude each other");
        if (!schedule_named(asked->strategy, schedule)) {
            char *names = schedule_names(", ");
            fail(EXIT_USAGE, "stress: --strategy is one of %s, not '%s'", names, asked->strategy);
        }
        return true;
    }
    long *values = schedule->values;
    unite(&values[SETTING_defer], asked->defer, asked->no_defer, "defer");
    unite(&values[SETTING_local_completion], asked->local, asked->no_local, "local-completion");
    if (asked->split)
        values[SETTING_split] = schedule_word(SPLIT_WORDS, asked->split);
    if (asked->order)
        values[SETTING_order] = schedule_word(ORDER_WORDS, asked->order);
    if (asked->stagger)
        values[SETTING_stagger] = schedule_word(STAGGER_WORDS, asked->stagger);
    if (asked->threads)
        values[SETTING_threads] = schedule_word(THREADS_WORDS, asked->threads);
    if (asked->latency >= 0)
        values[SETTING_latency] = asked->latency;
    values[SETTING_add_flush] |= asked->add_flush;
    values[SETTING_poison] |= asked->poison;
    values[SETTING_synchronous] |= asked->synchronous;
    values[SETTING_wildcards] |= asked->wildcards;
    values[SETTING_late_tests] |= asked->late_tests;
    return any;
}

int cmd_stress(int argc, char **argv)
{
    static struct campaign campaign = {
        .reporting = REPORTING_DEFAULTS, .runs = RUNS_DEFAULT, .seed = 1, .plain_runs = 2};
    static struct asked asked = {.latency = -1};
    static const char *ignored_window, *ignored_output;
    static const struct option own[] = {
        {"-n", "N", OPTION_NUMBER, &campaign.launcher.ranks, "number of processes", 1, 1000000,
         NULL},
        {"-np", "N", OPTION_NUMBER, &campaign.launcher.ranks, NULL, 1, 1000000, NULL},
        {"--runs", "N", OPTION_NUMBER, &campaign.runs, "schedules to try (20)", 1, 1000000, NULL},
        {"--seed", "N", OPTION_NUMBER, &campaign.seed, "seed of the first one (1)", 0, 2000000000,
         NULL},
        {"--first", NULL, OPTION_FLAG, &campaign.first, "stop at the first that shows an error", 0,
         0, NULL},
        {"--plain-runs", "N", OPTION_NUMBER, &campaign.plain_runs,
         "runs without stress to compare with (2; 6 if they differ)", 1, 6, NULL},
        {"--timeout", "SECONDS", OPTION_NUMBER, &campaign.timeout,
         "a run that takes longer hangs (20 + 10 plain runs)", 1, 1000000, NULL},
        {"--jobs", "N", OPTION_NUMBER, &campaign.jobs, "runs at a time (2 if cores allow)", 1, 16,
         NULL},
        {"--ignore-window", "NAME", OPTION_TEXT, &ignored_window,
         "do not compare this window's contents", 0, 0, NULL},
        {"--ignore-output", "REGEX", OPTION_TEXT, &ignored_output,
         "do not compare lines of output that match", 0, 0, NULL},
        {"--minimise", NULL, OPTION_FLAG, &campaign.minimise,
         "name the fewest places that must be perturbed to fail", 0, 0, NULL},
        {"--confirm", "FILE", OPTION_TEXT, &campaign.confirm,
         "try the pairs of a findings JSON instead of the table", 0, 0, NULL},
        {"--table", "FILE", OPTION_TEXT, &campaign.table,
         "write one line per schedule: what came of it", 0, 0, NULL},
        {"--mpi", "NAME", OPTION_CHOICE, &campaign.launcher.asked_mpi, "mpich or openmpi", 0, 0,
         "mpich|openmpi"},
        {"--launcher", "'CMD...'", OPTION_TEXT, &campaign.launcher.command,
         "start processes by this", 0, 0, NULL},
        {"--strategy", "NAME", OPTION_TEXT, &asked.strategy, "one row of the table of strategies",
         0, 0, NULL},
        {"--defer", NULL, OPTION_FLAG, &asked.defer,
         "or one schedule by options: operations wait for their", 0, 0, NULL},
        {"--no-defer", NULL, OPTION_FLAG, &asked.no_defer, "completion, or go at once;", 0, 0,
         NULL},
        {"--local-completion", NULL, OPTION_FLAG, &asked.local, "also past local completion,", 0, 0,
         NULL},
        {"--no-local-completion", NULL, OPTION_FLAG, &asked.no_local, "or not;", 0, 0, NULL},
        {"--split", "HOW", OPTION_CHOICE, &asked.split, SPLIT_WORDS, 0, 0, SPLIT_WORDS},
        {"--order", "HOW", OPTION_CHOICE, &asked.order, ORDER_WORDS, 0, 0, ORDER_WORDS},
        {"--stagger", "HOW", OPTION_CHOICE, &asked.stagger,
         STAGGER_WORDS " ranks one after the other", 0, 0, STAGGER_WORDS},
        {"--threads", "HOW", OPTION_CHOICE, &asked.threads,
         THREADS_WORDS " threads of a process late", 0, 0, THREADS_WORDS},
        {"--add-flush", NULL, OPTION_FLAG, &asked.add_flush, "a flush after each operation", 0, 0,
         NULL},
        {"--latency", "MICROSECONDS", OPTION_NUMBER, &asked.latency,
         "up to so long before each operation", 0, 1000000, NULL},
        {"--poison", NULL, OPTION_FLAG, &asked.poison, "spoil buffers that MPI will write", 0, 0,
         NULL},
        {"--synchronous-sends", NULL, OPTION_FLAG, &asked.synchronous,
         "no buffering of standard sends", 0, 0, NULL},
        {"--wildcards", NULL, OPTION_FLAG, &asked.wildcards, "other choices for MPI_ANY_SOURCE", 0,
         0, NULL},
        {"--late-tests", NULL, OPTION_FLAG, &asked.late_tests,
         "MPI_Test and MPI_Iprobe succeed late", 0, 0, NULL},
        {0},
    };
    static const struct option common[] = {REPORTING_OPTIONS(campaign.reporting), {0}};
    static const struct command command = {
        .name = "stress",
        .usage = "[OPTIONS] -n N PROG [ARGS...]",
        .about =
            "Runs an MPI program as it is, then under schedules that MPI permits but that seldom "
            "happen,\n"
            "and reports where the outcome differs: exit code, hang, output, contents of memory.",
        .tables = {own, common},
        .more = "Strategies: late, reverse, eager, ascending, descending, get-first, put-first, "
                "synchronous, elements, slow,\n"
                "bytes; then random.\n"
                "Exit code: 66 if the outcome depends on the schedule, else the program's own.",
    };
    (void)ignored_window;
    (void)ignored_output;
    int next = options_parse(&command, argc, argv);
    if (next >= argc)
        fail(EXIT_USAGE, "stress: which program? See regatta stress --help");
    if (!campaign.launcher.ranks && !campaign.launcher.command)
        fail(EXIT_USAGE, "stress: how many processes? Say -n N before the program");
    /* These two may be given several times, which the option table does not know. */
    for (int i = 1; i + 1 < next; i++) {
        if (!strcmp(argv[i], "--ignore-window"))
            words_add_copy(&campaign.ignored_windows, argv[i + 1]);
        else if (!strcmp(argv[i], "--ignore-output"))
            words_add_copy(&campaign.ignored_output, argv[i + 1]);
    }
    campaign.launcher.verbose = campaign.reporting.verbose;
    campaign.has_schedule = make_schedule(&asked, &campaign.schedule);
    campaign.argv = argv + next;
    return campaign_run(&campaign);
}
