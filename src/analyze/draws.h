/* One way the numbers of two moments could be, and all ways of one seed. For moments.c. */
#ifndef REGATTA_ANALYZE_DRAWS_H
#define REGATTA_ANALYZE_DRAWS_H

#include "moments.h"

enum {
    SIZES = 4,
    FIRST_SIZE = 2,
    SEEDS = 16,
    DRAWS = 6,
    MAX_LOOPS = 64,
    UNKNOWN_TRIPS = 1000,
    GIVEN = 64
};

/* A number that was not drawn but found by the solver. */
struct given {
    LLVMValueRef value;
    bool shared;
    enum side side;
    int64_t number;
};

struct draw {
    const struct moments *moments;
    uint64_t seed, luck; /* seed: free numbers; luck: iterations, and what MPI answers */
    int64_t rank, size;  /* rank: that of `then`; ranks differ between two processes */
    int64_t ranks[2];
    int64_t counters[2][MAX_LOOPS];
    bool drawn[2][MAX_LOOPS];
    enum side side; /* the moment at which values are computed */
    int depth;
    unsigned ngiven;
    struct given given[GIVEN];
};

/* What one draw says: nothing, if its numbers cannot be. */
enum outcome { INVALID, NO, YES };

typedef enum outcome draw_visitor(struct draw *draw, void *context);

/* Every draw that satisfies the conditions will do. */
draw_visitor stop_at_once;

/* Looks for a draw that satisfies the conditions and of which visit says yes. */
bool find_draw(const struct moments *moments, unsigned attempts, draw_visitor *visit, void *context,
               struct draw *found);

/* Runs through all ranks and some iterations with one seed until a draw says yes. INVALID if none
 * was possible. */
enum outcome each_draw_of_size(const struct moments *moments, uint64_t seed, int64_t size,
                               draw_visitor *visit, void *context);

/* For an example that is not drawn (solve.c): starts one, and says what numbers have in it. What is
 * not said is drawn. */
void draw_open(struct draw *draw, const struct moments *moments, uint64_t seed);
void draw_give(struct draw *draw, LLVMValueRef value, bool shared, enum side side, int64_t number);
void draw_give_iteration(struct draw *draw, enum side side, int loop, int64_t number);

/* The number that an expression or value has in this draw, at its side. */
bool draw_expression(struct draw *draw, expression e, int64_t *number);
bool draw_value(struct draw *draw, LLVMValueRef value, int64_t *number);
/* Who, among how many. */
static inline struct example example_of(const struct draw *draw)
{
    return (struct example){{(int)draw->ranks[THEN], (int)draw->ranks[NOW]}, (int)draw->size};
}

/* What an operation gives; false if it is none that is known, or gives nothing. */
bool draw_operation(LLVMOpcode opcode, int64_t a, int64_t b, int64_t *result);

/* The highest value that the loop's counter has while the block runs. */
int64_t draw_last_iteration(struct draw *draw, int loop, unsigned block);
/* Whether the conditions of both moments hold. */
bool draw_satisfied(struct draw *draw);

/* What MPI answers (a flag, an index) in this draw; false if the value is nothing of that kind. */
bool draw_answer(const struct draw *draw, enum side side, LLVMValueRef value, int64_t *number);

/* Whether a value is the rank in, or the size of, MPI_COMM_WORLD. */
enum query { NO_QUERY, QUERY_rank, QUERY_size };
enum query world_query(LLVMValueRef value);
bool comm_is_world(LLVMValueRef comm);
/* argc: at least 1. */
bool is_argument_count(LLVMValueRef value);
bool moments_in_loop(const struct moments *moments, int loop);         /* both of them */
bool moments_gone_round(const struct moments *moments, int loop);      /* or a loop around it */
bool moments_share(const struct moments *moments, LLVMValueRef value); /* same value at both */

#endif
