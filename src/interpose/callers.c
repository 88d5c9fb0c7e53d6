#include "callers.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stacks.h"
#include "engine/table.h"
#include "platform/own_memory.h"

enum kind { CODE_OWN, CODE_INLINE, CODE_STD };

/* ---- the functions of a module that are not of the first kind ---- */

struct function {
    uintptr_t low, high;
    enum kind kind;
};

struct module {
    const struct link_map *map;
    uintptr_t bias;
    struct function *functions; /* sorted */
    size_t count, room;
    struct module *next;
};

static struct module *modules;

/* A mapped file. What it says of itself is not believed. */
struct image {
    const char *bytes;
    size_t size;
};

static const void *part(const struct image *image, uint64_t offset, uint64_t size)
{
    return offset <= image->size && size <= image->size - offset ? image->bytes + offset : NULL;
}

/* Itanium C++ ABI, 5.1.5: a name that begins with S is in namespace std, as there is nothing yet to
 * substitute. */
static bool is_std(const char *name)
{
    if (strncmp(name, "_ZN", 3) == 0) {
        name += 3;
        name += strspn(name, "VK");
        return *name == 'S' || strncmp(name, "9__gnu_cxx", 10) == 0;
    }
    return strncmp(name, "_ZS", 3) == 0;
}

static enum kind kind_of(const ElfW(Sym) * symbol, const char *name)
{
    if (is_std(name))
        return CODE_STD;
    return ELF64_ST_BIND(symbol->st_info) == STB_WEAK ? CODE_INLINE : CODE_OWN;
}

static void add_function(struct module *module, const ElfW(Sym) * symbol, enum kind kind)
{
    if (module->count == module->room) {
        size_t room = 2 * module->room + 64;
        struct function *larger = realloc(module->functions, room * sizeof *larger);
        if (!larger)
            return;
        module->functions = larger;
        module->room = room;
    }
    uintptr_t low = module->bias + symbol->st_value;
    module->functions[module->count++] = (struct function){low, low + symbol->st_size, kind};
}

static void read_symbols(struct module *module, const struct image *image, const ElfW(Shdr) * table,
                         const ElfW(Shdr) * strings)
{
    const ElfW(Sym) *symbols = part(image, table->sh_offset, table->sh_size);
    const char *names = part(image, strings->sh_offset, strings->sh_size);
    if (!symbols || !names || !strings->sh_size || names[strings->sh_size - 1])
        return;
    for (size_t i = 0; i < table->sh_size / sizeof *symbols; i++) {
        const ElfW(Sym) *symbol = &symbols[i];
        if (ELF64_ST_TYPE(symbol->st_info) != STT_FUNC || symbol->st_shndx == SHN_UNDEF ||
            symbol->st_name >= strings->sh_size)
            continue;
        enum kind kind = kind_of(symbol, names + symbol->st_name);
        if (kind != CODE_OWN)
            add_function(module, symbol, kind);
    }
}

static void read_image(struct module *module, const struct image *image)
{
    const ElfW(Ehdr) *header = part(image, 0, sizeof *header);
    if (!header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_shentsize != sizeof(ElfW(Shdr)))
        return;
    const ElfW(Shdr) *sections =
        part(image, header->e_shoff, (uint64_t)header->e_shnum * header->e_shentsize);
    for (size_t i = 0; sections && i < header->e_shnum; i++)
        if (sections[i].sh_type == SHT_SYMTAB && sections[i].sh_link < header->e_shnum)
            read_symbols(module, image, &sections[i], &sections[sections[i].sh_link]);
}

static void read_file(struct module *module, const char *path)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (file < 0)
        return;
    if (fstat(file, &status) == 0 && status.st_size > 0) {
        struct image image = {.size = (size_t)status.st_size};
        void *bytes = mmap(NULL, image.size, PROT_READ, MAP_PRIVATE, file, 0);
        if (bytes != MAP_FAILED) {
            image.bytes = bytes;
            read_image(module, &image);
            munmap(bytes, image.size);
        }
    }
    close(file);
}

static int compare_functions(const void *left, const void *right)
{
    const struct function *a = left, *b = right;
    return (a->low > b->low) - (a->low < b->low);
}

static struct module *module_of(const struct link_map *map)
{
    struct module *module;
    for (module = modules; module; module = module->next)
        if (module->map == map && module->bias == map->l_addr)
            return module;
    module = calloc(1, sizeof *module);
    if (!module)
        return NULL;
    module->map = map;
    module->bias = map->l_addr;
    module->next = modules;
    modules = module;
    read_file(module, map->l_name && map->l_name[0] ? map->l_name : PLATFORM_PROGRAM);
    if (module->count)
        qsort(module->functions, module->count, sizeof *module->functions, compare_functions);
    return module;
}

/* Of the function that a return address is in. */
static enum kind code_kind(const void *address)
{
    Dl_info info;
    struct link_map *map = NULL;
    uintptr_t at = (uintptr_t)address - 1;
    if (!dladdr1((void *)at, &info, (void **)&map, RTLD_DL_LINKMAP) || !map)
        return CODE_OWN;
    const struct module *module = module_of(map);
    size_t low = 0, high = module ? module->count : 0;
    while (low < high) { /* the first function behind the address */
        size_t middle = (low + high) / 2;
        if (module->functions[middle].low > at)
            high = middle;
        else
            low = middle + 1;
    }
    return low && at < module->functions[low - 1].high ? module->functions[low - 1].kind : CODE_OWN;
}

bool code_is_shared(const void *address)
{
    return code_kind(address) != CODE_OWN;
}

/* ---- stacks ---- */

struct known_stack {
    const struct stack *stack, *representative;
    UT_hash_handle hh;
};

struct route {
    struct {
        const void *address;
        uint64_t callers; /* hash of what counts of them */
    } key;
    const struct stack *representative;
    UT_hash_handle hh;
};

static struct known_stack *known_stacks;
static struct route *routes;

/* What counts of the callers of addresses[0]. */
static uint64_t hash_callers(const void *const *addresses, int depth)
{
    uint64_t hash = 0;
    for (int i = 1; i < depth; i++) {
        enum kind kind = code_kind(addresses[i]);
        if (kind != CODE_STD) {
            hash = (hash ^ (uintptr_t)addresses[i]) * UINT64_C(0x9e3779b97f4a7c15);
            hash ^= hash >> 32;
        }
        if (kind == CODE_OWN)
            break;
    }
    return hash;
}

static struct route *find_route(const void *address, uint64_t callers)
{
    struct route *route, key = {.key = {address, callers}};
    HASH_FIND(hh, routes, &key.key, sizeof key.key, route);
    return route;
}

static const struct stack *find_representative(const struct stack *stack)
{
    if (!code_is_shared(stack->addresses[0]))
        return stack;
    uint64_t callers = hash_callers(stack->addresses, stack->depth);
    struct route *route = find_route(stack->addresses[0], callers);
    if (!route && (route = calloc(1, sizeof *route))) {
        route->key.address = stack->addresses[0];
        route->key.callers = callers;
        route->representative = stack;
        HASH_ADD(hh, routes, key, sizeof route->key, route);
    }
    return route ? route->representative : stack;
}

const struct stack *stack_representative(const struct stack *stack)
{
    struct known_stack *known;
    if (!stack || !stack->depth)
        return stack;
    HASH_FIND(hh, known_stacks, &stack, sizeof stack, known);
    if (known)
        return known->representative;
    const struct stack *representative = find_representative(stack);
    known = calloc(1, sizeof *known);
    if (known) {
        known->stack = stack;
        known->representative = representative;
        HASH_ADD(hh, known_stacks, stack, sizeof stack, known);
    }
    return representative;
}

/* ---- callers that stay ---- */

enum { STACK_ROOM = 64 << 20 };

/* Of the main thread; every thread finds the same. */
static uintptr_t stack_top;

/* Linux keeps mappings 128 MiB away from the end of the main thread's stack. */
static bool is_main_stack(const void *address)
{
    if (!stack_top)
        stack_top = getauxval(AT_RANDOM); /* lies beyond the outermost frame */
    return (uintptr_t)address < stack_top && stack_top - (uintptr_t)address < STACK_ROOM;
}

static bool still_calls(const struct staying_caller *caller, const void *frame)
{
    if (!caller->depth || (const void *)caller->slots[0] < frame)
        return false;
    for (int i = 0; i < caller->depth; i++)
        if (*caller->slots[i] != caller->addresses[i])
            return false;
    return true;
}

uint64_t callers_now(const void *frame)
{
    const struct staying_caller *nearest = NULL;
    if (!is_main_stack(frame))
        return 0;
    for (int i = 0; i < THREAD_STAYING; i++)
        if (still_calls(&interpose_here.callers[i], frame) &&
            (!nearest || interpose_here.callers[i].slots[0] < nearest->slots[0]))
            nearest = &interpose_here.callers[i];
    return nearest ? nearest->callers : 0;
}

const struct stack *callers_representative(const void *caller, uint64_t callers)
{
    const struct route *route = find_route(caller, callers);
    return route ? route->representative : NULL;
}

void stack_remember_caller(const void *caller, const void *frame)
{
    if (!interpose_here.recent_stacks)
        return;
    const struct trace *trace = &recent_stack_slot(caller, frame)->trace;
    int first = 1;
    if (!is_main_stack(frame) || trace->depth < 1 || code_kind(trace->addresses[0]) != CODE_STD)
        return;
    while (first < trace->depth && code_kind(trace->addresses[first]) == CODE_STD)
        first++;
    if (first >= trace->depth || !is_main_stack(trace->slots[first]))
        return;
    for (int i = 0; i < THREAD_STAYING; i++)
        if (still_calls(&interpose_here.callers[i], frame) &&
            interpose_here.callers[i].slots[0] == trace->slots[first])
            return;
    struct staying_caller *known =
        &interpose_here.callers[interpose_here.next_caller++ % THREAD_STAYING];
    *known = (struct staying_caller){.callers = hash_callers(trace->addresses, trace->depth)};
    for (int i = first;
         i < trace->depth && known->depth < STAYING_DEPTH && is_main_stack(trace->slots[i]); i++) {
        known->addresses[known->depth] = trace->addresses[i];
        known->slots[known->depth++] = trace->slots[i];
    }
}
