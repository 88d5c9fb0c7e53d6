/* Decoding of one datatype, whatever combiner made it: see layout.h for what is wanted. */
#ifndef REGATTA_INTERPOSE_DATATYPE_SHAPE_H
#define REGATTA_INTERPOSE_DATATYPE_SHAPE_H

#include "datatype_layout.h"
#include "section_list.h"

struct shape {
    struct section_list sections; /* of one element at address 0 */
    int64_t extent;               /* from one element to the next */
    bool predefined;              /* never freed, by us or by the program */
    bool has_gapped_pairs;        /* holds a pair type with a gap inside */
    enum { NO_BASIC, ONE_BASIC, MIXED_BASICS } basics;
    struct layout_basic basic; /* if ONE_BASIC */
};

/* The bytes that are touched, or whole elements where pair types have gaps. */
enum shape_kind { SHAPE_BYTES, SHAPE_ELEMENTS };

/* Fills `shape`; the caller frees its sections in any case. False if it cannot be decoded. */
bool shape_of(struct shape *shape, MPI_Datatype type, enum shape_kind kind);

/* MPI_DATATYPE_NULL, without a reference to a symbol of the MPI library. */
MPI_Datatype datatype_null(void);

#endif
