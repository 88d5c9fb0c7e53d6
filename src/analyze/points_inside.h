/* Inside of the pointer analysis: shared by the part that solves (points.c), the part that says
 * what is to be solved (points_constraints.c) and the part that answers (questions.c). See points.c
 * for the terms. */
#ifndef REGATTA_ANALYZE_POINTS_INSIDE_H
#define REGATTA_ANALYZE_POINTS_INSIDE_H

#include "arena.h"
#include "points.h"
#include "value_map.h"

#include <llvm-c/Target.h>

enum { RANGES = 8 };

struct set {
    uint32_t *items; /* sorted place numbers */
    uint32_t count, room;
};

/* Part of an object whose elements are one: [start, end) with this stride. */
struct range {
    int64_t start, end, stride;
};

struct pointee {
    LLVMValueRef value;
    unsigned nranges;
    struct range ranges[RANGES];
    LIST(uint32_t) fields;      /* place numbers */
    int64_t used_from, used_to; /* where MPI's buffers are in it; used_to 0: nowhere */
};

enum constraint_kind { COPY, OFFSET, ELEMENT, LOAD, STORE, COPY_ALL_FROM, COPY_ALL_TO, CALL };

struct constraint {
    enum constraint_kind kind;
    uint32_t other;
    int64_t number; /* OFFSET: bytes; ELEMENT: stride */
    union {
        int64_t length;    /* ELEMENT: bytes of the array, 0: unknown */
        LLVMValueRef call; /* CALL */
    };
};

struct node {
    struct set all, fresh; /* fresh: not yet passed on */
    struct constraint *constraints;
    uint32_t nconstraints, room;
    bool anything, anything_passed, queued;
    /* if it is a place: */
    uint32_t object;
    int64_t offset;
    bool is_place;
};

struct points {
    LLVMModuleRef module;
    LLVMTargetDataRef data;
    LIST(struct node) nodes;
    LIST(struct pointee) objects;
    struct value_map values, object_of;
    struct arena arena; /* members of sets, constraints */
    LIST(uint32_t) queue;
    LIST(uint32_t) returned; /* by function object: node of its result */
    bool buffers_anywhere;
};

/* ---- points.c ---- */
bool points_is_pointer(LLVMValueRef value);
uint32_t points_new_node(struct points *points);
void points_make_anything(struct points *points, uint32_t number);
/* What the node holds already is passed to the new constraint at once. */
void points_add_constraint(struct points *points, uint32_t number, struct constraint constraint);
void points_add_copy(struct points *points, uint32_t from, uint32_t to);
uint32_t points_object_of(struct points *points, LLVMValueRef value);
uint32_t points_place_at(struct points *points, uint32_t object_number, int64_t offset);
void points_address_of(struct points *points, uint32_t node, LLVMValueRef object);
/* Passes on what is new. */
void points_settle(struct points *points);
/* Offsets of elements of one array are one. */
int64_t points_offset(const struct pointee *object, int64_t offset);

/* ---- points_constraints.c ---- */
/* The number of the value's node; constants are nodes from their first use on. */
uint32_t points_node(struct points *points, LLVMValueRef value);
/* The call may be one of that function. */
void points_bind_call(struct points *points, LLVMValueRef call, LLVMValueRef callee);
/* The constraints of the whole program. */
void points_collect(struct points *points);

#endif
