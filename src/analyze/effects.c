#include "effects.h"

#include "alias.h"
#include "bridge.h"
#include "normalise.h"

#include <llvm-c/Target.h>

struct scan {
    struct effects *effects;
    struct effect *effect;
    LLVMValueRef function;
    LLVMTargetDataRef data;
    bool buffers; /* look for these, not for what is written */
};

static void touches(struct scan *scan, LLVMValueRef address, int64_t bytes, bool writes)
{
    struct effect *effect = scan->effect;
    if (scan->buffers)
        effect->touches_buffers =
            effect->touches_buffers || points_in_buffers(scan->effects->points, address, bytes);
    else if (writes && !effect->writes_anything)
        effect->writes_anything =
            !points_touch(scan->effects->points, &effect->writes, address, bytes, scan->function);
}

static bool is_pointer(LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
}

/* Neither MPI nor anything that could call it for the program. */
static bool is_stranger(LLVMValueRef function)
{
    static const char *const prefixes[] = {"_ZNSt",   "_ZNKSt",   "_ZSt",     "_ZTv",    "__cxa_",
                                           "_Unwind", "__gxx_",   "pthread_", "omp_",    "__kmpc_",
                                           "clock",   "getti",    "nanosl",   "usl",     "sleep",
                                           "getopt",  "gethost",  "getrus",   "rand",    "srand",
                                           "drand",   "regatta.", "__ctype",  "__errno", "signal"};
    const char *name = LLVMGetValueName2(function, &(size_t){0});
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
            return false;
    return !bridge_is_library_function(function) && strncmp(name, "MPI_", 4) &&
           strncmp(name, "PMPI_", 5);
}

/* Functions without a body touch what their arguments point to, however much of it. */
static void call_touches(struct scan *scan, LLVMValueRef call)
{
    LLVMValueRef callee = call_target(call);
    if (callee && !LLVMIsDeclaration(callee))
        return;
    bool harmless = callee && function_only_looks(callee);
    const struct routine *routine = call_routine(call);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef argument = LLVMGetOperand(call, i);
        if (!scan->buffers && routine && !role_may_be_written(routine->arguments[i].role))
            continue;
        if (is_pointer(argument) && !LLVMIsNull(argument))
            touches(scan, argument, -1, !harmless);
    }
    if (callee && !scan->effect->calls_strangers)
        scan->effect->calls_strangers = is_stranger(callee);
}

static int64_t bytes_of(const struct scan *scan, LLVMValueRef value)
{
    return (int64_t)LLVMStoreSizeOfType(scan->data, LLVMTypeOf(value));
}

static void instruction_touches(struct scan *scan, LLVMValueRef at)
{
    switch (LLVMGetInstructionOpcode(at)) {
    case LLVMLoad:
        if (scan->buffers)
            touches(scan, LLVMGetOperand(at, 0), bytes_of(scan, at), false);
        return;
    case LLVMStore:
        touches(scan, LLVMGetOperand(at, 1), bytes_of(scan, LLVMGetOperand(at, 0)), true);
        return;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        touches(scan, LLVMGetOperand(at, 0), bytes_of(scan, LLVMGetOperand(at, 1)), true);
        return;
    case LLVMCall:
    case LLVMInvoke:
        call_touches(scan, at);
        return;
    default:
        return;
    }
}

static void scan_function(struct scan *scan, const struct caller *caller)
{
    scan->effect->calls_mpi = caller->calls_unknown || function_calls_mpi(caller->function);
    scan->effect->writes_anything = caller->calls_unknown;
    scan->effect->touches_buffers = scan->buffers && caller->calls_unknown;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(caller->function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at;
             at = LLVMGetNextInstruction(at)) {
            if (scan->buffers && scan->effect->touches_buffers)
                return;
            instruction_touches(scan, at);
        }
}

/* True if the caller's effect grew. */
static bool take_over(struct effects *effects, struct effect *to, const struct effect *from)
{
    bool grew = (from->calls_mpi && !to->calls_mpi) ||
                (from->calls_strangers && !to->calls_strangers) ||
                (from->touches_buffers && !to->touches_buffers) ||
                (from->writes_anything && !to->writes_anything);
    to->calls_mpi |= from->calls_mpi;
    to->calls_strangers |= from->calls_strangers;
    to->touches_buffers |= from->touches_buffers;
    to->writes_anything |= from->writes_anything;
    if (!to->writes_anything)
        switch (points_touch_all(effects->points, &to->writes, &from->writes)) {
        case TOUCHED_more:
            grew = true;
            break;
        case TOUCHED_too_much:
            to->writes_anything = grew = true;
            break;
        case TOUCHED_same:
            break;
        }
    return grew;
}

/* Callees come first in the order, so that only functions that call each other need more than one
 * round. */
static void spread(struct effects *effects)
{
    struct callgraph *graph = effects->graph;
    for (bool again = true; again;) {
        again = false;
        for EACH (number, &graph->order) {
            const struct caller *caller = &graph->callers.items[*number];
            struct effect *effect = &effects->all[*number];
            bool grew = false;
            for EACH (callee, &caller->callees)
                grew |= *callee != *number && take_over(effects, effect, &effects->all[*callee]);
            for EACH (callee, &caller->through)
                grew |= *callee != *number && take_over(effects, effect, &effects->all[*callee]);
            again |= grew;
        }
    }
}

static struct effects *find(struct callgraph *graph, struct points *points, bool buffers)
{
    struct effects *effects = checked(calloc(1, sizeof *effects));
    effects->graph = graph;
    effects->points = points;
    effects->all = checked(calloc(graph->callers.count + 1, sizeof *effects->all));
    for (size_t i = 0; i < graph->callers.count; i++) {
        const struct caller *caller = &graph->callers.items[i];
        struct scan scan = {effects, &effects->all[i], caller->function,
                            LLVMGetModuleDataLayout(LLVMGetGlobalParent(caller->function)),
                            buffers};
        scan_function(&scan, caller);
    }
    spread(effects);
    return effects;
}

struct effects *effects_on_buffers(struct callgraph *graph, struct points *points)
{
    return find(graph, points, true);
}

struct effects *effects_on_memory(struct callgraph *graph, struct points *points)
{
    return find(graph, points, false);
}

void effects_free(struct effects *effects)
{
    free(effects->all);
    free(effects);
}

const struct effect *effects_of(const struct effects *effects, LLVMValueRef function)
{
    uint32_t number = value_map_get(&effects->graph->numbers, function);
    return number == VALUE_MAP_NONE ? NULL : &effects->all[number];
}

/* ---- calls ---- */

enum { REACHED = 64 };

/* The functions that a call may reach; 0: not known. */
static size_t reached_by(const struct effects *effects, LLVMValueRef call,
                         LLVMValueRef reached[REACHED])
{
    reached[0] = call_target(call);
    return reached[0] ? 1 : points_callees(effects->points, call, reached, REACHED);
}

bool call_may_write(const struct effects *effects, LLVMValueRef call, LLVMValueRef address,
                    int64_t bytes)
{
    LLVMValueRef reached[REACHED];
    size_t count = reached_by(effects, call, reached);
    bool writes = !count;
    for (size_t i = 0; i < count && !writes; i++) {
        const struct effect *effect = effects_of(effects, reached[i]);
        writes = !effect || effect->writes_anything ||
                 points_is_touched(effects->points, &effect->writes, address, bytes);
    }
    return writes;
}

bool call_may_use_mpi(const struct effects *effects, LLVMValueRef call, bool strangers)
{
    LLVMValueRef reached[REACHED];
    if (LLVMIsAInlineAsm(LLVMGetCalledValue(call)))
        return false;
    size_t count = reached_by(effects, call, reached);
    bool uses = !count;
    for (size_t i = 0; i < count && !uses; i++) {
        const struct effect *effect = effects_of(effects, reached[i]);
        uses = effect ? effect->calls_mpi || (strangers && effect->calls_strangers)
                      : strangers && is_stranger(reached[i]);
    }
    return uses;
}

bool call_hands_over_mpi(const struct effects *effects, LLVMValueRef call)
{
    LLVMValueRef callee = call_target(call);
    if (callee && !LLVMIsDeclaration(callee))
        return false;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMValueRef argument = LLVMGetOperand(call, i);
        const struct effect *effect = LLVMIsAFunction(argument) && !LLVMIsDeclaration(argument)
                                          ? effects_of(effects, argument)
                                          : NULL;
        if (effect && effect->calls_mpi)
            return true;
    }
    return false;
}
