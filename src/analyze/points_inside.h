/* Inside of the pointer analysis: shared by the part that solves (points.c) and the part that
 * answers (places_of.c). See points.c for the terms. */
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

/* The number of the value's node; constants are nodes from their first use on. */
uint32_t points_node(struct points *points, LLVMValueRef value);
/* Passes on what is new. */
void points_settle(struct points *points);
/* Offsets of elements of one array are one. */
int64_t points_offset(const struct pointee *object, int64_t offset);

#endif
