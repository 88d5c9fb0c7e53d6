#include "declarations.h"
#include "arguments.h"
#include "sources.h"
#include "symbols_inside.h"
#include "variables.h"

#include <ctype.h>
#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DIMENSIONS = 8, DEEPEST = 16 };

/* ---- types ---- */

static bool type_of(Dwarf_Die *die, Dwarf_Die *type)
{
    Dwarf_Attribute attribute;
    Dwarf_Die named;
    return dwarf_formref_die(dwarf_attr_integrate(die, DW_AT_type, &attribute), &named) &&
           dwarf_peel_type(&named, type) == 0;
}

/* The numbers of elements, outermost first; -1 if one is not a constant. The outermost may be 0,
 * which stands for unknown: extern int counts[]. */
static int dimensions_of(Dwarf_Die *array, Dwarf_Word counts[MOST_DIMENSIONS])
{
    Dwarf_Die child;
    int dimensions = 0;
    if (dwarf_child(array, &child) != 0)
        return -1;
    do {
        Dwarf_Attribute attribute;
        Dwarf_Word number = 0;
        if (dwarf_tag(&child) != DW_TAG_subrange_type)
            continue;
        if (dwarf_formudata(dwarf_attr(&child, DW_AT_count, &attribute), &number) != 0 &&
            dwarf_formudata(dwarf_attr(&child, DW_AT_upper_bound, &attribute), &number) == 0)
            number++;
        if (dimensions == MOST_DIMENSIONS || (number == 0 && dimensions > 0))
            return -1;
        counts[dimensions++] = number;
    } while (dwarf_siblingof(&child, &child) == 0);
    return dimensions ? dimensions : -1;
}

/* The member that holds all of these bytes; `offset` becomes that in the member. */
static bool find_member(Dwarf_Die *record, uint64_t *offset, uint64_t bytes, Dwarf_Die *member)
{
    if (dwarf_child(record, member) != 0)
        return false;
    do {
        Dwarf_Attribute attribute;
        Dwarf_Word at = 0, size = 0;
        Dwarf_Die type;
        if (dwarf_tag(member) != DW_TAG_member || !dwarf_diename(member) ||
            dwarf_hasattr(member, DW_AT_bit_size) || dwarf_hasattr(member, DW_AT_external) ||
            !type_of(member, &type) || dwarf_aggregate_size(&type, &size) != 0)
            continue;
        if (dwarf_hasattr(member, DW_AT_data_member_location) &&
            dwarf_formudata(dwarf_attr(member, DW_AT_data_member_location, &attribute), &at) != 0)
            continue;
        if (*offset >= at && *offset + bytes <= at + size) {
            *offset -= at;
            return true;
        }
    } while (dwarf_siblingof(member, member) == 0);
    return false;
}

/* ---- names of elements ---- */

struct piece {
    struct report *report;
    const char *name; /* so far */
    uint64_t offset, bytes;
};

static bool step_into_array(struct piece *piece, Dwarf_Die *type, Dwarf_Die *element)
{
    Dwarf_Word counts[MOST_DIMENSIONS], size = 0;
    int dimensions = dimensions_of(type, counts);
    if (dimensions < 0 || !type_of(type, element) || dwarf_aggregate_size(element, &size) != 0 ||
        size == 0)
        return false;
    if (piece->offset % size + piece->bytes > size)
        return false; /* several elements: the array's name is enough */
    uint64_t index = piece->offset / size, rest = index, indices[MOST_DIMENSIONS];
    for (int i = dimensions; i-- > 1; rest /= counts[i])
        indices[i] = rest % counts[i];
    indices[0] = rest;
    if (counts[0] && rest >= counts[0])
        return false;
    for (int i = 0; i < dimensions; i++)
        piece->name =
            report_textf(piece->report, "%s[%llu]", piece->name, (unsigned long long)indices[i]);
    piece->offset %= size;
    return true;
}

/* As deep as one element or member holds all of the bytes. */
static void step_in(struct piece *piece, Dwarf_Die type)
{
    for (int depth = 0; depth < DEEPEST; depth++) {
        Dwarf_Die inner;
        int tag = dwarf_tag(&type);
        if (tag == DW_TAG_array_type) {
            if (!step_into_array(piece, &type, &inner))
                return;
            type = inner;
        } else if (tag == DW_TAG_structure_type || tag == DW_TAG_class_type) {
            if (!find_member(&type, &piece->offset, piece->bytes, &inner))
                return;
            piece->name = report_textf(piece->report, "%s.%s", piece->name, dwarf_diename(&inner));
            if (!type_of(&inner, &type))
                return;
        } else {
            return;
        }
    }
}

/* What a pointer points to is an array whose length is not known. */
static bool step_over_pointer(struct piece *piece, Dwarf_Die *pointer, Dwarf_Die *element)
{
    Dwarf_Word size = 0;
    if (!type_of(pointer, element) || dwarf_aggregate_size(element, &size) != 0 || size == 0)
        return false;
    if (piece->offset % size + piece->bytes > size)
        return true; /* several: the pointer's name is enough, and is no struct to step into */
    piece->name = report_textf(piece->report, "%s[%llu]", piece->name,
                               (unsigned long long)(piece->offset / size));
    piece->offset %= size;
    return true;
}

/* ---- what the source hands over ---- */

/* "counts", "&x", "&grid[3]": a variable and a number of elements behind its start. */
struct expression {
    char name[64];
    bool address, indexed;
    uint64_t index;
};

static bool read_expression(const char *text, struct expression *expression)
{
    *expression = (struct expression){.address = *text == '&'};
    text += *text == '&';
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        length++;
    if (!length || length >= sizeof expression->name || isdigit((unsigned char)*text))
        return false;
    memcpy(expression->name, text, length);
    text += length;
    if (*text == '[' && isdigit((unsigned char)text[1])) {
        char *end;
        expression->index = strtoull(text + 1, &end, 10);
        expression->indexed = true;
        text = *end == ']' ? end + 1 : "?";
    }
    return !*text && (!expression->indexed || expression->address);
}

/* A pointer that gets a value once, and is the same variable where the access is. */
static bool keeps_its_value(struct report *report, struct symbols *symbols, const char *name,
                            Dwarf_Die *variable, const struct frame *made,
                            const struct frame *place)
{
    Dwarf_Die there;
    return made->file && place->file && !strcmp(made->file, place->file) &&
           symbols_variable(symbols, place, name, &there) &&
           dwarf_dieoffset(&there) == dwarf_dieoffset(variable) &&
           source_line_names(report, place->file, place->line, name) &&
           source_changes(report, made->file, name) <= 1;
}

/* ---- sides ---- */

/* The name of what lies `offset` behind the argument that a call at `made` was given. */
static const char *name_of(struct report *report, struct symbols *symbols, const char *argument,
                           const struct frame *made, const struct frame *place, uint64_t offset,
                           uint64_t bytes)
{
    struct expression expression;
    Dwarf_Die variable, type, element;
    Dwarf_Word size = 0;
    if (!argument || !read_expression(argument, &expression) ||
        !symbols_variable(symbols, made, expression.name, &variable) || !type_of(&variable, &type))
        return NULL;
    struct piece piece = {report, report_text(report, expression.name), offset, bytes};
    if (dwarf_tag(&type) == DW_TAG_pointer_type) {
        if (expression.indexed ||
            !keeps_its_value(report, symbols, expression.name, &variable, made, place) ||
            !step_over_pointer(&piece, &type, &element))
            return NULL;
        type = element;
        if (!strcmp(piece.name, expression.name))
            return piece.name;
    } else if (expression.indexed) {
        if (dwarf_tag(&type) != DW_TAG_array_type || !type_of(&type, &element) ||
            dwarf_aggregate_size(&element, &size) != 0)
            return NULL;
        Dwarf_Word counts[MOST_DIMENSIONS];
        if (dimensions_of(&type, counts) != 1)
            return NULL;
        piece.offset += expression.index * size;
    } else if (dwarf_tag(&type) != DW_TAG_array_type && !expression.address) {
        return NULL;
    }
    step_in(&piece, type);
    return piece.name;
}

static bool is_own_access(const struct access *side)
{
    return side->present && !side->call && !side->epoch && !side->variable && side->kind &&
           (!strcmp(side->kind, "load") || !strcmp(side->kind, "store"));
}

/* The innermost frame, if it is the user's: names are looked up where its code is. */
static const struct frame *own_place(const struct stack *stack)
{
    const struct frame *place = stack_place(stack);
    return place && place == stack->frames && place->file ? place : NULL;
}

/* An element of the window of its own rank, from the call that made the window. */
static void name_in_window(struct report *report, struct symbols *symbols,
                           const struct memory *memory, struct access *side)
{
    const struct frame *made = own_place(&memory->created), *place = own_place(&side->stack);
    const char *call = memory->created_by;
    if (!made || !place || !call || side->rank != memory->rank || memory->offset < 0)
        return;
    bool allocated = !strcmp(call, "MPI_Win_allocate") || !strcmp(call, "MPI_Win_allocate_shared");
    if (!allocated && strcmp(call, "MPI_Win_create") != 0)
        return;
    const char *argument = variables_argument(report, made, call, allocated ? 4 : 0);
    if (allocated && (!argument || *argument++ != '&'))
        return; /* the address of the pointer */
    side->variable =
        name_of(report, symbols, argument, made, place, (uint64_t)memory->offset, memory->bytes);
}

/* An element of the buffer of the first side. */
static void name_in_buffer(struct report *report, struct symbols *symbols,
                           const struct memory *memory, const struct access *buffer,
                           struct access *side)
{
    const struct frame *made = own_place(&buffer->stack), *place = own_place(&side->stack);
    if (!made || !place || !buffer->call || buffer->epoch || side->bytes != memory->bytes ||
        memory->offset < 0)
        return;
    side->variable = name_of(report, symbols, variables_buffer(report, buffer), made, place,
                             (uint64_t)memory->offset, memory->bytes);
}

void declarations_name(struct report *report, struct symbols *symbols, struct finding *finding)
{
    const struct memory *memory = &finding->memory;
    struct access *sides[2] = {&finding->first, &finding->second};
    for (int i = 0; memory->present && i < 2; i++) {
        if (!is_own_access(sides[i]))
            continue;
        if (memory->side && !strcmp(memory->side, "target"))
            name_in_window(report, symbols, memory, sides[i]);
        else if (i == 1)
            name_in_buffer(report, symbols, memory, &finding->first, sides[i]);
    }
}
