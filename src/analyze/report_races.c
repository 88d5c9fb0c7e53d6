#include "report_races.h"

#include "excuses.h"
#include "normalise.h"
#include "places.h"
#include "regions.h"
#include "remote.h"

#include "findings/sentences.h"
#include "findings/views.h"

/* The word of the findings format for what an event does with a buffer. */
static const char *kind_of(const struct event *event, const struct buffer *buffer)
{
    if (!event->routine)
        return buffer->writes ? "store" : "load";
    return routine_kind(event->routine, buffer->writes);
}

/* The call by which memory is given back, as the source names it; NULL if the buffer is only
 * touched. */
static const char *giving_back(const struct event *event, const struct buffer *buffer)
{
    if (!buffer->whole)
        return NULL;
    if (buffer->base && LLVMIsAAllocaInst(buffer->base))
        return "return";
    const char *name = LLVMGetValueName2(call_target(event->instruction), &(size_t){0});
    return strncmp(name, "_Z", 2) ? name : "delete";
}

struct reporter {
    struct report *report;
    const struct wrappers *wrappers;
};

static LLVMModuleRef program_of(const struct function *function)
{
    return LLVMGetGlobalParent(function->value);
}

static struct stack stack_of(const struct reporter *reporter, LLVMValueRef instruction)
{
    struct stack stack = place_of(reporter->report, instruction);
    wrappers_strip(reporter->wrappers, &stack);
    return stack;
}

static struct access access_of(const struct reporter *reporter, struct function *function,
                               const struct event *event, const struct event *begun,
                               const struct buffer *buffer, int rank)
{
    struct report *report = reporter->report;
    expression address = bridge_expression(function->bridge, buffer->address);
    LLVMValueRef base = address ? bridge_base(function->bridge, address) : NULL;
    struct access access = {.present = true,
                            .kind = kind_of(event, buffer),
                            .call = event->routine
                                        ? event->routine->name
                                        : report_text(report, giving_back(event, buffer)),
                            .rank = rank,
                            .variable = variable_of(report, base),
                            .stack = stack_of(reporter, begun->instruction)};
    access.deed = buffer->writes ? "write" : "read";
    return access;
}

/* The branches on the path to both places, in the order in which they were met. */
static const char *path_text(struct report *report, const struct condition *conditions,
                             unsigned nconditions)
{
    enum { MOST = 8 };
    const char *text = NULL, *known[MOST];
    unsigned count = 0;
    for (unsigned i = 0; i < nconditions && count < MOST; i++) {
        const struct condition *condition = &conditions[i];
        LLVMTypeRef type = LLVMTypeOf(condition->value);
        if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) != 1 ||
            condition->sure)
            continue; /* nobody needs to be told that no assertion has failed */
        const char *branch =
            branch_of(report, condition->value, (condition->number != 0) != condition->negated);
        bool again = !branch;
        for (unsigned k = 0; k < count; k++)
            again |= branch && !strcmp(known[k], branch);
        if (again)
            continue;
        known[count++] = branch;
        text = text ? report_textf(report, "%s, %s", text, branch) : branch;
    }
    return text;
}

/* ---- the way, step by step ---- */

struct way {
    struct report *report;
    struct function *function;
    const struct race *race;
    struct path *path;
};

/* A branch, and where it goes. */
struct turn {
    LLVMValueRef branch;
    LLVMBasicBlockRef goal;
};

static bool leads_to(const struct way *way, LLVMBasicBlockRef goal, unsigned block)
{
    return goal && bridge_dominates(way->function->bridge, goal, way->function->blocks[block]);
}

/* A branch on this truth that leads to the block. */
static struct turn branch_above(const struct way *way, LLVMValueRef truth, bool is_so,
                                unsigned block)
{
    for (LLVMUseRef use = LLVMGetFirstUse(truth); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef branch = LLVMGetUser(use);
        if (LLVMIsABranchInst(branch) &&
            leads_to(way, LLVMGetSuccessor(branch, is_so ? 0 : 1), block))
            return (struct turn){branch, LLVMGetSuccessor(branch, is_so ? 0 : 1)};
    }
    return (struct turn){0};
}

/* Where a switch goes for that number; its operands are pairs behind the value and the default. */
static LLVMBasicBlockRef switch_goal(LLVMValueRef branch, int64_t number)
{
    for (int i = 2; i + 1 < LLVMGetNumOperands(branch); i += 2)
        if (LLVMConstIntGetSExtValue(LLVMGetOperand(branch, (unsigned)i)) == number)
            return LLVMValueAsBasicBlock(LLVMGetOperand(branch, (unsigned)i + 1));
    return NULL;
}

/* A condition is a branch's own, or says that a number has a value, which some branch has asked. */
static struct turn turn_on(const struct way *way, const struct condition *condition, unsigned block)
{
    LLVMTypeRef type = LLVMTypeOf(condition->value);
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
        return (struct turn){0};
    if (LLVMGetIntTypeWidth(type) == 1)
        return branch_above(way, condition->value, (condition->number != 0) != condition->negated,
                            block);
    for (LLVMUseRef use = LLVMGetFirstUse(condition->value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        struct turn turn = {0};
        if (LLVMIsASwitchInst(user) && !condition->negated)
            turn = (struct turn){user, switch_goal(user, condition->number)};
        else if (LLVMIsAICmpInst(user) && LLVMGetICmpPredicate(user) <= LLVMIntNE &&
                 LLVMIsAConstantInt(LLVMGetOperand(user, 1)) &&
                 LLVMConstIntGetSExtValue(LLVMGetOperand(user, 1)) == condition->number)
            turn = branch_above(
                way, user, (LLVMGetICmpPredicate(user) == LLVMIntEQ) != condition->negated, block);
        if (leads_to(way, turn.goal, block))
            return turn;
    }
    return (struct turn){0};
}

typedef LIST(struct step) step_list;

/* The branches that lead to a side, in their order. */
static void find_branches(const struct way *way, enum side side, unsigned block, step_list *found)
{
    for (unsigned i = 0; i < way->race->nconditions; i++) {
        const struct condition *condition = &way->race->conditions[i];
        struct step step = {.kind = "branch"};
        unsigned to;
        struct turn turn = condition->side == side && !condition->sure
                               ? turn_on(way, condition, block)
                               : (struct turn){0};
        if (!turn.goal || !branch_place(way->report, turn.branch, turn.goal, &step.place, &to))
            continue;
        step.text = report_textf(way->report, "goes on at line %u", to);
        APPEND(found, step);
    }
}

static bool has_frame(const struct stack *stack, const struct frame *frame)
{
    for (size_t i = 1; i < stack->depth; i++)
        if (stack->frames[i].line == frame->line && stack->frames[i].file == frame->file)
            return true;
    return false;
}

/* A branch that was told on the way to the side before is behind both, unless a loop went round. */
static bool is_told(const struct way *way, const struct step *step)
{
    for (size_t i = 0; i < way->path->count; i++) {
        const struct step *told = &way->path->steps[i];
        if (!strcmp(told->kind, step->kind) && told->place.line == step->place.line &&
            told->place.file == step->place.file && !strcmp(told->text, step->text))
            return !way->race->next_iteration;
    }
    return false;
}

/* Those of a function that are left; NULL: of all. */
static void add_branches(const struct way *way, step_list *branches, const char *function)
{
    for (size_t i = 0; i < branches->count; i++) {
        struct step *step = &branches->items[i];
        if (!step->kind || (function && step->place.function != function))
            continue;
        if (!is_told(way, step))
            path_add(way->report, way->path, *step);
        step->kind = NULL;
    }
}

/* The branches and calls that lead to a side, but for the calls that led to the one before: in
 * front of a call stand the branches of its function. */
static void add_way_to(const struct way *way, enum side side, unsigned block,
                       const struct stack *stack, const struct stack *known)
{
    step_list branches = {0};
    find_branches(way, side, block, &branches);
    for (size_t i = stack->depth; i-- > 1;) {
        const struct frame *frame = &stack->frames[i];
        add_branches(way, &branches, frame->function);
        const char *callee = stack->frames[i - 1].function;
        if (!known || !has_frame(known, frame))
            path_add(way->report, way->path,
                     (struct step){"call",
                                   report_textf(way->report, "calls %s()", callee ? callee : "?"),
                                   *frame});
    }
    add_branches(way, &branches, NULL);
    DROP(&branches);
}

static void add_side(struct report *report, struct path *path, const char *kind,
                     const struct access *side)
{
    path_add(
        report, path,
        (struct step){kind,
                      report_textf(report, "%s %s %s", side->call ? side->call : side->kind,
                                   side->deed && !strcmp(side->deed, "write") ? "writes" : "reads",
                                   side->variable ? side->variable : "the buffer"),
                      side->stack.frames[0]});
}

static struct path *path_of(struct report *report, struct function *function,
                            const struct race *race, const struct access *first,
                            const struct access *second)
{
    struct path *path = obstack_alloc(&report->texts, sizeof *path);
    struct way way = {report, function, race, path};
    *path = (struct path){0};
    if (race->example.ranks[THEN] >= 0)
        path_add(report, path,
                 (struct step){.kind = "example",
                               .text = report_textf(report, "by rank %d of %d, for example",
                                                    race->example.ranks[THEN],
                                                    race->example.processes)});
    add_way_to(&way, THEN, race->opened->block, &first->stack, NULL);
    add_side(report, path, "first", first);
    if (race->next_iteration)
        path_add(report, path, (struct step){.kind = "round", .text = "the loop goes round"});
    add_way_to(&way, NOW, race->access_begun->block, &second->stack, &first->stack);
    add_side(report, path, "second", second);
    return path;
}

static void add_local_race(void *context, struct function *function, const struct race *race)
{
    const struct reporter *reporter = context;
    struct report *report = reporter->report;
    if (excuses_access(program_of(function), function->points, race->opened_buffer->address,
                       race->access_buffer->address)) {
        function->gaps[GAP_excused]++;
        return;
    }
    struct access first = access_of(reporter, function, race->opened, race->begun,
                                    race->opened_buffer, race->example.ranks[THEN]);
    struct access second = access_of(reporter, function, race->access, race->access_begun,
                                     race->access_buffer, race->example.ranks[THEN]);
    if (!first.stack.depth || !second.stack.depth)
        return;
    struct finding *finding = report_add(report);
    finding->rule = "local-race";
    finding->severity = race->certain ? SEVERITY_ERROR : SEVERITY_WARNING;
    finding->first = first;
    finding->second = second;
    finding->case_id = case_id(CASE_MAY_TOUCH_BUFFER);
    finding->path = path_of(report, function, race, &first, &second);
    finding_add_fact(report, finding, "started", race->opened == race->begun ? NULL : "1");
    finding_add_fact(report, finding, "later", race->next_iteration ? "1" : NULL);
    finding_add_fact(report, finding, "certain", race->certain ? "1" : NULL);
    finding_add_fact(report, finding, "window_call", race->opened->window ? "1" : NULL);
    finding_add_fact(report, finding, "path",
                     path_text(report, race->conditions, race->nconditions));
    finding_add_fact(report, finding, "processes",
                     report_textf(report, "%d", race->example.processes));
    finding_add_pair(finding, (struct rank_pair){race->example.ranks[THEN], -1});
    finding_say(report, finding);
}

static void add_leak(void *context, struct function *function, const struct leak *leak)
{
    const struct reporter *reporter = context;
    struct report *report = reporter->report;
    static const struct buffer nothing;
    const struct buffer *buffer = leak->opened->nbuffers ? &leak->opened->buffers[0] : &nothing;
    struct access first = access_of(reporter, function, leak->opened, leak->begun, buffer, -1);
    if (!first.stack.depth)
        return;
    struct finding *finding = report_add(report);
    finding->rule = "usage";
    finding->severity = SEVERITY_WARNING;
    finding->first = first;
    finding->case_id = case_id(CASE_MAY_NOT_COMPLETE);
    finding_add_fact(report, finding, "function",
                     first.stack.frames[first.stack.depth - 1].function);
    finding_add_fact(report, finding, "path",
                     path_text(report, leak->conditions, leak->nconditions));
    finding_say(report, finding);
}

static void add_remote_race(void *context, struct function *function,
                            const struct remote_race *race)
{
    const struct reporter *reporter = context;
    struct report *report = reporter->report;
    static const struct buffer nothing = {.writes = true};
    /* Whose part of the window is excused, and what comes behind such order, is not known. */
    if (excuses_memory(program_of(function)) ||
        (!race->same_process && excuses_order(program_of(function)))) {
        function->gaps[GAP_excused]++;
        return;
    }
    const char *first_kind = kind_of(race->first, &nothing);
    struct access first = {.present = true,
                           .kind = first_kind,
                           .call = race->first->routine->name,
                           .rank = race->example.ranks[0],
                           .stack = stack_of(reporter, race->first->instruction)};
    struct access second =
        race->second_buffer
            ? access_of(reporter, function, race->second, race->second, race->second_buffer,
                        race->example.ranks[1])
            : (struct access){.present = true,
                              .kind = kind_of(race->second, &nothing),
                              .call = race->second->routine->name,
                              .rank = race->example.ranks[1],
                              .stack = stack_of(reporter, race->second->instruction)};
    if (!first.stack.depth || !second.stack.depth)
        return;
    struct finding *finding = report_add(report);
    finding->rule = race->atomicity ? "atomicity" : "remote-race";
    finding->severity = race->certain ? SEVERITY_ERROR : SEVERITY_WARNING;
    finding->first = first;
    finding->second = second;
    finding->case_id = case_id(race->same_process ? CASE_MAY_RACE_IN_ONE_PROCESS : CASE_MAY_RACE);
    finding_add_fact(report, finding, "processes",
                     report_textf(report, "%d", race->example.processes));
    finding_add_pair(finding, (struct rank_pair){first.rank, second.rank});
    finding_say(report, finding);
}

void report_races(struct function *function, struct report *report, const struct wrappers *wrappers)
{
    struct reporter reporter = {report, wrappers};
    regions_find_races(function, add_local_race, add_leak, &reporter);
    remote_find_races(function, add_remote_race, &reporter);
}

static bool same_place(const struct access *a, const struct access *b)
{
    const struct frame *one = a->stack.depth ? &a->stack.frames[0] : NULL;
    const struct frame *two = b->stack.depth ? &b->stack.frames[0] : NULL;
    return one && two && one->line == two->line && one->file && two->file &&
           !strcmp(one->file, two->file);
}

/* Whether it is said already, as what the operation does at its target. */
static bool is_said_once(const struct finding *finding, void *context)
{
    const struct report *report = context;
    if (strcmp(finding->rule, "local-race"))
        return true;
    for (size_t i = 0; i < report->finding_count; i++) {
        const struct finding *other = &report->findings[i];
        bool here = same_place(&finding->first, &other->first) &&
                    same_place(&finding->second, &other->second);
        bool crossed = same_place(&finding->first, &other->second) &&
                       same_place(&finding->second, &other->first);
        if (!strcmp(other->rule, "remote-race") && other->severity >= finding->severity &&
            other->first.rank == other->second.rank && (here || crossed))
            return false;
    }
    return true;
}

void report_once(struct report *report)
{
    bool any = false;
    for (size_t i = 0; i < report->finding_count; i++)
        any |= !strcmp(report->findings[i].rule, "remote-race");
    if (any)
        report_keep(report, is_said_once, report);
}
