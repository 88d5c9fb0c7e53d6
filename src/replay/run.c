/* The interpreter. */
#include "arithmetic.h"
#include "world.h"

#include <stdarg.h>

enum { MOST_VALUES = 1 << 20, MOST_FRAMES = 20000 };

void stop(struct world *w, struct process *p, const char *why, ...)
{
    va_list arguments;
    p->state = GAVE_UP;
    if (w->reason)
        return;
    va_start(arguments, why);
    vsnprintf(w->reason_room, sizeof w->reason_room, why, arguments);
    va_end(arguments);
    w->reason = w->reason_room;
    w->where = current_instruction(p);
}

/* The process ends by a mistake of its own: a null pointer where there are no arguments. */
enum outcome crash(struct process *p)
{
    p->failed = true;
    p->state = ENDED;
    return OVER;
}

LLVMValueRef current_instruction(const struct process *p)
{
    if (!p->frames.n)
        return NULL;
    const struct frame *frame = &p->frames.at[p->frames.n - 1];
    return frame->pc < frame->function->sources.n ? frame->function->sources.at[frame->pc] : NULL;
}

static void refresh_constants(struct world *w, struct process *p)
{
    size_t n = w->code->constants.n;
    if (p->nconstants == n)
        return;
    p->constants = got(realloc(p->constants, n * sizeof *p->constants));
    for (size_t i = p->nconstants; i < n; i++) {
        const struct constant *constant = &w->code->constants.at[i];
        p->constants[i] = (struct value){
            constant->bits + (constant->kind == CONSTANT_ADDRESS ? process_base(p->rank) : 0),
            constant->kind != CONSTANT_UNKNOWN};
    }
    p->nconstants = n;
}

bool enter_function(struct world *w, struct process *p, struct function *function,
                    const struct value *arguments, int narguments, int32_t to, int nresults)
{
    uint32_t base = 0;
    if (p->frames.n) {
        const struct frame *top = &p->frames.at[p->frames.n - 1];
        base = top->base + (uint32_t)top->function->nslots;
    }
    code_lower(w->code, function);
    refresh_constants(w, p);
    if (base + (uint32_t)function->nslots + 64 > MOST_VALUES || p->frames.n >= MOST_FRAMES) {
        stop(w, p, "calls are nested too deeply");
        return false;
    }
    for (int i = 0; i < function->nslots; i++)
        p->values[base + (uint32_t)i] =
            i < narguments && i < function->nparameters ? arguments[i] : (struct value){0, 0};
    struct frame frame = {.function = function,
                          .base = base,
                          .stack = p->space.stack,
                          .to = to,
                          .nresults = nresults};
    ADD(&p->frames, frame);
    return true;
}

/* Statements that return share one block, which clang calls "return"; each jumps there from its
 * line. */
static LLVMValueRef returning(const struct frame *frame)
{
    LLVMValueRef at = frame->function->sources.at[frame->pc];
    bool shared = !strncmp(LLVMGetBasicBlockName(LLVMGetInstructionParent(at)), "return", 6);
    return shared ? frame->function->sources.at[frame->jumped] : at;
}

static void leave_frame(struct world *w, struct process *p, const struct frame *frame)
{
    uint64_t start = process_base(p->rank) + frame->stack, size = p->space.stack - frame->stack;
    if (!size)
        return;
    if (memory_has(p, start, size, IN_USE | WINDOW)) {
        p->instead = returning(frame);
        judge_end_of(w, p, start, size, "return");
        p->instead = NULL;
    }
    memory_kill(p, start, size);
    p->space.stack = frame->stack;
}

static void return_from(struct world *w, struct process *p, const struct value *results, int n)
{
    struct frame frame = p->frames.at[p->frames.n - 1];
    leave_frame(w, p, &frame);
    p->frames.n--;
    if (!p->frames.n) {
        p->failed |= n > 0 && results[0].known && (uint32_t)results[0].bits;
        p->state = ENDED;
        return;
    }
    struct value *values = p->values + p->frames.at[p->frames.n - 1].base;
    for (int i = 0; i < frame.nresults; i++)
        values[frame.to + i] = i < n ? results[i] : (struct value){0, 0};
    if (frame.nresults >= 0) /* a constructor comes before main begins */
        p->frames.at[p->frames.n - 1].pc++;
}

enum { LOWEST = 4096 }; /* below is nothing: null pointers */

/* Loads and stores. False: the process has stopped. */
static bool access_memory(struct world *w, struct process *p, uint64_t address, unsigned size,
                          bool write, struct value *value, bool atomic)
{
    struct process *owner;
    uint8_t *shadow, *at = memory_at(w, p, address, size, &shadow, &owner);
    if (!at && address < LOWEST) {
        crash(p);
        return false;
    }
    if (!at) {
        stop(w, p, "an access to memory that is not the program's");
        return false;
    }
    uint8_t all = KNOWN, any = 0;
    for (unsigned i = 0; i < size; i++) {
        all &= shadow[i];
        any |= shadow[i];
    }
    if (any & (WINDOW | IN_USE) || owner != p) {
        if (atomic && (any & WINDOW || owner != p)) {
            stop(w, p, "an atomic access of the language to window memory");
            return false;
        }
        judge_access(w, p, address, size, write, site_here(w, p, NULL, NULL), NULL);
        if (p->state != RUNNING)
            return false;
    }
    if (!write) {
        value->bits = 0;
        value->known = size <= 8 && (all & KNOWN);
        memcpy(&value->bits, at, size <= 8 ? size : 8);
        return true;
    }
    if (size <= 8)
        memcpy(at, &value->bits, size);
    bool known = value->known && size <= 8;
    for (unsigned i = 0; i < size; i++)
        shadow[i] = (uint8_t)(known ? shadow[i] | KNOWN : shadow[i] & ~KNOWN);
    return true;
}

static void allocate(struct world *w, struct process *p, const struct step *step, struct value *to,
                     struct value size, struct value count)
{
    uint64_t align = step->c > 16 ? (uint64_t)step->c : 16;
    if (!count.known || count.bits > 1 << 24) {
        stop(w, p, "an array of unknown size");
        return;
    }
    uint64_t bytes = size.bits * count.bits, at = (p->space.stack + 16 + align - 1) / align * align;
    if (at + bytes + 64 > p->space.stack_end) {
        stop(w, p, "the stack is used up");
        return;
    }
    memset(p->space.shadow + at, ALIVE, bytes);
    w->steps += bytes / 64;
    p->space.stack = at + bytes;
    *to = (struct value){process_base(p->rank) + at, 1};
}

/* atomicrmw and cmpxchg on memory that is nobody else's. */
static bool update(struct world *w, struct process *p, const struct step *step, struct value *to,
                   struct value pointer, struct value b, struct value c)
{
    struct value old = {0, 0}, new = b;
    unsigned size = step->width / 8;
    if (!access_memory(w, p, pointer.bits, size, false, &old, true))
        return false;
    to[0] = old;
    if (step->what == DO_EXCHANGE) {
        if (!old.known || !b.known) {
            stop(w, p, "a comparison of unknown values");
            return false;
        }
        to[1] = (struct value){old.bits == b.bits, 1};
        return old.bits != b.bits || access_memory(w, p, pointer.bits, size, true, &c, true);
    }
    switch (step->more) {
    case LLVMAtomicRMWBinOpXchg:
        break;
    case LLVMAtomicRMWBinOpAdd:
        new.bits = old.bits + b.bits;
        break;
    case LLVMAtomicRMWBinOpSub:
        new.bits = old.bits - b.bits;
        break;
    case LLVMAtomicRMWBinOpAnd:
        new.bits = old.bits & b.bits;
        break;
    case LLVMAtomicRMWBinOpOr:
        new.bits = old.bits | b.bits;
        break;
    case LLVMAtomicRMWBinOpXor:
        new.bits = old.bits ^ b.bits;
        break;
    default:
        new.known = 0;
        break;
    }
    if (step->more != LLVMAtomicRMWBinOpXchg)
        new.known = new.known &&old.known;
    return access_memory(w, p, pointer.bits, size, true, &new, true);
}

/* ---- Calls ---- */

static struct function *callee_of(struct world *w, struct process *p, const struct call_site *site,
                                  struct value pointer)
{
    uint64_t number = site->callee >= 0 ? (uint64_t)site->callee : UINT64_MAX;
    if (site->callee < 0 && pointer.known && pointer.bits >= FUNCTIONS_START)
        number = (pointer.bits - FUNCTIONS_START) / 16;
    if (number < w->code->functions.n)
        return w->code->functions.at[number];
    stop(w, p, "a call through an unknown pointer");
    return NULL;
}

/* Arguments that the callee gets a copy of. */
static bool copy_argument(struct world *w, struct process *p, struct value *argument, uint32_t size)
{
    uint8_t *shadow,
        *from = argument->known ? memory_at(w, p, argument->bits, size, &shadow, NULL) : NULL;
    uint64_t at = (p->space.stack + 31) / 16 * 16;
    if (!from || at + size + 64 > p->space.stack_end) {
        stop(w, p, "an argument that cannot be copied");
        return false;
    }
    judge_access(w, p, argument->bits, size, false, site_here(w, p, NULL, NULL), NULL);
    memcpy(p->space.bytes + at, from, size);
    for (uint32_t i = 0; i < size; i++)
        p->space.shadow[at + i] = shadow[i] & (ALIVE | KNOWN);
    p->space.stack = at + size;
    argument->bits = process_base(p->rank) + at;
    return true;
}

static void do_call(struct world *w, struct process *p, const struct step *step)
{
    struct frame *frame = &p->frames.at[p->frames.n - 1];
    const struct call_site *site = &frame->function->calls.at[step->a];
    struct value *values = p->values + frame->base;
#define VALUE(o) ((o) >= 0 ? values[o] : p->constants[~(o)])
    struct call call = {.w = w, .p = p, .site = site};
    call.function =
        callee_of(w, p, site, site->callee < 0 ? VALUE(site->pointer) : (struct value){0});
    if (!call.function)
        return;
    if (site->narguments > 64) {
        stop(w, p, "a call with too many arguments");
        return;
    }
    call.n = site->narguments;
    for (int i = 0; i < call.n; i++)
        call.arguments[i] = VALUE(site->arguments[i]);
#undef VALUE
    if (call.function->has_body) {
        uint64_t stack = p->space.stack;
        for (int i = 0; i < call.n; i++)
            if (site->copied[i] && !copy_argument(w, p, &call.arguments[i], site->copied[i]))
                return;
        if (enter_function(w, p, call.function, call.arguments, call.n, site->to, site->nresults))
            p->frames.at[p->frames.n - 1].stack = stack;
        return;
    }
    enum outcome outcome = call.function->routine ? mpi_call(&call) : library_call(&call);
    if (p->state == GAVE_UP || p->state == ENDED || call.entered)
        return;
    if (outcome == WAITS) {
        p->state = BLOCKED;
        return;
    }
    if (outcome == STOPS) {
        stop(w, p, "a call of %s", call.function->name);
        return;
    }
    p->phase = 0;
    values = p->values + p->frames.at[p->frames.n - 1].base;
    for (int i = 0; i < site->nresults; i++)
        values[site->to + i] = i < 8 ? call.results[i] : (struct value){0, 0};
    p->frames.at[p->frames.n - 1].pc++;
}

static int32_t switched(const struct switch_table *table, uint64_t number)
{
    for (int i = 0; i < table->count; i++)
        if (table->values[i] == number)
            return table->targets[i];
    return table->otherwise;
}

#define V(o) ((o) >= 0 ? values[o] : p->constants[~(o)])

/* Steps that move control or leave the frame. False: look at the frame again. */
static bool control(struct world *w, struct process *p, struct frame *frame,
                    const struct step *step)
{
    struct value *values = p->values + frame->base, a;
    switch (step->what) {
    case DO_BRANCH:
        a = V(step->a);
        if (!a.known) {
            stop(w, p, "a condition that depends on an unknown value");
            return false;
        }
        frame->pc = (uint32_t)(a.bits & 1 ? step->b : step->c);
        return true;
    case DO_SWITCH:
        a = V(step->a);
        if (!a.known) {
            stop(w, p, "a condition that depends on an unknown value");
            return false;
        }
        frame->pc = (uint32_t)switched(&frame->function->switches.at[step->b], a.bits);
        return true;
    case DO_CALL:
        do_call(w, p, step);
        return false;
    case DO_RETURN:
        return_from(w, p, &values[step->a], step->more);
        return false;
    case DO_UNREACHABLE:
        stop(w, p, "code that cannot be reached");
        return false;
    default:
        stop(w, p, "an instruction that is not modelled");
        return false;
    }
}

/* Memory. False: the process has stopped. */
static bool memory_step(struct world *w, struct process *p, struct value *values,
                        const struct step *step)
{
    struct value a = V(step->a), value;
    if (step->what == DO_ALLOCA) {
        allocate(w, p, step, &values[step->to], a, V(step->b));
        return p->state == RUNNING;
    }
    if (!a.known) {
        stop(w, p, "an address that depends on an unknown value");
        return false;
    }
    if (step->what == DO_LOAD)
        return access_memory(w, p, a.bits + (uint64_t)step->b, step->width, false,
                             &values[step->to], step->more);
    if (step->what == DO_STORE) {
        value = V(step->c);
        return access_memory(w, p, a.bits + (uint64_t)step->b, step->width, true, &value,
                             step->more);
    }
    return update(w, p, step, &values[step->to], a, V(step->b), V(step->c));
}

void run_process(struct world *w, struct process *p, uint64_t quantum)
{
    p->state = RUNNING;
    struct frame *frame = &p->frames.at[p->frames.n - 1];
    struct value *values = p->values + frame->base, a, b, *to;
    for (uint64_t i = 0; i < quantum; i++) {
        const struct step *step = &frame->function->steps.at[frame->pc];
        frame->function->ran[frame->pc] = true;
        w->steps++;
        switch (step->what) {
        case DO_MOVE:
            values[step->to] = V(step->a);
            break;
        case DO_ADD:
        case DO_SUB:
        case DO_MUL:
        case DO_AND:
        case DO_OR:
        case DO_XOR:
        case DO_UDIV:
        case DO_SDIV:
        case DO_UREM:
        case DO_SREM:
        case DO_SHL:
        case DO_LSHR:
        case DO_ASHR:
            a = V(step->a);
            b = V(step->b);
            to = &values[step->to];
            to->known = a.known & b.known;
            if (to->known && !compute_integer(step, a.bits, b.bits, &to->bits))
                to->known = 0;
            break;
        case DO_FADD:
        case DO_FSUB:
        case DO_FMUL:
        case DO_FDIV:
        case DO_FREM:
        case DO_FNEG:
            a = V(step->a);
            b = step->what == DO_FNEG ? a : V(step->b);
            values[step->to] =
                (struct value){compute_real(step, a.bits, b.bits), a.known & b.known};
            break;
        case DO_ICMP:
            a = V(step->a);
            b = V(step->b);
            values[step->to] = (struct value){
                compare_numbers(step->more, a.bits, b.bits, step->width), a.known & b.known};
            break;
        case DO_FCMP:
            a = V(step->a);
            b = V(step->b);
            values[step->to] =
                (struct value){compare_reals(step->more, real_of(a.bits, step->width),
                                             real_of(b.bits, step->width)),
                               a.known & b.known};
            break;
        case DO_SELECT:
            a = V(step->a);
            b = a.bits & 1 ? V(step->b) : V(step->c);
            b.known &= a.known;
            values[step->to] = b;
            break;
        case DO_TRUNC:
        case DO_SEXT:
        case DO_FPTRUNC:
        case DO_FPEXT:
        case DO_FPTOSI:
        case DO_FPTOUI:
        case DO_SITOFP:
        case DO_UITOFP:
            a = V(step->a);
            to = &values[step->to];
            to->known = a.known;
            if (a.known && !convert_number(step, a.bits, &to->bits))
                to->known = 0;
            break;
        case DO_SCALE:
            a = V(step->a);
            b = V(step->b);
            values[step->to] =
                (struct value){a.bits + (uint64_t)extended(b.bits, step->width) * V(step->c).bits,
                               a.known & b.known};
            break;
        case DO_UNKNOWN:
            for (int k = 0; k < step->more; k++)
                values[step->to + k].known = 0;
            break;
        case DO_LOAD:
        case DO_STORE:
        case DO_ALLOCA:
        case DO_UPDATE:
        case DO_EXCHANGE:
            if (!memory_step(w, p, values, step))
                return;
            break;
        case DO_JUMP:
            frame->jumped = frame->pc;
            frame->pc = (uint32_t)step->to;
            continue;
        default:
            if (control(w, p, frame, step))
                continue;
            if (p->state != RUNNING)
                return;
            frame = &p->frames.at[p->frames.n - 1];
            values = p->values + frame->base;
            continue;
        }
        frame->pc++;
    }
}
