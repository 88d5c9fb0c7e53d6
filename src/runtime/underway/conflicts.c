#include "conflicts.h"

#include "accesses.h"
#include "findings.h"
#include "operations.h"
#include "session.h"
#include "interpose/site_records.h"
#include "interpose/stacks.h"

/* The side that comes second: a call, or a load or store of the program. */
struct newcomer {
    struct operation *operation; /* NULL for an own access */
    const struct own_access *own;
    const void *caller, *frame;
    const struct stack *stack; /* taken when it is needed, if NULL */
    enum buffer_access access;
    uint64_t bytes;
    bool found;                    /* a conflict */
    struct operation_buffer *lost; /* its memory is given back */
};

static struct side_record side_of(const struct routine *at, const struct routine *made_by,
                                  bool writes)
{
    return (struct side_record){.kind = routine_kind(made_by, writes),
                                .call = at->name,
                                .made_by = made_by->name,
                                .access = writes ? "write" : "read",
                                .until = routine_until(made_by),
                                .rank = session.rank};
}

/* The one whose buffer is in use. */
static struct side_record older_side(const struct operation_buffer *older, bool wrote)
{
    struct operation_place from = operation_buffer_place(older);
    struct side_record side = side_of(from.at, older->operation->routine, wrote);
    side.thread = older->operation->thread;
    side.bytes = older->bytes;
    side.site = site_recorded(from.stack);
    return side;
}

static struct side_record newer_side(const struct newcomer *newcomer)
{
    const struct operation *operation = newcomer->operation;
    bool writes = newcomer->access == BUFFER_WRITE;
    struct side_record side = {.kind = writes ? "store" : "load",
                               .access = writes ? "write" : "read",
                               .rank = session.rank,
                               .thread = session_thread()};
    if (operation) {
        side = side_of(operation->at, operation->routine, writes);
        side.thread = operation->thread;
    } else if (newcomer->own->given_back_by) {
        side.kind = newcomer->own->given_back_by;
        side.access = "give-back";
    }
    side.bytes = newcomer->bytes;
    side.site = site_recorded(newcomer->stack);
    return side;
}

static enum finding_case case_of(const struct newcomer *newcomer, const struct operation *older)
{
    if (newcomer->operation == older)
        return CASE_BUFFERS_OF_ONE_CALL;
    return newcomer->own && newcomer->own->given_back_by ? CASE_BUFFER_GIVEN_BACK
                                                         : CASE_BUFFER_IN_USE;
}

static void report(const struct newcomer *newcomer, const struct operation_buffer *older,
                   enum buffer_access older_access, const struct section *common)
{
    struct operation_place from = operation_buffer_place(older);
    enum finding_case which = case_of(newcomer, older->operation);
    if (!finding_is_new(which, from.stack, newcomer->stack))
        return;
    struct finding_record finding = {
        .rule = "local-race",
        .which = which,
        .first = older_side(older, older_access == BUFFER_WRITE),
        .second = newer_side(newcomer),
        .has_second = true,
        .has_memory = true,
        .memory = {.rank = session.rank,
                   .offset = common->start - older->start,
                   .bytes = common->length},
        .missing = "completion",
    };
    finding_report(&finding);
}

static bool visit(void *context, void *owner, enum buffer_access access,
                  const struct section *common)
{
    struct newcomer *newcomer = context;
    newcomer->found = true;
    if (!newcomer->stack)
        newcomer->stack = stack_take(newcomer->caller, newcomer->frame);
    if (newcomer->operation && !newcomer->operation->stack)
        newcomer->operation->stack = newcomer->stack;
    report(newcomer, owner, access, common);
    bool is_lost = newcomer->own && newcomer->own->given_back_by;
    newcomer->lost = is_lost ? owner : NULL;
    return !is_lost;
}

void conflicts_check(struct operation *newcomer, const struct call *call,
                     const struct section *sections, size_t n, enum buffer_access access)
{
    struct newcomer context = {.operation = newcomer,
                               .caller = call->caller,
                               .frame = call->frame,
                               .stack = newcomer->stack,
                               .access = access,
                               .bytes = sections_bytes(sections, n)};
    inuse_conflicts(session.inuse, sections, n, access, visit, &context);
}

bool conflicts_check_own(const struct own_access *own)
{
    struct newcomer context = {.own = own,
                               .caller = own->caller,
                               .frame = own->frame,
                               .access = own->store ? BUFFER_WRITE : BUFFER_READ,
                               .bytes = own->bytes};
    struct section section = {.start = own->address, .length = own->bytes, .count = 1};
    /* What comes behind is the same mistake, not another one: an operator delete that unmaps, and
     * every function that is called later, which stores where the frame was; which of them it is
     * depends on the compiler. */
    do {
        context.lost = NULL;
        inuse_conflicts(session.inuse, &section, 1, context.access, visit, &context);
        if (context.lost)
            operation_buffer_lost(context.lost);
    } while (context.lost);
    return context.found;
}
