/* Replay: the program's bitcode is executed with a few virtual processes in this one, all values
 * that matter known, and the race engine decides what races. Whatever is found is a race of a legal
 * execution. */
#ifndef REGATTA_REPLAY_REPLAY_H
#define REGATTA_REPLAY_REPLAY_H

#include "mpi/routine.h"

#include <llvm-c/Core.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One of the two accesses: where, innermost call first, by whom and what. */
struct replay_side {
    const LLVMValueRef *places;
    size_t depth;
    int rank;
    const struct routine *routine; /* NULL: a load or a store, or `call` gave memory back */
    const char *call;
    const char *kind; /* the word of the findings format; NULL: a call that promises */
    bool writes;
};

struct replay_race {
    const char *rule;     /* local-race, remote-race, atomicity, shared-window, usage */
    const char *misuse;   /* of usage: the case of the findings format */
    int owner;            /* … of whose memory */
    int processes;        /* of the example */
    bool fewest;          /* the program cannot be run with fewer */
    const int *arguments; /* that the program is given */
    int narguments;
    struct replay_side sides[2];
};

typedef void replay_found(void *context, const struct replay_race *race);
/* An instruction that was executed: a load, a store or a call. */
typedef void replay_visited(void *context, LLVMValueRef instruction);

struct replay_result {
    uint64_t instructions;
    bool budget_spent;  /* it was stopped by its budget before the program was over */
    bool finished;      /* with some number of processes all of them came to their end */
    bool conclusive;    /* … and with every number that the program is meant for */
    bool lucky;         /* … but other outcomes of tests, or other orders, are possible */
    char reason[200];   /* why a process could not be followed further, empty if all could */
    LLVMValueRef where; /* … and where */
};

/* Each race once for a pair of places, with the fewest processes with which it was seen; where the
 * replay is conclusive, also what was executed. The module is not changed. */
void replay(LLVMModuleRef program, bool openmpi, replay_found *found, replay_visited *visited,
            void *context, struct replay_result *result);

#endif
