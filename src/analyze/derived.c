#include "derived.h"

#include "arrays.h"
#include "normalise.h"

#include <string.h>

static const struct layout unknown;

bool constant_number(LLVMValueRef value, int64_t *number)
{
    if (!LLVMIsAConstantInt(value))
        return false;
    *number = LLVMConstIntGetSExtValue(value);
    return true;
}

static bool constant_argument(LLVMValueRef call, unsigned index, int64_t *number)
{
    return index < LLVMGetNumArgOperands(call) &&
           constant_number(LLVMGetOperand(call, index), number);
}

/* Adds the runs of a layout, moved by so many bytes. */
static bool add_runs(struct layout *into, const struct layout *layout, int64_t moved)
{
    for (unsigned i = 0; i < layout->nruns; i++) {
        if (into->nruns == LAYOUT_RUNS)
            return false;
        into->runs[into->nruns] = layout->runs[i];
        into->runs[into->nruns++].offset += moved;
    }
    return true;
}

/* Whether one run can stand for `count` copies of it. */
static bool repeat_run(struct run *run, int64_t count, int64_t step)
{
    if (run->count == 1 && step == run->length)
        *run = (struct run){run->offset, run->length * count, 0, 1};
    else if (run->count == 1)
        *run = (struct run){run->offset, run->length, step, count};
    else if (step == run->stride * run->count)
        run->count *= count;
    else
        return count == 1;
    return true;
}

/* `count` elements of the layout, each `step` bytes after the last one. */
static struct layout repeated(struct layout element, int64_t count, int64_t step)
{
    struct layout layout = element;
    if (!element.known || count < 0)
        return unknown;
    if (count == 0)
        layout.nruns = 0;
    for (unsigned i = 0; i < layout.nruns; i++)
        if (!repeat_run(&layout.runs[i], count, step)) {
            layout.nruns = 0;
            for (int64_t k = 0; k < count; k++)
                if (!add_runs(&layout, &element, k * step))
                    return unknown;
            break;
        }
    layout.extent = count ? (count - 1) * step + element.extent : 0;
    return layout;
}

/* ---- blocks here and there ---- */

/* How MPI aligns a structure with such an element: the largest power of two, up to 8, in its
 * extent. */
static int64_t alignment(int64_t extent)
{
    int64_t align = 8;
    while (align > 1 && extent % align)
        align /= 2;
    return align;
}

struct collection {
    struct layout layout;
    int64_t lower, upper, align;
};

static bool add_block(struct collection *collection, const struct layout *element, int64_t length,
                      int64_t start)
{
    struct layout block = repeated(*element, length, element->extent);
    struct layout *layout = &collection->layout;
    bool first = !layout->known;
    if (!block.known || !add_runs(layout, &block, start))
        return false;
    layout->basic = first || layout->basic == element->basic ? element->basic : 0;
    layout->known = true;
    if (first || start < collection->lower)
        collection->lower = start;
    if (first || start + block.extent > collection->upper)
        collection->upper = start + block.extent;
    if (alignment(element->extent) > collection->align)
        collection->align = alignment(element->extent);
    return true;
}

enum { MANY_BLOCKS = 64 };

/* MPI_Type_indexed and its relatives. `length`: the argument with one length for all, or with an
 * array of them. */
static struct layout indexed(LLVMValueRef call, bool one_length, bool in_bytes, bool large,
                             struct layout element)
{
    struct collection collection = {0};
    unsigned number_size = large ? 8 : 4;
    int64_t count, length = 0, start;
    if (!element.known || !constant_argument(call, 0, &count) || count < 1 || count > MANY_BLOCKS ||
        (one_length && !constant_argument(call, 1, &length)))
        return unknown;
    for (int64_t i = 0; i < count; i++) {
        if ((!one_length && !array_number(LLVMGetOperand(call, 1), i, number_size, &length)) ||
            !array_number(LLVMGetOperand(call, 2), i, in_bytes ? 8 : number_size, &start) ||
            !add_block(&collection, &element, length, in_bytes ? start : start * element.extent))
            return unknown;
    }
    collection.layout.extent = collection.upper - collection.lower;
    return collection.layout;
}

/* An element of an array of handles. */
static struct layout element_layout(LLVMValueRef types, int64_t index, enum flavour flavour,
                                    int depth)
{
    LLVMValueRef type = array_element(types, index, flavour == FLAVOUR_openmpi ? 8 : 4);
    if (!type)
        return unknown;
    return value_is_call(type) ? layout_constructed(type, flavour, depth - 1)
                               : layout_of_value(type, flavour, depth);
}

static struct layout structure(LLVMValueRef call, bool large, enum flavour flavour, int depth)
{
    struct collection collection = {0};
    int64_t count, length, start;
    if (!constant_argument(call, 0, &count) || count < 1 || count > MANY_BLOCKS)
        return unknown;
    for (int64_t i = 0; i < count; i++) {
        struct layout element = element_layout(LLVMGetOperand(call, 3), i, flavour, depth);
        if (!element.known || !array_number(LLVMGetOperand(call, 1), i, large ? 8 : 4, &length) ||
            !array_number(LLVMGetOperand(call, 2), i, 8, &start) ||
            !add_block(&collection, &element, length, start))
            return unknown;
    }
    int64_t extent = collection.upper - collection.lower, align = collection.align;
    collection.layout.extent = (extent + align - 1) / align * align;
    return collection.layout;
}

static struct layout subarray(LLVMValueRef call, bool large, enum flavour flavour, int depth)
{
    enum { DIMENSIONS = 8 };
    int64_t dimensions, order, sizes[DIMENSIONS], parts[DIMENSIONS], starts[DIMENSIONS];
    struct layout layout = layout_of_value(LLVMGetOperand(call, 5), flavour, depth);
    if (!layout.known || !constant_argument(call, 0, &dimensions) || dimensions < 1 ||
        dimensions > DIMENSIONS || !constant_argument(call, 4, &order))
        return unknown;
    bool rows_last = order == (flavour == FLAVOUR_openmpi ? 1 : 57); /* MPI_ORDER_FORTRAN */
    for (int64_t i = 0; i < dimensions; i++) {
        int64_t from = rows_last ? dimensions - 1 - i : i;
        unsigned bytes = large ? 8 : 4;
        if (!array_number(LLVMGetOperand(call, 1), from, bytes, &sizes[i]) ||
            !array_number(LLVMGetOperand(call, 2), from, bytes, &parts[i]) ||
            !array_number(LLVMGetOperand(call, 3), from, bytes, &starts[i]))
            return unknown;
    }
    int64_t step = layout.extent, moved = 0;
    for (int64_t i = dimensions - 1; i >= 0; i--) {
        moved += starts[i] * step;
        layout = repeated(layout, parts[i], step);
        if (!layout.known)
            return unknown;
        step *= sizes[i];
    }
    for (unsigned i = 0; i < layout.nruns; i++)
        layout.runs[i].offset += moved;
    layout.extent = step;
    return layout;
}

struct layout layout_constructed(LLVMValueRef call, enum flavour flavour, int depth)
{
    const struct routine *routine = call_routine(call);
    const char *full = routine->name + strlen("MPI_Type_");
    char name[32];
    size_t length = strlen(full);
    bool large = routine->large;
    if (length >= sizeof name)
        return unknown;
    memcpy(name, full, length + 1);
    if (large)
        name[length - 2] = 0; /* _c */
    int64_t count, block, stride, lower, extent;
    if (!strcmp(name, "dup"))
        return layout_of_value(LLVMGetOperand(call, 0), flavour, depth);
    if (!strcmp(name, "contiguous") && constant_argument(call, 0, &count)) {
        struct layout element = layout_of_value(LLVMGetOperand(call, 1), flavour, depth);
        return repeated(element, count, element.extent);
    }
    if (!strcmp(name, "create_resized") && constant_argument(call, 1, &lower) && lower == 0 &&
        constant_argument(call, 2, &extent)) {
        struct layout layout = layout_of_value(LLVMGetOperand(call, 0), flavour, depth);
        layout.extent = extent;
        return layout;
    }
    bool in_bytes = !strcmp(name, "create_hvector") || !strcmp(name, "hvector");
    if ((in_bytes || !strcmp(name, "vector")) && constant_argument(call, 0, &count) &&
        constant_argument(call, 1, &block) && constant_argument(call, 2, &stride)) {
        struct layout element = layout_of_value(LLVMGetOperand(call, 3), flavour, depth);
        if (!element.known)
            return element;
        struct layout blocks = repeated(element, block, element.extent);
        return repeated(blocks, count, in_bytes ? stride : stride * element.extent);
    }
    bool block_of = !strcmp(name, "create_indexed_block"),
         hblock = !strcmp(name, "create_hindexed_block");
    bool hindexed = !strcmp(name, "create_hindexed") || !strcmp(name, "hindexed");
    if (block_of || hblock || hindexed || !strcmp(name, "indexed"))
        return indexed(call, block_of || hblock, hblock || hindexed, large,
                       layout_of_value(LLVMGetOperand(call, 3), flavour, depth));
    if (!strcmp(name, "create_struct") || !strcmp(name, "struct"))
        return structure(call, large, flavour, depth);
    if (!strcmp(name, "create_subarray"))
        return subarray(call, large, flavour, depth);
    return unknown;
}

/* ---- MPI_BOTTOM ---- */

/* Displacements that are addresses: what MPI_Get_address wrote into the array. */
static LLVMValueRef located(LLVMValueRef displacements, int64_t index)
{
    LLVMValueRef value = array_element(displacements, index, 8);
    if (value && LLVMIsALoadInst(value))
        value = array_element(LLVMGetOperand(value, 0), 0, 8);
    const struct routine *routine = value && value_is_call(value) ? call_routine(value) : NULL;
    return routine && !strcmp(routine->name, "MPI_Get_address") ? LLVMGetOperand(value, 0) : NULL;
}

unsigned type_blocks(LLVMValueRef type, enum flavour flavour, struct type_block blocks[TYPE_BLOCKS])
{
    enum { DEPTH = 8 };
    LLVMValueRef call = type_constructor(type);
    const char *name = call ? call_routine(call)->name : "";
    bool is_struct = !strcmp(name, "MPI_Type_create_struct") || !strcmp(name, "MPI_Type_struct");
    int64_t count;
    if ((!is_struct && strcmp(name, "MPI_Type_create_hindexed")) ||
        !constant_argument(call, 0, &count) || count < 1 || count > TYPE_BLOCKS)
        return 0;
    for (int64_t i = 0; i < count; i++) {
        struct type_block *block = &blocks[i];
        block->element = is_struct ? element_layout(LLVMGetOperand(call, 3), i, flavour, DEPTH)
                                   : layout_of_value(LLVMGetOperand(call, 3), flavour, DEPTH);
        block->address = located(LLVMGetOperand(call, 2), i);
        if (!block->address || !array_number(LLVMGetOperand(call, 1), i, 4, &block->count))
            return 0;
    }
    return (unsigned)count;
}
