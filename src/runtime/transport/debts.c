#include "debts.h"

#include <stdlib.h>
#include <utlist.h>

#include "engine/encoding.h"
#include "engine/table.h"

struct pair {
    uint32_t origin, target;
};

struct debt {
    struct pair pair;
    uint64_t count;
    uint64_t era;
    uint64_t version;         /* when the count last changed, in changes of this table */
    struct debt *prev, *next; /* newest version first */
    UT_hash_handle hh;
};

static uint32_t self, world;
static struct debt *by_pair, *newest;
static uint64_t version, era;
static uint64_t *told;   /* by rank: the version up to which it has been told */
static uint64_t *sent;   /* by rank: batches of this one to it */
static uint64_t *opened; /* by rank: batches of it to this one */

void debts_start(uint32_t rank, uint32_t ranks)
{
    self = rank;
    world = ranks;
    told = allocate_zeroed(3 * (size_t)ranks, sizeof *told);
    sent = told + ranks;
    opened = sent + ranks;
}

static void learn(uint32_t origin, uint32_t target, uint64_t count, uint64_t known_in)
{
    struct pair pair = {origin, target};
    struct debt *debt;
    HASH_FIND(hh, by_pair, &pair, sizeof pair, debt);
    if (debt && debt->count >= count)
        return;
    if (debt) {
        DL_DELETE(newest, debt);
    } else {
        debt = allocate_zeroed(1, sizeof *debt);
        debt->pair = pair;
        HASH_ADD(hh, by_pair, pair, sizeof debt->pair, debt);
    }
    debt->count = count;
    debt->era = known_in;
    debt->version = ++version;
    DL_PREPEND(newest, debt);
}

void debts_sent(uint32_t to)
{
    learn(self, to, ++sent[to], era);
}

void debts_opened(uint32_t from)
{
    opened[from]++;
}

bool debt_is_paid(const struct need *need)
{
    return opened[need->origin] >= need->count;
}

static bool is_paid(const struct debt *debt)
{
    return debt->pair.target == self && opened[debt->pair.origin] >= debt->count;
}

static void write_debt(struct writer *out, const struct debt *debt)
{
    write_number(out, debt->pair.origin);
    write_number(out, debt->pair.target);
    write_number(out, debt->count);
}

void debts_write_news(struct writer *out, uint32_t to)
{
    write_number(out, era);
    for (const struct debt *debt = newest; debt && debt->version > told[to]; debt = debt->next) {
        /* What a rank owes itself it knows, and what we sent it comes before this letter anyway. */
        bool trivial =
            debt->pair.origin == to || (debt->pair.origin == self && debt->pair.target == to);
        if (!trivial && !is_paid(debt))
            write_debt(out, debt);
    }
    told[to] = version;
}

void debts_write_all(struct writer *out)
{
    write_number(out, era);
    for (const struct debt *debt = newest; debt; debt = debt->next)
        if (!is_paid(debt))
            write_debt(out, debt);
}

uint64_t debts_read(struct reader *in, struct needs *needs)
{
    uint64_t known_in = read_number(in);
    while (bytes_left(in) > 0) {
        uint32_t origin = (uint32_t)read_below(in, world), target = (uint32_t)read_below(in, world);
        uint64_t count = read_number(in);
        if (in->failed || known_in < era)
            continue; /* of an era that is over: all of that is here */
        if (origin != self)
            learn(origin, target, count, known_in);
        struct need need = {origin, count};
        if (target == self && !debt_is_paid(&need)) {
            grow_array(needs->list, needs->count, needs->capacity);
            needs->list[needs->count++] = need;
        }
    }
    return known_in;
}

void debts_next_era(void)
{
    struct debt *debt, *next;
    era++;
    DL_FOREACH_SAFE(newest, debt, next)
    {
        if (debt->era >= era)
            continue; /* somebody is ahead of us and told us already */
        DL_DELETE(newest, debt);
        HASH_DEL(by_pair, debt);
        free(debt);
    }
}
