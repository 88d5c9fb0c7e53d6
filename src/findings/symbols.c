#include "symbols.h"
#include "symbols_inside.h"
#include "fortran_names.h"
#include "identity.h"
#include "system_headers.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <elfutils/libdwfl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uthash.h>

enum { MAX_INLINED = 32 };

/* The source frames of one return address, innermost first; texts owned by the symboliser. */
struct resolved {
    uint64_t offset;
    struct frame *frames;
    size_t depth;
    UT_hash_handle hh;
};

struct module {
    char *path;
    Dwfl *dwfl; /* NULL: the file cannot be read */
    Dwfl_Module *image;
    GElf_Addr bias; /* from addresses in the file to libdwfl's */
    struct resolved *resolved;
    UT_hash_handle hh;
};

struct symbols {
    struct obstack texts;
    char *directory;
    char *in_directory; /* with a slash at the end */
    struct module *modules;
};

struct symbols *symbols_new(const char *directory)
{
    struct symbols *symbols = checked_malloc(sizeof *symbols);
    memset(symbols, 0, sizeof *symbols);
    obstack_init(&symbols->texts);
    symbols->directory = checked_strdup(directory);
    symbols->in_directory = checked_printf("%s/", directory);
    return symbols;
}

void symbols_free(struct symbols *symbols)
{
    if (!symbols)
        return;
    struct module *module, *next_module;
    HASH_ITER(hh, symbols->modules, module, next_module)
    {
        struct resolved *resolved, *next;
        HASH_ITER(hh, module->resolved, resolved, next)
        {
            HASH_DEL(module->resolved, resolved);
            free(resolved->frames);
            free(resolved);
        }
        HASH_DEL(symbols->modules, module);
        if (module->dwfl)
            dwfl_end(module->dwfl);
        free(module->path);
        free(module);
    }
    obstack_free(&symbols->texts, NULL);
    free(symbols->directory);
    free(symbols->in_directory);
    free(symbols);
}

static struct module *open_module(struct symbols *symbols, const char *path)
{
    static char *debuginfo_path; /* libdwfl's default: .debug beside the file, /usr/lib/debug */
    static const Dwfl_Callbacks callbacks = {
        .find_elf = dwfl_build_id_find_elf,
        .find_debuginfo = dwfl_standard_find_debuginfo,
        .section_address = dwfl_offline_section_address,
        .debuginfo_path = &debuginfo_path,
    };
    struct module *module;
    HASH_FIND_STR(symbols->modules, path, module);
    if (module)
        return module;
    module = checked_malloc(sizeof *module);
    memset(module, 0, sizeof *module);
    module->path = checked_strdup(path);
    HASH_ADD_KEYPTR(hh, symbols->modules, module->path, strlen(module->path), module);
    module->dwfl = dwfl_begin(&callbacks);
    if (!module->dwfl)
        return module;
    module->image = dwfl_report_offline(module->dwfl, path, path, -1);
    dwfl_report_end(module->dwfl, NULL, NULL);
    if (!module->image || !dwfl_module_getelf(module->image, &module->bias)) {
        dwfl_end(module->dwfl);
        module->dwfl = NULL;
    }
    return module;
}

/* ---- file names ------------------------------------------------------------------------------ */

/* Removes "." and ".." and doubled slashes from an absolute path, by its letters only. */
static char *normalised(const char *path)
{
    char *out = checked_malloc(strlen(path) + 2);
    size_t length = 0;
    while (*path) {
        while (*path == '/')
            path++;
        size_t part = strcspn(path, "/");
        if (part == 2 && !memcmp(path, "..", 2)) {
            while (length && out[--length] != '/')
                ;
        } else if (part && !(part == 1 && *path == '.')) {
            out[length++] = '/';
            memcpy(out + length, path, part);
            length += part;
        }
        path += part;
    }
    if (!length)
        out[length++] = '/';
    out[length] = '\0';
    return out;
}

/* The part of `path` below `directory`, NULL if it is not below. */
static const char *below(const char *directory, const char *path)
{
    size_t length = strlen(directory);
    if (strncmp(directory, path, length) || path[length] != '/')
        return NULL;
    return path + length + 1;
}

static const char *keep(struct symbols *symbols, const char *text)
{
    return text ? obstack_copy0(&symbols->texts, text, strlen(text)) : NULL;
}

/* ../src/halo.c from /home/me/build, where that is shorter; NULL where it is not, to be freed. */
static char *relative_name(const char *directory, const char *path)
{
    size_t common = 0, ups = 1;
    for (size_t i = 0; path[i] && path[i] == directory[i]; i++)
        if (path[i] == '/')
            common = i;
    if (!common) /* only the root */
        return NULL;
    for (const char *rest = directory + common + 1; (rest = strchr(rest, '/')); rest++)
        ups++;
    size_t length = 3 * ups + strlen(path + common + 1);
    if (length >= strlen(path))
        return NULL;
    char *name = checked_malloc(length + 1), *end = name;
    for (size_t i = 0; i < ups; i++)
        end = stpcpy(end, "../");
    strcpy(end, path + common + 1);
    return name;
}

/* How people who stand in the working directory would name the file. */
static const char *source_name(struct symbols *symbols, const char *name, const char *compiled_in)
{
    char *joined = name[0] == '/' || !compiled_in ? checked_strdup(name)
                                                  : checked_printf("%s/%s", compiled_in, name);
    if (joined[0] != '/') { /* a relative compilation directory, or none: nothing to add */
        const char *kept = keep(symbols, joined);
        free(joined);
        return kept;
    }
    char *path = normalised(joined);
    char real[PATH_MAX];
    /* Below /usr, say, headers of the system are not the user's; below their own directory they
     * are. */
    bool foreign = is_system_header(path) && !is_system_header(symbols->in_directory);
    const char *shown = foreign ? path : below(symbols->directory, path);
    /* The compiler may have been called through a symbolic link to the working directory. */
    if (!shown && realpath(path, real))
        shown = below(symbols->directory, real);
    /* Built elsewhere (another machine, a container), but the sources are here as well. */
    const char *in_build = compiled_in ? below(compiled_in, path) : NULL;
    if (!shown && in_build && access(path, R_OK) != 0) {
        char *here = checked_printf("%s/%s", symbols->directory, in_build);
        if (access(here, R_OK) == 0)
            shown = in_build;
        free(here);
    }
    char *relative = shown ? NULL : relative_name(symbols->directory, path);
    const char *kept = keep(symbols, shown ? shown : relative ? relative : path);
    free(relative);
    free(path);
    free(joined);
    return kept;
}

/* ---- addresses ------------------------------------------------------------------------------- */

/* The compilation unit that holds an address. libdw finds it by .debug_aranges, which gcc writes
 * and clang does not; then the units' own ranges tell. */
static Dwarf_Die *find_unit(struct module *module, GElf_Addr address, Dwarf_Addr *bias)
{
    Dwarf_Die *unit = dwfl_module_addrdie(module->image, address, bias);
    /* In a program of which only a part has .debug_aranges it may be the unit before the address.
     */
    if (unit && dwarf_haspc(unit, address - *bias) > 0)
        return unit;
    unit = NULL;
    while ((unit = dwfl_module_nextcu(module->image, unit, bias)))
        if (dwarf_haspc(unit, address - *bias) > 0)
            return unit;
    return NULL;
}

static const char *unit_directory(Dwarf_Die *unit)
{
    Dwarf_Attribute attribute;
    return dwarf_formstring(dwarf_attr(unit, DW_AT_comp_dir, &attribute));
}

static const char *call_file(struct symbols *symbols, Dwarf_Die *unit, Dwarf_Word index)
{
    Dwarf_Files *files;
    size_t count;
    if (dwarf_getsrcfiles(unit, &files, &count) != 0 || index >= count)
        return NULL;
    const char *name = dwarf_filesrc(files, index, NULL, NULL);
    return name ? source_name(symbols, name, unit_directory(unit)) : NULL;
}

static unsigned call_number(Dwarf_Die *die, unsigned attribute_name)
{
    Dwarf_Attribute attribute;
    Dwarf_Word value;
    if (dwarf_formudata(dwarf_attr(die, attribute_name, &attribute), &value) != 0)
        return 0;
    return (unsigned)value;
}

static void resolve_line(struct symbols *symbols, Dwarf_Die *unit, Dwarf_Addr address,
                         struct frame *frame)
{
    Dwarf_Line *line = dwarf_getsrc_die(unit, address);
    const char *name = line ? dwarf_linesrc(line, NULL, NULL) : NULL;
    int number = 0, column = 0;
    if (!name || dwarf_lineno(line, &number) != 0)
        return;
    frame->file = source_name(symbols, name, unit_directory(unit));
    if (number <= 0) /* the optimiser made the code of several lines; the file tells whose it is */
        return;
    frame->line = (unsigned)number;
    if (dwarf_linecol(line, &column) == 0 && column > 0)
        frame->column = (unsigned)column;
}

/* ---- names of functions ---- */

/* The declaration behind a function's body or inlined copy: it stands in its class. */
static Dwarf_Die declaration_of(Dwarf_Die *function)
{
    static const unsigned links[] = {DW_AT_abstract_origin, DW_AT_specification};
    Dwarf_Die die = *function;
    for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
        Dwarf_Attribute attribute;
        Dwarf_Die other;
        if (dwarf_formref_die(dwarf_attr(&die, links[i], &attribute), &other))
            die = other;
    }
    return die;
}

static bool is_class(int tag)
{
    return tag == DW_TAG_class_type || tag == DW_TAG_structure_type || tag == DW_TAG_union_type;
}

/* solver::Grid<double>::exchange, "lambda in main" for its operator(); plain names as they are. */
static const char *function_name(struct symbols *symbols, Dwarf_Die *function)
{
    const char *leaf = dwarf_diename(function);
    Dwarf_Die declaration = declaration_of(function), *scopes = NULL;
    int count = leaf ? dwarf_getscopes_die(&declaration, &scopes) : 0;
    char *name = leaf ? checked_strdup(leaf) : NULL;
    for (int i = 1; i < count; i++) {
        int tag = dwarf_tag(&scopes[i]);
        const char *outer = dwarf_diename(&scopes[i]);
        char *inner = name;
        bool unnamed = !outer || outer[0] == '<' || outer[0] == '.';
        if (is_class(tag) && unnamed && !strcmp(leaf, "operator()")) {
            name = checked_strdup("lambda");
        } else if (tag == DW_TAG_subprogram && outer && !strcmp(name, "lambda")) {
            name = checked_printf("lambda in %s", outer);
            i = count;
        } else if ((is_class(tag) || tag == DW_TAG_namespace) && !unnamed) {
            name = checked_printf("%s::%s", outer, name);
        } else {
            inner = NULL;
        }
        free(inner);
    }
    const char *kept = keep(symbols, name);
    free(name);
    free(scopes);
    return kept;
}

/* Walks from the innermost scope outwards. Each inlined function becomes a frame whose own place
 * is known from the level below, and says at which line of its caller it was inlined. */
static size_t resolve_scopes(struct symbols *symbols, Dwarf_Die *unit, Dwarf_Addr address,
                             struct frame *frames)
{
    Dwarf_Die *innermost = NULL;
    if (dwarf_getscopes(unit, address, &innermost) <= 0)
        return 0;
    Dwarf_Die *scopes = NULL;
    int count = dwarf_getscopes_die(innermost, &scopes);
    free(innermost);
    size_t depth = 0;
    for (int i = 0; i < count && depth < MAX_INLINED; i++) {
        int tag = dwarf_tag(&scopes[i]);
        if (tag != DW_TAG_subprogram && tag != DW_TAG_inlined_subroutine &&
            tag != DW_TAG_entry_point)
            continue;
        frames[depth++].function = function_name(symbols, &scopes[i]);
        if (tag != DW_TAG_inlined_subroutine || depth == MAX_INLINED)
            break;
        frames[depth] = (struct frame){
            .file = call_file(symbols, unit, call_number(&scopes[i], DW_AT_call_file)),
            .line = call_number(&scopes[i], DW_AT_call_line),
            .column = call_number(&scopes[i], DW_AT_call_column),
        };
    }
    free(scopes);
    return depth;
}

static size_t resolve_address(struct symbols *symbols, struct module *module, uint64_t offset,
                              struct frame *frames)
{
    frames[0] = (struct frame){0};
    if (!module->dwfl)
        return 1;
    /* A return address belongs to the next statement, or even to the next function; the byte
     * before it is inside the call. */
    GElf_Addr address = offset - 1 + module->bias;
    Dwarf_Addr bias = 0;
    Dwarf_Die *unit = find_unit(module, address, &bias);
    size_t depth = 0;
    if (unit) {
        resolve_line(symbols, unit, address - bias, &frames[0]);
        depth = resolve_scopes(symbols, unit, address - bias, frames);
    }
    if (depth == 0) {
        frames[0].function = keep(symbols, dwfl_module_addrname(module->image, address));
        depth = 1;
    }
    return depth;
}

static const struct resolved *resolve(struct symbols *symbols, const char *path, uint64_t offset)
{
    struct module *module = open_module(symbols, path);
    struct resolved *resolved;
    HASH_FIND(hh, module->resolved, &offset, sizeof offset, resolved);
    if (resolved)
        return resolved;
    struct frame frames[MAX_INLINED];
    resolved = checked_malloc(sizeof *resolved);
    memset(resolved, 0, sizeof *resolved);
    resolved->offset = offset;
    resolved->depth = resolve_address(symbols, module, offset, frames);
    resolved->frames = checked_malloc(resolved->depth * sizeof *frames);
    memcpy(resolved->frames, frames, resolved->depth * sizeof *frames);
    HASH_ADD(hh, module->resolved, offset, sizeof offset, resolved);
    return resolved;
}

/* What called main, or a thread's first function: of no use to anybody. */
static bool is_start_code(const struct frame *frame)
{
    static const char *const names[] = {"_start",
                                        "__libc_start_call_main",
                                        "__libc_start_main",
                                        "__libc_start_main_impl",
                                        "start_thread",
                                        "clone3",
                                        "__clone3",
                                        "clone",
                                        "__clone"};
    const char *slash = frame->module ? strrchr(frame->module, '/') : NULL;
    bool in_libc = slash && !strncmp(slash + 1, "libc.so", 7);
    for (size_t i = 0; frame->function && i < sizeof names / sizeof names[0]; i++)
        if (!strcmp(frame->function, names[i]))
            return true;
    return in_libc;
}

void symbols_resolve(struct symbols *symbols, struct report *report, struct stack *stack)
{
    struct frame *frames = NULL;
    size_t depth = 0, capacity = 0;
    for (size_t i = 0; i < stack->depth; i++) {
        const struct frame *raw = &stack->frames[i];
        const struct resolved *resolved = NULL;
        if (raw->module && !raw->file && raw->offset)
            resolved = resolve(symbols, raw->module, raw->offset);
        for (size_t j = 0; j < (resolved ? resolved->depth : 1); j++) {
            frames = checked_grow(frames, depth, &capacity, sizeof *frames);
            struct frame *frame = &frames[depth++];
            *frame = *raw;
            if (raw->file && !raw->module) /* a script's line, as the interpreter names it */
                frame->file = report_text(report, source_name(symbols, raw->file, NULL));
            if (resolved) {
                frame->file = report_text(report, resolved->frames[j].file);
                frame->line = resolved->frames[j].line;
                frame->column = resolved->frames[j].column;
                frame->function = function_in_source(report, resolved->frames[j].function);
                frame->function = fortran_name(report, frame);
            }
        }
    }
    while (depth > 1 && is_start_code(&frames[depth - 1]))
        depth--;
    stack->frames = depth ? obstack_copy(&report->texts, frames, depth * sizeof *frames) : NULL;
    stack->depth = depth;
    free(frames);
}

bool symbols_variable(struct symbols *symbols, const struct frame *place, const char *name,
                      Dwarf_Die *variable)
{
    struct module *module =
        place->module && place->offset ? open_module(symbols, place->module) : NULL;
    if (!module || !module->dwfl)
        return false;
    GElf_Addr address = place->offset - 1 + module->bias;
    Dwarf_Addr bias = 0;
    Dwarf_Die *unit = find_unit(module, address, &bias), *scopes = NULL;
    int count = unit ? dwarf_getscopes(unit, address - bias, &scopes) : 0;
    bool found = count > 0 && dwarf_getscopevar(scopes, count, name, 0, NULL, 0, 0, variable) >= 0;
    free(scopes);
    return found;
}
