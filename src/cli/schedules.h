/* Schedules: what the layer of `regatta stress` is told to do, and the table of strategies. */
#ifndef REGATTA_CLI_SCHEDULES_H
#define REGATTA_CLI_SCHEDULES_H

#include <stdbool.h>
#include <stdint.h>

enum setting {
#define SETTING(name, value, most) SETTING_##name,
#include "stress/settings.def"
#undef SETTING
    SETTING_COUNT
};

struct schedule {
    const char *strategy; /* name in the table, "random", or NULL: made of options */
    long values[SETTING_COUNT];
};

/* The program as it is, but for fingerprints. */
struct schedule schedule_baseline(void);
/* The i-th of a campaign that begins with this seed: the table first, then random ones. */
struct schedule schedule_number(int i, int seed);
/* A row of the table; false if there is none of that name. */
bool schedule_named(const char *name, struct schedule *schedule);
/* What options begin with: deferred, past local completion, in random order. */
struct schedule schedule_of_options(void);
/* How many rows the table has, and their names separated by `separator`, to be freed. */
int schedule_strategies(void);
char *schedule_names(const char *separator);

/* "defer=1:order=2:…" for REGATTA_STRESS, to be freed. */
char *schedule_setting(const struct schedule *schedule);
/* The options that give this very schedule, to be freed. */
char *schedule_options(const struct schedule *schedule);
/* The number of a word in "a|b|c". */
long schedule_word(const char *words, const char *word);

#endif
