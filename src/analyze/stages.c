#include "stages.h"

#include <time.h>

const char *stage_text(enum stage stage)
{
    static const char *const texts[] = {
#define X(name, text) text,
        STAGES(X)
#undef X
    };
    return texts[stage];
}

static double cpu_seconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

void stages_end(struct stages *stages)
{
    double now = cpu_seconds();
    if (stages->since > 0)
        stages->seconds[stages->now] += now - stages->since;
    stages->since = 0;
}

void stage_enter(struct stages *stages, enum stage stage)
{
    stages_end(stages);
    stages->since = cpu_seconds();
    stages->now = stage;
}
