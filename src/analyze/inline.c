#include "inline.h"

#include "bridge.h"
#include "grow.h"
#include "normalise.h"

#include <stdint.h>
#include <uthash.h>

/* Instructions. A function that calls MPI is worth more than one that only computes. Small programs
 * are inlined as a whole; a large one does not even double. */
enum { RELEVANT_CALLEE = 2000, OTHER_CALLEE = 400, CALLER = 20000, GROWTH_FLOOR = 40000 };

static const char absorbed_mark[] = "regatta-absorbed";

struct node {
    LLVMValueRef function;
    unsigned size, index, low, component;
    bool relevant, on_stack;
    LIST(struct node *) callees;
    UT_hash_handle hh;
};

struct graph {
    struct node *nodes;
    LIST(struct node *) stack, order; /* order: callees before callers */
    unsigned next_index, next_component;
    uint64_t budget;
};

static bool is_body(LLVMValueRef function)
{
    return function && !LLVMIsDeclaration(function);
}

static struct node *node_of(struct graph *graph, LLVMValueRef function)
{
    struct node *node;
    HASH_FIND_PTR(graph->nodes, &function, node);
    if (!node) {
        node = checked(calloc(1, sizeof *node));
        node->function = function;
        HASH_ADD_PTR(graph->nodes, function, node);
    }
    return node;
}

static void scan(struct graph *graph, struct node *node)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(node->function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
            node->size++;
            LLVMValueRef callee = value_is_call(at) ? call_target(at) : NULL;
            if (is_body(callee))
                APPEND(&node->callees, node_of(graph, callee));
        }
    node->relevant = function_calls_mpi(node->function);
}

/* Tarjan's components, with an explicit stack: call graphs of generated code can be deep. */
static void visit(struct graph *graph, struct node *root)
{
    struct frame {
        struct node *node;
        size_t next;
    };
    LIST(struct frame) frames = {0};
    APPEND(&frames, (struct frame){root, 0});
    while (frames.count) {
        struct frame *frame = &frames.items[frames.count - 1];
        struct node *node = frame->node;
        if (frame->next == 0 && !node->index) {
            node->index = node->low = ++graph->next_index;
            node->on_stack = true;
            APPEND(&graph->stack, node);
        }
        if (frame->next < node->callees.count) {
            struct node *callee = node->callees.items[frame->next++];
            if (!callee->index)
                APPEND(&frames, (struct frame){callee, 0});
            else if (callee->on_stack && callee->index < node->low)
                node->low = callee->index;
            continue;
        }
        for EACH (callee, &node->callees) {
            node->relevant |= (*callee)->relevant;
            if ((*callee)->on_stack && (*callee)->low < node->low)
                node->low = (*callee)->low;
        }
        if (node->low == node->index) {
            graph->next_component++;
            struct node *member;
            do {
                member = graph->stack.items[--graph->stack.count];
                member->on_stack = false;
                member->component = graph->next_component;
                member->relevant |= node->relevant;
                APPEND(&graph->order, member);
            } while (member != node);
        }
        frames.count--;
    }
    DROP(&frames);
}

static bool wanted(const struct graph *graph, const struct node *caller, const struct node *callee)
{
    return callee->component != caller->component &&
           callee->size <= (callee->relevant ? RELEVANT_CALLEE : OTHER_CALLEE) &&
           caller->size + callee->size <= CALLER && callee->size <= graph->budget;
}

/* Repeats until nothing more fits: a small function may bring calls of its own. Functions that do
 * not matter to MPI were not flattened themselves, hence the rounds. */
static void inline_into(struct graph *graph, struct node *caller, bool relevant_only)
{
    enum { ROUNDS = 12 };
    LIST(LLVMValueRef) calls = {0};
    for (int round = 0; round < ROUNDS; round++) {
        calls.count = 0;
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(caller->function); block;
             block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef at = LLVMGetFirstInstruction(block); at;
                 at = LLVMGetNextInstruction(at))
                if (value_is_call(at) && is_body(call_target(at)))
                    APPEND(&calls, at);
        bool changed = false;
        for EACH (call, &calls) {
            struct node *callee = node_of(graph, call_target(*call));
            if ((relevant_only && !callee->relevant) || !wanted(graph, caller, callee) ||
                !bridge_inline(*call))
                continue;
            caller->size += callee->size;
            graph->budget -= callee->size;
            changed = true;
        }
        if (!changed)
            break;
    }
    DROP(&calls);
}

/* For a function that had users before: all of them were calls that are gone now. */
static void mark_absorbed(struct node *node)
{
    if (LLVMGetFirstUse(node->function))
        return;
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(node->function));
    LLVMAddAttributeAtIndex(
        node->function, LLVMAttributeFunctionIndex,
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
        if (is_body(function) && function_is_absorbed(function) && !LLVMGetFirstUse(function))
            LLVMDeleteFunction(function);
    }
}

void inline_relevant(LLVMModuleRef module, bool is_program)
{
    struct graph graph = {0};
    LIST(struct node *) called = {0};
    uint64_t total = 0;
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function))
        if (is_body(function)) {
            struct node *node = node_of(&graph, function);
            scan(&graph, node);
            total += node->size;
            if (LLVMGetFirstUse(function))
                APPEND(&called, node);
        }
    graph.budget = total / 2 < GROWTH_FLOOR ? GROWTH_FLOOR : total / 2;
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function))
        if (is_body(function) && !node_of(&graph, function)->index)
            visit(&graph, node_of(&graph, function));
    /* What calls MPI comes first, as long as the budget lasts. */
    for (int relevant_only = 1; relevant_only >= 0; relevant_only--)
        for EACH (node, &graph.order)
            if ((*node)->relevant)
                inline_into(&graph, *node, relevant_only);
    for EACH (node, &called)
        mark_absorbed(*node);
    if (is_program)
        remove_absorbed(module);

    DROP(&called);
    DROP(&graph.stack);
    DROP(&graph.order);
    struct node *node, *next;
    HASH_ITER(hh, graph.nodes, node, next)
    {
        HASH_DEL(graph.nodes, node);
        DROP(&node->callees);
        free(node);
    }
}
