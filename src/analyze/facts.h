/* Facts of the region analysis: one operation in progress on some path, and what holds there. */
#ifndef REGATTA_ANALYZE_FACTS_H
#define REGATTA_ANALYZE_FACTS_H

#include "moments.h"

#define NOT_BEGUN UINT32_MAX
#define NOT_TESTED UINT32_MAX
enum { FACT_CONDITIONS = 24, FACT_VARIANTS = 2 };

enum lost { NOT_LOST, LOST_FREED, LOST_OVERWRITTEN };

struct fact {
    uint32_t op;             /* number of the event that made the operation */
    uint32_t begun;          /* … that started it; NOT_BEGUN: prepared only */
    uint32_t tested;         /* … of the last test, whose outcome is not known; NOT_TESTED: none */
    uint32_t distance;       /* loops gone round since op, as in struct moments */
    uint32_t asked_distance; /* … when it was last asked whether that can be */
    LLVMValueRef flag;       /* the value that holds the outcome of the test */
    LLVMBasicBlockRef not_yet; /* where a branch on it says that the operation is in progress */
    uint8_t lost;              /* its handle is gone: nothing completes it */
    bool partial;              /* one of several requests was completed: perhaps this one */
    bool doubtful;             /* a completion was skipped on a condition that nobody understands */
    uint8_t nconditions;
    uint32_t next_alike; /* the next fact of the list in the same bucket, plus 1 */
    struct condition
        conditions[FACT_CONDITIONS]; /* met since op; those that lead to op are its block's */
};

/* What is known at the start of a block is looked up by state (fact_list_merge): a loop with many
 * operations has thousands of facts. Other lists have no buckets. */
struct fact_list {
    struct fact *items;
    size_t count, room;
    uint32_t *buckets; /* number of the first fact, plus 1 */
    size_t nbuckets;
};

/* What no longer fits is left out: fewer conditions exclude fewer paths, so the fact is doubtful
 * from then on. The first to go are those that every way on meets: they are conditions of the
 * blocks behind them, too. */
void fact_add_condition(struct fact *fact, struct condition condition);
void fact_forget_value(struct fact *fact, LLVMValueRef value);
/* Conditions of now about values that the loop computes. */
void fact_forget_loop(struct fact *fact, struct bridge *bridge, int loop);
void fact_go_round(struct fact *fact, int depth);

void fact_list_add(struct fact_list *list, const struct fact *fact);
void fact_list_copy(struct fact_list *to, const struct fact_list *from);
void fact_list_drop(struct fact_list *list);
/* Adds a fact to what is known at a block; true if that changed. Facts in the same state share up
 * to FACT_VARIANTS sets of conditions, then keep only what all paths have in common. */
bool fact_list_merge(struct fact_list *list, const struct fact *fact);

#endif
