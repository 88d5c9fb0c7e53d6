/* Memory of the virtual processes: never given out twice but for the stack, so that a stale pointer
 * is seen. */
#include "lower.h"
#include "world.h"

#include <sys/mman.h>

#define RESERVED ((uint64_t)1 << 28)
#define STACK_SIZE ((uint64_t)1 << 24)
#define MOST_MEMORY ((uint64_t)192 << 20) /* of all processes together */

struct header {
    uint64_t size, magic;
};
#define MAGIC 0x7265706c61796564u

static uint8_t *reserve(void)
{
    void *memory = mmap(NULL, RESERVED, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

bool space_open(struct world *w, struct process *p)
{
    struct space *space = &p->space;
    uint64_t end = (w->code->globals_end + 4096) / 4096 * 4096 + 4096;
    space->most = MOST_MEMORY / (uint64_t)w->n;
    if (end > space->most)
        return false;
    space->bytes = reserve();
    space->shadow = reserve();
    if (!space->bytes || !space->shadow)
        return false;
    memcpy(space->bytes + GLOBALS_START, w->image + GLOBALS_START,
           w->code->globals_end - GLOBALS_START);
    memcpy(space->shadow + GLOBALS_START, w->image_shadow + GLOBALS_START,
           w->code->globals_end - GLOBALS_START);
    for (size_t i = 0; i < w->relocations.n; i++) {
        uint64_t number;
        memcpy(&number, space->bytes + w->relocations.at[i], 8);
        number += process_base(p->rank);
        memcpy(space->bytes + w->relocations.at[i], &number, 8);
    }
    space->stack = space->stack_start = end;
    space->stack_end = end + STACK_SIZE;
    space->heap = space->stack_end + 4096;
    return true;
}

void space_close(struct process *p)
{
    if (p->space.bytes)
        munmap(p->space.bytes, RESERVED);
    if (p->space.shadow)
        munmap(p->space.shadow, RESERVED);
}

/* ---- What globals begin with ---- */

static void fill(struct world *w, LLVMValueRef value, uint64_t at)
{
    struct code *code = w->code;
    LLVMTypeRef type = LLVMTypeOf(value);
    uint64_t size = LLVMABISizeOfType(code->layout, type);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (LLVMIsNull(value) || LLVMIsUndef(value)) /* padding of initialisers, too */
        return;
    if (kind == LLVMArrayTypeKind || kind == LLVMStructTypeKind || kind == LLVMVectorTypeKind) {
        size_t length;
        if (LLVMIsAConstantDataSequential(value) && LLVMIsConstantString(value)) {
            const char *text = LLVMGetAsString(value, &length);
            memcpy(w->image + at, text, length);
            return;
        }
        uint64_t n = kind == LLVMArrayTypeKind    ? LLVMGetArrayLength2(type)
                     : kind == LLVMStructTypeKind ? LLVMCountStructElementTypes(type)
                                                  : LLVMGetVectorSize(type);
        uint64_t element = kind == LLVMStructTypeKind
                               ? 0
                               : LLVMABISizeOfType(code->layout, LLVMGetElementType(type));
        for (uint64_t i = 0; i < n; i++) {
            LLVMValueRef part = LLVMGetAggregateElement(value, (unsigned)i);
            uint64_t offset = kind == LLVMStructTypeKind
                                  ? LLVMOffsetOfElement(code->layout, type, (unsigned)i)
                                  : i * element;
            if (part)
                fill(w, part, at + offset);
        }
        return;
    }
    struct constant constant = code_scalar(code, value);
    if (constant.kind == CONSTANT_UNKNOWN) {
        for (uint64_t i = 0; i < size; i++)
            w->image_shadow[at + i] = ALIVE;
        return;
    }
    memcpy(w->image + at, &constant.bits, size < 8 ? size : 8);
    if (constant.kind == CONSTANT_ADDRESS)
        ADD(&w->relocations, at);
}

/* What GNU's C++ library looks at before it counts references atomically. */
static bool is_single_threaded(LLVMValueRef global)
{
    size_t length;
    return !strcmp(LLVMGetValueName2(global, &length), "__libc_single_threaded");
}

void image_build(struct world *w)
{
    struct code *code = w->code;
    w->image = zeroed(code->globals_end + 64, 1);
    w->image_shadow = zeroed(code->globals_end + 64, 1);
    for (size_t i = 0; i < code->globals.n; i++) {
        const struct global *global = &code->globals.at[i];
        memset(w->image_shadow + global->offset, global->external ? ALIVE : ALIVE | KNOWN,
               global->size);
        LLVMValueRef value = global->external ? NULL : LLVMGetInitializer(global->value);
        if (global->external && global->size == 1 && is_single_threaded(global->value)) {
            w->image[global->offset] = 1;
            w->image_shadow[global->offset] |= KNOWN;
        }
        if (value)
            fill(w, value, global->offset);
    }
}

/* ---- Access ---- */

uint8_t *memory_at(struct world *w, struct process *p, uint64_t address, uint64_t size,
                   uint8_t **shadow, struct process **owner)
{
    uint64_t number = address >> SPACE_SHIFT, offset = address & (((uint64_t)1 << SPACE_SHIFT) - 1);
    if (number == 0 || number > (uint64_t)w->n || offset >= RESERVED || size > RESERVED - offset)
        return NULL;
    struct process *whose = &w->processes[number - 1];
    if (whose != p && !owner)
        return NULL;
    if (owner)
        *owner = whose;
    uint8_t *at = whose->space.shadow + offset;
    for (uint64_t i = 0; i < size; i++)
        if (!(at[i] & ALIVE))
            return NULL;
    if (shadow)
        *shadow = at;
    return whose->space.bytes + offset;
}

uint64_t memory_allocate(struct process *p, uint64_t size, uint64_t align, bool zero)
{
    struct space *space = &p->space;
    if (align < 16)
        align = 16;
    uint64_t at = (space->heap + sizeof(struct header) + 32 + align - 1) / align * align;
    if (align > 4096 || size > space->most || at + size > space->most + STACK_SIZE)
        return 0;
    struct header header = {size, MAGIC};
    memcpy(space->bytes + at - sizeof header, &header, sizeof header);
    memset(space->shadow + at, zero ? ALIVE | KNOWN : ALIVE, size);
    space->heap = at + size;
    return process_base(p->rank) + at;
}

bool memory_block(struct process *p, uint64_t address, uint64_t *size)
{
    uint64_t offset = address - process_base(p->rank);
    struct header header;
    if (offset >= RESERVED || offset < p->space.stack_end || offset > p->space.heap)
        return false;
    memcpy(&header, p->space.bytes + offset - sizeof header, sizeof header);
    *size = header.size;
    return header.magic == MAGIC && (!header.size || p->space.shadow[offset] & ALIVE);
}

void memory_kill(struct process *p, uint64_t address, uint64_t size)
{
    memset(p->space.shadow + (address - process_base(p->rank)), 0, size);
}

bool memory_has(struct process *p, uint64_t address, uint64_t size, uint8_t bits)
{
    uint64_t offset = address - process_base(p->rank);
    for (uint64_t i = 0; i < size; i++)
        if (p->space.shadow[offset + i] & bits)
            return true;
    return false;
}

void memory_mark(struct world *w, uint64_t address, uint64_t size, uint8_t bits)
{
    uint64_t number = address >> SPACE_SHIFT, offset = address & (((uint64_t)1 << SPACE_SHIFT) - 1);
    if (number == 0 || number > (uint64_t)w->n || offset >= RESERVED || size > RESERVED - offset)
        return;
    uint8_t *shadow = w->processes[number - 1].space.shadow + offset;
    for (uint64_t i = 0; i < size; i++)
        shadow[i] |= bits;
}

bool peek(struct world *w, struct process *p, uint64_t address, unsigned bytes, uint64_t *value)
{
    uint8_t *shadow, *at = memory_at(w, p, address, bytes, &shadow, NULL);
    *value = 0;
    if (!at)
        return false;
    for (unsigned i = 0; i < bytes; i++)
        if (!(shadow[i] & KNOWN))
            return false;
    memcpy(value, at, bytes);
    return true;
}

bool poke(struct world *w, struct process *p, uint64_t address, unsigned bytes, uint64_t value)
{
    uint8_t *shadow, *at = memory_at(w, p, address, bytes, &shadow, NULL);
    if (!at)
        return false;
    memcpy(at, &value, bytes);
    for (unsigned i = 0; i < bytes; i++)
        shadow[i] |= KNOWN;
    return true;
}
