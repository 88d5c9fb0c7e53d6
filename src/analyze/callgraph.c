#include "callgraph.h"

#include "normalise.h"

enum { CALLEES_THROUGH_POINTER = 64 };

struct caller *callgraph_find(struct callgraph *graph, LLVMValueRef function)
{
    uint32_t number = function ? value_map_get(&graph->numbers, function) : VALUE_MAP_NONE;
    return number == VALUE_MAP_NONE ? NULL : &graph->callers.items[number];
}

static void add_call(struct callgraph *graph, struct caller *caller, LLVMValueRef call,
                     struct points *points)
{
    LLVMValueRef callee = call_target(call), reached[CALLEES_THROUGH_POINTER];
    if (callee) {
        uint32_t number = value_map_get(&graph->numbers, callee);
        if (number != VALUE_MAP_NONE)
            APPEND(&caller->callees, number);
        return;
    }
    if (LLVMIsAInlineAsm(LLVMGetCalledValue(call)))
        return;
    size_t count = points ? points_callees(points, call, reached, CALLEES_THROUGH_POINTER) : 0;
    caller->calls_unknown |= !count;
    for (size_t i = 0; i < count; i++) {
        uint32_t number = value_map_get(&graph->numbers, reached[i]);
        if (number != VALUE_MAP_NONE)
            APPEND(&caller->through, number);
        else
            caller->calls_unknown = true;
    }
}

static void scan(struct callgraph *graph, struct caller *caller, struct points *points)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(caller->function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at;
             at = LLVMGetNextInstruction(at)) {
            caller->size++;
            LLVMOpcode opcode = LLVMGetInstructionOpcode(at);
            if (opcode == LLVMCall || opcode == LLVMInvoke)
                add_call(graph, caller, at, points);
        }
}

/* Tarjan's components, with an explicit stack: call graphs of generated code can be deep. */
struct frame {
    uint32_t number;
    size_t next;
};

struct search {
    LIST(uint32_t) stack;
    unsigned next_index, next_component;
};

static void close_component(struct callgraph *graph, struct search *search, uint32_t root)
{
    uint32_t member;
    search->next_component++;
    do {
        member = search->stack.items[--search->stack.count];
        graph->callers.items[member].on_stack = false;
        graph->callers.items[member].component = search->next_component;
        APPEND(&graph->order, member);
    } while (member != root);
}

static void visit(struct callgraph *graph, struct search *search, uint32_t root)
{
    LIST(struct frame) frames = {0};
    APPEND(&frames, (struct frame){root, 0});
    while (frames.count) {
        struct frame *frame = &frames.items[frames.count - 1];
        struct caller *caller = &graph->callers.items[frame->number];
        if (frame->next == 0 && !caller->index) {
            caller->index = caller->low = ++search->next_index;
            caller->on_stack = true;
            APPEND(&search->stack, frame->number);
        }
        if (frame->next < caller->callees.count) {
            uint32_t number = caller->callees.items[frame->next++];
            const struct caller *callee = &graph->callers.items[number];
            if (!callee->index)
                APPEND(&frames, (struct frame){number, 0});
            else if (callee->on_stack && callee->index < caller->low)
                caller->low = callee->index;
            continue;
        }
        for EACH (number, &caller->callees) {
            const struct caller *callee = &graph->callers.items[*number];
            if (callee->on_stack && callee->low < caller->low)
                caller->low = callee->low;
        }
        if (caller->low == caller->index)
            close_component(graph, search, frame->number);
        frames.count--;
    }
    DROP(&frames);
}

struct callgraph *callgraph_build(LLVMModuleRef module, struct points *points)
{
    struct callgraph *graph = checked(calloc(1, sizeof *graph));
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function))
        if (!LLVMIsDeclaration(function)) {
            value_map_add(&graph->numbers, function, (uint32_t)graph->callers.count);
            APPEND(&graph->callers, (struct caller){.function = function});
        }
    for EACH (caller, &graph->callers)
        scan(graph, caller, points);
    struct search search = {0};
    for (uint32_t i = 0; i < graph->callers.count; i++)
        if (!graph->callers.items[i].index)
            visit(graph, &search, i);
    DROP(&search.stack);
    return graph;
}

void callgraph_free(struct callgraph *graph)
{
    for EACH (caller, &graph->callers) {
        DROP(&caller->callees);
        DROP(&caller->through);
    }
    DROP(&graph->callers);
    DROP(&graph->order);
    value_map_drop(&graph->numbers);
    free(graph);
}
