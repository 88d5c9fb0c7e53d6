/* Where the CPU time of an analysis goes, for `--verbose` and the benchmark; and which stage is
 * under way, for the progress line. */
#ifndef REGATTA_ANALYZE_STAGES_H
#define REGATTA_ANALYZE_STAGES_H

#define STAGES(X)                                                                                  \
    X(read, "reading")                                                                             \
    X(link, "linking")                                                                             \
    X(calls, "calls of MPI")                                                                       \
    X(resolve, "calls through pointers")                                                           \
    X(inlining, "inlining")                                                                        \
    X(normalise, "normalising")                                                                    \
    X(points, "pointer analysis")                                                                  \
    X(events, "events")                                                                            \
    X(races, "races")

enum stage {
#define X(name, text) STAGE_##name,
    STAGES(X)
#undef X
        STAGE_COUNT
};

struct stages {
    double seconds[STAGE_COUNT]; /* of CPU time */
    double since;
    enum stage now;
};

const char *stage_text(enum stage stage);

/* From here on the time is that of `stage`; ends the one before it. */
void stage_enter(struct stages *stages, enum stage stage);
/* Accounts for the last stage. */
void stages_end(struct stages *stages);

#endif
