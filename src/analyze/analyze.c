#include "analyze.h"

#include "bridge.h"
#include "effects.h"
#include "excuses.h"
#include "guard.h"
#include "inline.h"
#include "normalise.h"
#include "one_thread.h"
#include "places.h"
#include "findings/progress.h"
#include "replayed.h"
#include "report_races.h"
#include "results.h"

#include <time.h>
#include <uthash.h>

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void quiet_diagnostics(LLVMDiagnosticInfoRef info, void *context)
{
    (void)info, (void)context;
}

static bool defines_main(LLVMModuleRef module)
{
    LLVMValueRef function = LLVMGetNamedFunction(module, "main");
    return function && !LLVMIsDeclaration(function);
}

static size_t count_instructions(LLVMValueRef function)
{
    size_t count = 0;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at))
            count++;
    return count;
}

static void count_code(LLVMModuleRef program, struct analysis *analysis)
{
    for (LLVMValueRef function = LLVMGetFirstFunction(program); function;
         function = LLVMGetNextFunction(function)) {
        analysis->bodies += !LLVMIsDeclaration(function);
        analysis->instructions += count_instructions(function);
    }
}

/* A function for which the time was not enough. */
static void count_late(LLVMValueRef function, struct report *report, struct analysis *analysis)
{
    size_t size = count_instructions(function);
    analysis->late++;
    if (size > analysis->largest) {
        analysis->largest = size;
        analysis->largest_place = function_place(report, function);
    }
}

/* How much was looked at. What was not is told by the limits, too; this is for the eye. */
static const char *checked_text(const struct units *units, struct report *report,
                                const struct analysis *analysis)
{
    const char *text = report_textf(report, "checked %zu of %zu functions",
                                    analysis->bodies - analysis->late, analysis->bodies);
    if (analysis->late)
        text = report_textf(report, "%s; %zu too large (largest: %s)", text, analysis->late,
                            analysis->largest_place);
    if (units->failed)
        text = report_textf(report, "%s; %zu file%s skipped", text, units->failed,
                            units->failed == 1 ? "" : "s");
    return text;
}

static void analyze_program(LLVMModuleRef program, bool as_written, struct report *report,
                            struct analysis *analysis)
{
    analysis->programs++;
    count_code(program, analysis);
    enum flavour flavour = module_flavour(program);
    struct replayed_lines executed = {0};
    /* Processes that go on would be blamed for what another one has excused. */
    if (as_written && defines_main(program) && excuses_memory(program))
        gaps_add_execution(&analysis->gaps, report, NULL, "it calls regatta_ignore");
    else if (as_written && defines_main(program))
        report_replayed(program, flavour, report, &analysis->wrappers, &analysis->gaps, &executed);
    size_t first = report->finding_count;
    struct left_out left_out =
        normalise(program, defines_main(program), flavour, &analysis->stages);
    gaps_add(&analysis->gaps, report, GAP_calls, left_out.calls, left_out.most);
    stage_enter(&analysis->stages, STAGE_points);
    struct points *points = points_solve(program);
    struct callgraph *graph = callgraph_build(program, points);
    struct effects *effects = effects_on_memory(graph, points);
    LIST(LLVMValueRef) relevant = {0};
    for (LLVMValueRef value = LLVMGetFirstFunction(program); value;
         value = LLVMGetNextFunction(value))
        if (!LLVMIsDeclaration(value) && !function_is_absorbed(value) &&
            function_starts_operations(value))
            APPEND(&relevant, value);
    for EACH (item, &relevant) {
        LLVMValueRef value = *item;
        progress_show("analysed", (size_t)(item - relevant.items), relevant.count);
        if (!openmp_is_followed(value)) {
            gaps_add(&analysis->gaps, report, GAP_openmp, 1, value);
            continue;
        }
        analysis->functions++;
        stage_enter(&analysis->stages, STAGE_events);
        struct function *function = function_read(value, flavour, points, effects);
        stage_enter(&analysis->stages, STAGE_races);
        report_races(function, report, &analysis->wrappers);
        function->gaps[GAP_late] += function->late;
        if (function->late)
            count_late(value, report, analysis);
        for (int gap = 0; gap < GAP_COUNT; gap++)
            gaps_add(&analysis->gaps, report, gap, function->gaps[gap], value);
        function_free(function);
    }
    DROP(&relevant);
    report_weigh(report, first, &executed);
    DROP(&executed);
    stage_enter(&analysis->stages, STAGE_points);
    effects_free(effects);
    callgraph_free(graph);
    points_free(points);
}

struct loaded {
    const struct unit *unit;
    LLVMModuleRef module; /* the last program that it is part of takes it */
    bool has_main;
    size_t programs; /* that are still to come, and that it is part of */
};
typedef LIST(struct loaded) loaded_list;

/* Which unit defines a symbol: the first one, as for a linker that searches libraries. */
struct definition {
    const char *name;
    size_t unit;
    bool strong; /* there can be no other one in the same program */
    UT_hash_handle hh;
};

struct definitions {
    struct definition *table;
};

static void define(struct definitions *definitions, LLVMValueRef value, size_t unit)
{
    size_t length;
    const char *name = LLVMGetValueName2(value, &length);
    LLVMLinkage linkage = LLVMGetLinkage(value);
    struct definition *entry;
    if (LLVMIsDeclaration(value) || !length || linkage == LLVMInternalLinkage ||
        linkage == LLVMPrivateLinkage)
        return;
    HASH_FIND(hh, definitions->table, name, length, entry);
    if (entry)
        return;
    entry = checked(calloc(1, sizeof *entry));
    entry->name = checked(strndup(name, length)); /* its module may be linked away */
    entry->unit = unit;
    entry->strong = linkage == LLVMExternalLinkage;
    HASH_ADD_KEYPTR(hh, definitions->table, entry->name, length, entry);
}

static void find_definitions(struct definitions *definitions, const loaded_list *units)
{
    for (size_t i = 0; i < units->count; i++) {
        LLVMModuleRef module = units->items[i].module;
        if (units->items[i].has_main)
            continue;
        for (LLVMValueRef at = LLVMGetFirstFunction(module); at; at = LLVMGetNextFunction(at))
            define(definitions, at, i);
        for (LLVMValueRef at = LLVMGetFirstGlobal(module); at; at = LLVMGetNextGlobal(at))
            define(definitions, at, i);
    }
}

static void definitions_free(struct definitions *definitions)
{
    struct definition *entry, *next;
    HASH_ITER(hh, definitions->table, entry, next)
    {
        HASH_DEL(definitions->table, entry);
        free((char *)entry->name);
        free(entry);
    }
}

typedef LIST(size_t) number_list;

static void need(const struct definitions *definitions, LLVMValueRef value, bool *needed,
                 number_list *queue)
{
    size_t length;
    const char *name = LLVMGetValueName2(value, &length);
    struct definition *entry;
    if (!LLVMIsDeclaration(value) || !length)
        return;
    HASH_FIND(hh, definitions->table, name, length, entry);
    if (entry && !needed[entry->unit]) {
        needed[entry->unit] = true;
        APPEND(queue, entry->unit);
    }
}

/* Adds to the units of a program (at first: its main one) those that it is made of as well: each of
 * them defines something that one before it needs. */
static void complete_parts(const loaded_list *units, const struct definitions *definitions,
                           number_list *parts)
{
    bool *needed = checked(calloc(units->count, sizeof *needed));
    for EACH (part, parts)
        needed[*part] = true;
    for (size_t i = 0; i < parts->count; i++) {
        LLVMModuleRef module = units->items[parts->items[i]].module;
        for (LLVMValueRef at = LLVMGetFirstFunction(module); at; at = LLVMGetNextFunction(at))
            need(definitions, at, needed, parts);
        for (LLVMValueRef at = LLVMGetFirstGlobal(module); at; at = LLVMGetNextGlobal(at))
            need(definitions, at, needed, parts);
    }
    free(needed);
}

/* The linker destroys what it links in: what other programs still need is cloned. */
static LLVMModuleRef take_module(struct loaded *unit)
{
    return unit->programs > 1 ? LLVMCloneModule(unit->module) : unit->module;
}

static LLVMModuleRef link_parts(const loaded_list *units, const number_list *parts,
                                struct report *report)
{
    LLVMModuleRef program = take_module(&units->items[parts->items[0]]);
    struct bridge_linker *linker = bridge_linker_open(program);
    for (size_t i = 0; i < parts->count; i++) {
        struct loaded *unit = &units->items[parts->items[i]];
        progress_show("linked", i, parts->count);
        if (i > 0 && !bridge_link(linker, take_module(unit)))
            report_note(report, report_textf(report, "%s could not be linked with the others",
                                             unit->unit->file));
    }
    bridge_linker_close(linker);
    return program;
}

/* Where its findings come from, for whoever wants to build and run it. */
static void note_program(const loaded_list *units, const number_list *parts, size_t first,
                         struct report *report, struct analysis *analysis)
{
    const struct loaded *head = &units->items[parts->items[0]];
    if (!head->has_main || first == report->finding_count)
        return;
    struct whole_program whole = {.name = head->unit->file};
    for EACH (part, parts)
        APPEND(&whole.units, units->items[*part].unit);
    APPEND(&analysis->wholes, whole);
    for (size_t i = first; i < report->finding_count; i++)
        finding_add_fact(report, &report->findings[i], "program", whole.name);
}

static void add_numbers(struct analysis *analysis, const struct analysis *own)
{
    analysis->programs += own->programs;
    analysis->from_cache += own->from_cache;
    analysis->functions += own->functions;
    analysis->instructions += own->instructions;
    analysis->bodies += own->bodies;
    analysis->late += own->late;
    if (own->largest > analysis->largest) {
        analysis->largest = own->largest;
        analysis->largest_place = own->largest_place;
    }
    gaps_join(&analysis->gaps, &own->gaps);
    analysis->stages = own->stages;
}

static char *key_of(const loaded_list *units, const number_list *parts, const struct cache *cache,
                    const struct analysis *analysis)
{
    LIST(const struct unit *) list = {0};
    for EACH (part, parts)
        APPEND(&list, units->items[*part].unit);
    char *key = results_key(cache, &analysis->wrappers, list.items, list.count);
    DROP(&list);
    return key;
}

static void analyze_parts(const loaded_list *units, const number_list *parts, bool is_last,
                          const struct cache *cache, struct report *report,
                          struct analysis *analysis)
{
    bool as_written = true; /* optimisers load what the source does not, Fortran has a runtime */
    for EACH (part, parts)
        as_written &=
            !units->items[*part].unit->is_bitcode && !units->items[*part].unit->is_fortran;
    struct analysis own = {.wrappers = analysis->wrappers, .stages = analysis->stages};
    size_t first = report->finding_count, notes = report->note_count;
    char *key = key_of(units, parts, cache, analysis);
    if (!results_take(cache, key, report, &own)) {
        LLVMModuleRef program = link_parts(units, parts, report);
        analyze_program(program, as_written, report, &own);
        if (report->note_count == notes)
            results_keep(cache, key, report, first, &own);
        /* To give back a million objects one by one takes as long as to read them. */
        if (!is_last)
            LLVMDisposeModule(program);
    }
    for EACH (part, parts)
        units->items[*part].programs--;
    free(key);
    note_program(units, parts, first, report, analysis);
    stage_enter(&own.stages, STAGE_link);
    add_numbers(analysis, &own);
}

static bool defines_again(const struct definitions *definitions, const bool *used,
                          LLVMValueRef value, size_t unit)
{
    struct definition *entry;
    size_t length;
    const char *name = LLVMGetValueName2(value, &length);
    if (LLVMIsDeclaration(value) || !length || LLVMGetLinkage(value) != LLVMExternalLinkage)
        return false;
    HASH_FIND(hh, definitions->table, name, length, entry);
    return entry && entry->strong && entry->unit != unit && !used[entry->unit];
}

/* Whether a unit that is in no program cannot be in one library with those before it. */
static bool is_rival(const struct definitions *definitions, const loaded_list *units,
                     const bool *used, size_t unit)
{
    LLVMModuleRef module = units->items[unit].module;
    for (LLVMValueRef at = LLVMGetFirstFunction(module); at; at = LLVMGetNextFunction(at))
        if (defines_again(definitions, used, at, unit))
            return true;
    for (LLVMValueRef at = LLVMGetFirstGlobal(module); at; at = LLVMGetNextGlobal(at))
        if (defines_again(definitions, used, at, unit))
            return true;
    return false;
}

/* Programs, each with its parts. What is in none of them is one more: a library, or a program that
 * could not be compiled as a whole. */
struct program {
    const char *name;
    number_list parts;
};
typedef LIST(struct program) program_list;

static void find_programs(const loaded_list *units, program_list *programs)
{
    struct definitions definitions = {0};
    bool *used = checked(calloc(units->count + 1, sizeof *used));
    struct program rest = {.name = "what is in no program"};
    find_definitions(&definitions, units);
    for (size_t i = 0; i < units->count; i++) {
        if (!units->items[i].has_main)
            continue;
        struct program program = {.name = units->items[i].unit->file};
        APPEND(&program.parts, i);
        complete_parts(units, &definitions, &program.parts);
        for EACH (part, &program.parts)
            used[*part] = true;
        APPEND(programs, program);
    }
    for (size_t i = 0; i < units->count; i++) {
        struct program other = {.name = units->items[i].unit->file};
        if (used[i])
            continue;
        if (!is_rival(&definitions, units, used, i)) {
            APPEND(&rest.parts, i);
            continue;
        }
        APPEND(&other.parts, i);
        complete_parts(units, &definitions, &other.parts);
        APPEND(programs, other);
    }
    if (rest.parts.count) {
        complete_parts(units, &definitions, &rest.parts);
        APPEND(programs, rest);
    }
    for EACH (program, programs)
        for EACH (part, &program->parts)
            units->items[*part].programs++;
    free(used);
    definitions_free(&definitions);
}

static LLVMModuleRef read_guarded(LLVMContextRef context, const struct unit *unit, char **message)
{
    *message = NULL;
    if (guard_was_fatal(unit->file))
        return NULL;
    guard_busy(unit->file);
    LLVMModuleRef module = unit_read(context, unit, message);
    guard_busy(NULL);
    return module;
}

static void remove_scratch(void *context)
{
    units_free(context);
}

void analyze(struct units *units, struct report *report, struct analysis *analysis)
{
    double start = now();
    guard_start(remove_scratch, units);
    LLVMContextRef context = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(context, quiet_diagnostics, NULL);
    loaded_list loaded = {0};
    stage_enter(&analysis->stages, STAGE_read);
    for EACH (unit, &units->list) {
        char *message;
        if (!unit->bitcode)
            continue;
        progress_show("read", (size_t)(unit - units->list.items), units->list.count);
        LLVMModuleRef module = read_guarded(context, unit, &message);
        if (!module) {
            progress_clear();
            if (message)
                fprintf(stderr, "regatta: skipped %s: %s\n", unit->file, message);
            free(message);
            units->failed++;
            continue;
        }
        if (analysis->wants_extents)
            extents_add(&analysis->extents, report, module);
        struct loaded item = {unit, module, defines_main(module), 0};
        APPEND(&loaded, item);
    }
    stage_enter(&analysis->stages, STAGE_link);
    program_list programs = {0};
    find_programs(&loaded, &programs);
    for EACH (program, &programs) {
        if (guard_was_fatal(program->name)) {
            units->failed++;
        } else {
            guard_busy(program->name);
            analyze_parts(&loaded, &program->parts, program == programs.items + programs.count - 1,
                          &units->cache, report, analysis);
            guard_busy(NULL);
        }
        DROP(&program->parts);
    }
    DROP(&programs);
    /* The context and the modules in it are left to the end of the process. */
    DROP(&loaded);
    progress_clear();
    guard_end();
    report_once(report);
    gaps_tell(&analysis->gaps, report);
    if (analysis->programs)
        report->checked = checked_text(units, report, analysis);
    stages_end(&analysis->stages);
    analysis->seconds += now() - start;
}

void analysis_free(struct analysis *analysis)
{
    for EACH (whole, &analysis->wholes)
        DROP(&whole->units);
    DROP(&analysis->wholes);
    DROP(&analysis->extents);
    wrappers_free(&analysis->wrappers);
}
