#include "inline.h"

#include "bridge.h"
#include "callgraph.h"
#include "effects.h"
#include "normalise.h"

/* Instructions. Small functions are inlined for the sake of the numbers and addresses they compute.
 * A large program does not even double. */
enum {
    RELEVANT_CALLEE = 4000,
    MIDDLE_CALLEE = 500,
    TOUCHING_CALLEE = 2000,
    ADDRESS_CALLEE = 400, /* returns one: each caller gets its own heap objects */
    SMALL_CALLEE = 60,
    CALLER = 20000,
    GROWTH_FLOOR = 40000
};

static const char absorbed_mark[] = "regatta-absorbed";

struct inlining {
    struct callgraph *graph;
    struct points *points;
    struct effects *effects; /* NULL: only what calls MPI is inlined */
    enum flavour flavour;
    bool *relevant; /* by number in the graph: it calls MPI, itself or through others */
    bool *moving;   /* … and starts or completes something there */
    unsigned relevant_limit, moving_limit; /* what is inlined of these now */
    unsigned touching_limit;               /* … and of what touches buffers */
    uint64_t budget;
};

static uint32_t number_of(const struct inlining *inlining, const struct caller *caller)
{
    return (uint32_t)(caller - inlining->graph->callers.items);
}

/* What holds for functions that this is true for holds for their callers, too. */
static bool *find_all(const struct callgraph *graph, bool (*is)(LLVMValueRef function))
{
    bool *found = checked(calloc(graph->callers.count + 1, sizeof *found));
    for (size_t i = 0; i < graph->callers.count; i++)
        found[i] = is(graph->callers.items[i].function);
    /* Callees come first: only functions that call each other need another round. */
    for (bool again = true; again;) {
        again = false;
        for EACH (number, &graph->order)
            for EACH (callee, &graph->callers.items[*number].callees)
                if (found[*callee] && !found[*number])
                    found[*number] = again = true;
    }
    return found;
}

static bool returns_address(LLVMValueRef function)
{
    LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(function));
    return LLVMGetTypeKind(type) == LLVMPointerTypeKind;
}

static unsigned size_limit(const struct inlining *inlining, const struct caller *callee)
{
    uint32_t number = number_of(inlining, callee);
    if (inlining->relevant[number])
        return inlining->moving[number] ? inlining->moving_limit : inlining->relevant_limit;
    if (!inlining->effects)
        return 0;
    if (effects_of(inlining->effects, callee->function)->touches_buffers)
        return inlining->touching_limit;
    return returns_address(callee->function) ? ADDRESS_CALLEE : SMALL_CALLEE;
}

static bool wanted(const struct inlining *inlining, const struct caller *caller,
                   const struct caller *callee)
{
    return callee->component != caller->component && callee->size <= inlining->budget &&
           caller->size + callee->size <= CALLER && callee->size <= size_limit(inlining, callee);
}

/* Repeats until nothing more fits: a small function may bring calls of its own. Functions that do
 * not matter to MPI were not flattened themselves, hence the rounds. */
static void inline_into(struct inlining *inlining, struct caller *caller)
{
    enum { ROUNDS = 12 };
    LIST(LLVMValueRef) calls = {0};
    for (int round = 0; round < ROUNDS; round++) {
        calls.count = 0;
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(caller->function); block;
             block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef at = LLVMGetFirstInstruction(block); at;
                 at = LLVMGetNextInstruction(at))
                if (value_is_call(at) && callgraph_find(inlining->graph, call_target(at)))
                    APPEND(&calls, at);
        bool changed = false;
        for EACH (call, &calls) {
            struct caller *callee = callgraph_find(inlining->graph, call_target(*call));
            if (!wanted(inlining, caller, callee) || !bridge_inline(*call))
                continue;
            caller->size += callee->size;
            inlining->budget -= callee->size;
            changed = true;
        }
        if (!changed)
            break;
    }
    DROP(&calls);
}

static void inline_all(struct inlining *inlining)
{
    struct callgraph *graph = inlining->graph;
    for EACH (number, &graph->order)
        if (inlining->relevant[*number])
            inline_into(inlining, &graph->callers.items[*number]);
}

/* ---- buffers ---- */

/* The argument times the size of the type, if both are numbers. */
static int64_t bytes_of(LLVMValueRef call, const struct routine *routine,
                        const struct routine_buffer *buffer, enum flavour flavour)
{
    if (buffer->count == NO_ARGUMENT || buffer->type == NO_ARGUMENT ||
        buffer->blocks != BLOCKS_one || routine->arguments[buffer->count].role == ROLE_counts ||
        routine->arguments[buffer->type].role == ROLE_types)
        return -1;
    LLVMValueRef count = LLVMGetOperand(call, buffer->count);
    struct layout layout = layout_of(LLVMGetOperand(call, buffer->type), flavour);
    return LLVMIsAConstantInt(count) && layout.known
               ? LLVMConstIntGetSExtValue(count) * layout.extent
               : -1;
}

static void add_buffers(void *context, LLVMValueRef call, const struct routine *routine)
{
    struct inlining *inlining = context;
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    bool uses = routine->verb == VERB_starts || routine->verb == VERB_prepares ||
                routine->verb == VERB_issues || routine->verb == VERB_begins;
    uses = uses && !function_is_absorbed(function);
    for (unsigned i = 0; uses && i < routine->nbuffers; i++) {
        LLVMValueRef address = LLVMGetOperand(call, routine->buffers[i].argument);
        if (!is_special_address(address))
            points_add_buffer(inlining->points, address,
                              bytes_of(call, routine, &routine->buffers[i], inlining->flavour));
    }
    /* The memory of windows: the call gives it, or gets it. */
    bool gives = routine->verb == VERB_creates || routine->verb == VERB_attaches;
    for (unsigned i = 0; gives && i < routine->narguments; i++)
        if (routine->arguments[i].role == ROLE_base)
            points_add_buffer(inlining->points, LLVMGetOperand(call, i), -1);
        else if (routine->arguments[i].role == ROLE_new_base)
            points_add_buffer(inlining->points, call, -1);
}

/* ---- functions that are no longer called ---- */

/* For a function that had users before: all of them were calls that are gone now. */
static void mark_absorbed(LLVMValueRef function)
{
    if (LLVMGetFirstUse(function) || function_is_absorbed(function))
        return;
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    LLVMAddAttributeAtIndex(
        function, LLVMAttributeFunctionIndex,
        LLVMCreateStringAttribute(context, absorbed_mark, sizeof absorbed_mark - 1, "", 0));
}

bool function_is_absorbed(LLVMValueRef function)
{
    return LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, absorbed_mark,
                                         sizeof absorbed_mark - 1) != NULL;
}

/* Functions that nobody calls any more and nobody outside can call. */
static void remove_absorbed(LLVMModuleRef module)
{
    for (LLVMValueRef function = LLVMGetFirstFunction(module), next; function; function = next) {
        next = LLVMGetNextFunction(function);
        if (!LLVMIsDeclaration(function) && function_is_absorbed(function) &&
            !LLVMGetFirstUse(function))
            LLVMDeleteFunction(function);
    }
}

static size_t calls_left_in(const struct inlining *inlining, LLVMValueRef function)
{
    size_t count = 0;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at;
             at = LLVMGetNextInstruction(at)) {
            struct caller *callee =
                value_is_call(at) ? callgraph_find(inlining->graph, call_target(at)) : NULL;
            count += callee && effects_of(inlining->effects, callee->function)->touches_buffers;
        }
    return count;
}

static struct left_out find_left_out(const struct inlining *inlining)
{
    struct left_out left_out = {0};
    for EACH (caller, &inlining->graph->callers) {
        if (!inlining->moving[number_of(inlining, caller)] ||
            function_is_absorbed(caller->function))
            continue;
        size_t calls = calls_left_in(inlining, caller->function);
        left_out.calls += calls;
        if (calls > left_out.of_most) {
            left_out.of_most = calls;
            left_out.most = caller->function;
        }
    }
    return left_out;
}

struct left_out inline_relevant(LLVMModuleRef module, bool is_program, struct points *points,
                                enum flavour flavour)
{
    struct callgraph *graph = callgraph_build(module, points);
    struct inlining inlining = {.graph = graph, .points = points, .flavour = flavour};
    inlining.relevant = find_all(graph, function_calls_mpi);
    inlining.moving = find_all(graph, function_moves_operations);
    LIST(LLVMValueRef) called = {0};
    uint64_t total = 0;
    for EACH (caller, &graph->callers) {
        total += caller->size;
        if (LLVMGetFirstUse(caller->function))
            APPEND(&called, caller->function);
    }
    inlining.budget = total / 2 < GROWTH_FLOOR ? GROWTH_FLOOR : total / 2;

    /* The budget is for wrappers of MPI first, whoever calls them, then for what starts and
     * completes operations: those are mostly found near each other. */
    static const unsigned limits[][2] = {{SMALL_CALLEE, SMALL_CALLEE},
                                         {MIDDLE_CALLEE, SMALL_CALLEE},
                                         {RELEVANT_CALLEE, SMALL_CALLEE},
                                         {RELEVANT_CALLEE, RELEVANT_CALLEE}};
    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        inlining.moving_limit = limits[i][0];
        inlining.relevant_limit = limits[i][1];
        inline_all(&inlining);
    }
    for EACH (function, &called)
        mark_absorbed(*function);
    each_mpi_call(module, add_buffers, &inlining);
    inlining.effects = effects_on_buffers(graph, points);
    /* The short ones first: a library has its own free, which everybody calls. */
    static const unsigned touching[] = {SMALL_CALLEE, MIDDLE_CALLEE, TOUCHING_CALLEE};
    for (size_t i = 0; i < sizeof touching / sizeof touching[0]; i++) {
        inlining.touching_limit = touching[i];
        inline_all(&inlining);
    }
    for EACH (function, &called)
        mark_absorbed(*function);
    struct left_out left_out = find_left_out(&inlining);
    if (is_program)
        remove_absorbed(module);

    DROP(&called);
    effects_free(inlining.effects);
    free(inlining.relevant);
    free(inlining.moving);
    callgraph_free(graph);
    return left_out;
}
