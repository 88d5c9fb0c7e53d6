/* How calls name objects, and how results are given back. */
#include "mpi.h"

/* Handles that the virtual MPI makes: a number that neither MPI uses. */
#define OWN_HANDLE 0x70000000u

bool failed(const struct call *c)
{
    return c->p->state == GAVE_UP;
}

enum outcome wrong(struct call *c)
{
    c->w->illegal = true;
    stop(c->w, c->p, "a wrong argument of %s", c->function->name);
    return STOPS;
}

static void missing(struct call *c)
{
    stop(c->w, c->p, "an unknown argument of %s", c->function->name);
}

int64_t number_at(struct call *c, int i)
{
    if (i < 0 || i >= c->n || !c->arguments[i].known) {
        missing(c);
        return 0;
    }
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(c->site->instruction, (unsigned)i));
    unsigned width = LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 64;
    uint64_t bits = c->arguments[i].bits;
    return width < 64 ? (int64_t)(bits << (64 - width)) >> (64 - width) : (int64_t)bits;
}

uint64_t address_at(struct call *c, int i)
{
    if (i < 0 || i >= c->n || !c->arguments[i].known) {
        missing(c);
        return 0;
    }
    return c->arguments[i].bits;
}

int argument_with(const struct call *c, enum role role)
{
    for (int i = 0; i < c->function->routine->narguments; i++)
        if (c->function->routine->arguments[i].role == role)
            return i;
    return -1;
}

int64_t number_with(struct call *c, enum role role)
{
    return number_at(c, argument_with(c, role));
}

uint64_t address_with(struct call *c, enum role role)
{
    return address_at(c, argument_with(c, role));
}

int64_t element_at(struct call *c, uint64_t array, int64_t i, unsigned bytes)
{
    uint64_t value;
    if (!peek(c->w, c->p, array + (uint64_t)i * bytes, bytes, &value)) {
        missing(c);
        return 0;
    }
    return bytes == 4 ? (int32_t)value : (int64_t)value;
}

void store_number(struct call *c, uint64_t address, unsigned bytes, uint64_t number)
{
    if (!poke(c->w, c->p, address, bytes, number))
        stop(c->w, c->p, "%s writes to memory that is not the program's", c->function->name);
}

const char *global_name(const struct world *w, uint64_t address)
{
    uint64_t offset = address & (((uint64_t)1 << SPACE_SHIFT) - 1);
    for (size_t i = 0; i < w->code->globals.n; i++)
        if (w->code->globals.at[i].offset == offset)
            return w->code->globals.at[i].name;
    return NULL;
}

static int predefined(const struct world *w, int rank, enum kind kind, uint64_t handle)
{
    if (!w->openmpi) {
        if (kind == KIND_COMM && handle == 0x44000000)
            return 0;
        if (kind == KIND_COMM && handle == 0x44000001)
            return 1 + rank;
        if (kind == KIND_GROUP && handle == 0x48000000)
            return 0;
        if (kind == KIND_OP && handle >> 8 == 0x580000 && (handle & 0xff) < OPS)
            return (int)(handle & 0xff);
        return -1;
    }
    static const char *const ops[OPS] = {"",     "max",    "min",    "sum",     "prod",
                                         "land", "band",   "lor",    "bor",     "lxor",
                                         "bxor", "minloc", "maxloc", "replace", "no_op"};
    const char *name = global_name(w, handle);
    if (!name)
        return -1;
    if (kind == KIND_COMM && !strcmp(name, "ompi_mpi_comm_world"))
        return 0;
    if (kind == KIND_COMM && !strcmp(name, "ompi_mpi_comm_self"))
        return 1 + rank;
    if (kind == KIND_GROUP && !strcmp(name, "ompi_mpi_group_empty"))
        return 0;
    if (kind == KIND_OP && !strncmp(name, "ompi_mpi_op_", 12))
        for (int i = 1; i < OPS; i++)
            if (!strcmp(name + 12, ops[i]))
                return i;
    return -1;
}

int object_of(struct call *c, enum kind kind, uint64_t handle)
{
    if ((handle & 0xff000000) == OWN_HANDLE && handle >> 32 == 0 && (handle >> 20 & 15) == kind)
        return (int)(handle & 0xfffff);
    return predefined(c->w, c->p->rank, kind, handle);
}

void store_handle(struct call *c, uint64_t address, enum kind kind, size_t number)
{
    if (number > 0xfffff)
        stop(c->w, c->p, "too many objects of MPI");
    store_number(c, address, c->w->mpi->numbers.handle, OWN_HANDLE | (uint64_t)kind << 20 | number);
}

void store_null(struct call *c, uint64_t address, enum kind kind)
{
    static const uint64_t mpich[KINDS] = {0x04000000, 0x0c000000, 0x18000000, 0x2c000000,
                                          0x20000000, 0x08000000, 0x1c000000, 0x2c000000};
    static const char *const openmpi[KINDS] = {
        "ompi_mpi_comm_null", "ompi_mpi_datatype_null", "ompi_mpi_op_null",   "ompi_request_null",
        "ompi_mpi_win_null",  "ompi_mpi_group_null",    "ompi_mpi_info_null", "ompi_message_null"};
    uint64_t handle = mpich[kind];
    if (c->w->openmpi) {
        handle = 0;
        for (size_t i = 0; i < c->w->code->globals.n; i++)
            if (!strcmp(c->w->code->globals.at[i].name, openmpi[kind]))
                handle = process_base(c->p->rank) + c->w->code->globals.at[i].offset;
    }
    store_number(c, address, c->w->mpi->numbers.handle, handle);
}

uint64_t handle_in(struct call *c, uint64_t address)
{
    uint64_t handle;
    if (!peek(c->w, c->p, address, c->w->mpi->numbers.handle, &handle))
        missing(c);
    return handle;
}

struct comm *comm_at(struct call *c, int argument)
{
    int number = object_of(c, KIND_COMM, address_at(c, argument));
    if (failed(c))
        return NULL;
    if (number < 0 || rank_in(c->w->mpi->comms.at[number], c->p->rank) < 0) {
        wrong(c);
        return NULL;
    }
    return c->w->mpi->comms.at[number];
}

struct comm *comm_with(struct call *c)
{
    return comm_at(c, argument_with(c, ROLE_comm));
}

int rank_in(const struct comm *comm, int rank)
{
    for (int i = 0; i < comm->size; i++)
        if (comm->ranks[i] == rank)
            return i;
    return -1;
}

void write_status(struct call *c, uint64_t status, int source, int tag, uint64_t bytes)
{
    const struct numbers *numbers = &c->w->mpi->numbers;
    if (status == numbers->status_ignore)
        return;
    store_number(c, status + numbers->source, 4, (uint32_t)source);
    store_number(c, status + numbers->tag, 4, (uint32_t)tag);
    store_number(c, status + numbers->count, 8, bytes);
}

/* ---- The call itself ---- */

static enum outcome begin_or_end(struct call *c)
{
    struct gathering *gathering;
    int mine;
    const int64_t none[4] = {0};
    bool first = !strncmp(c->function->routine->name, "MPI_Init", 8);
    if (!all_together(c, c->w->mpi->comms.at[0], none, true, &gathering, &mine))
        return failed(c) ? STOPS : WAITS;
    if (first) {
        c->p->initialised = true;
        int provided = argument_with(c, ROLE_required);
        if (provided >= 0)
            store_number(c, address_at(c, provided + 1), 4, (uint64_t)number_at(c, provided));
    } else {
        c->p->finalised = true;
    }
    return OVER;
}

enum outcome mpi_call(struct call *c)
{
    const struct routine *routine = c->function->routine;
    c->results[0] = (struct value){0, 1}; /* MPI_SUCCESS */
    if (c->n < routine->narguments)
        return STOPS;
    if (c->p->freed_requests && routine->verb != VERB_local && routine->verb != VERB_releases)
        freed_uses_end(c->p, c->w->mpi);
    c->w->lucky |= routine->verb == VERB_tests || routine->verb == VERB_peeks ||
                   routine->verb == VERB_probes || routine->object == OBJECT_any ||
                   routine->object == OBJECT_some;
    switch (routine->verb) {
    case VERB_initialises:
    case VERB_finalises:
        return begin_or_end(c);
    case VERB_aborts:
        c->p->failed = c->w->aborted = true;
        c->p->state = ENDED;
        return OVER;
    case VERB_blocking:
    case VERB_starts:
    case VERB_prepares:
        if (routine->object == OBJECT_collective)
            return collective_call(c);
        if (routine->object == OBJECT_send || routine->object == OBJECT_recv ||
            routine->object == OBJECT_sendrecv)
            return message_call(c);
        if (routine->object == OBJECT_partitioned_send ||
            routine->object == OBJECT_partitioned_recv)
            return partitioned_call(c);
        return routine->object == OBJECT_local ? local_call(c) : STOPS;
    case VERB_probes:
        return message_call(c);
    case VERB_activates:
    case VERB_releases:
        return request_call(c);
    case VERB_completes:
        return request_call(c);
    case VERB_tests:
        if (routine->object == OBJECT_exposure)
            return epoch_call(c);
        return routine->object == OBJECT_partition ? partitioned_call(c) : request_call(c);
    case VERB_readies:
        return partitioned_call(c);
    case VERB_peeks:
        return request_call(c);
    case VERB_issues:
        return rma_call(c);
    case VERB_opens:
    case VERB_closes:
    case VERB_flushes:
    case VERB_flushes_local:
    case VERB_syncs:
        return epoch_call(c);
    case VERB_creates:
    case VERB_frees:
        if (routine->object == OBJECT_comm)
            return comm_call(c);
        if (routine->object == OBJECT_type)
            return type_call(c);
        return routine->object == OBJECT_file ? STOPS : window_call(c);
    case VERB_attaches:
    case VERB_detaches:
        return window_call(c);
    case VERB_names:
        return OVER;
    case VERB_allocates:
    case VERB_deallocates:
    case VERB_local:
        return comm_call(c);
    default:
        return STOPS;
    }
}
