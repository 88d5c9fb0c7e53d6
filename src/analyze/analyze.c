#include "analyze.h"

#include "effects.h"
#include "guard.h"
#include "inline.h"
#include "normalise.h"
#include "progress.h"
#include "report_races.h"

#include <llvm-c/Linker.h>

#include <time.h>

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

static size_t count_instructions(LLVMModuleRef module)
{
    size_t count = 0;
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function))
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
             block = LLVMGetNextBasicBlock(block))
            for (LLVMValueRef at = LLVMGetFirstInstruction(block); at;
                 at = LLVMGetNextInstruction(at))
                count++;
    return count;
}

static void analyze_program(LLVMModuleRef program, struct report *report, struct analysis *analysis)
{
    analysis->programs++;
    analysis->instructions += count_instructions(program);
    enum flavour flavour = module_flavour(program);
    normalise(program, defines_main(program), flavour, &analysis->stages);
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
        analysis->functions++;
        stage_enter(&analysis->stages, STAGE_events);
        struct function *function = function_read(value, flavour, points, effects);
        stage_enter(&analysis->stages, STAGE_races);
        report_races(function, report, &analysis->wrappers);
        if (function->late)
            report_note(report, report_textf(report, "%s is too large to be analysed as a whole",
                                             LLVMGetValueName2(value, &(size_t){0})));
        function_free(function);
    }
    DROP(&relevant);
    stage_enter(&analysis->stages, STAGE_points);
    effects_free(effects);
    callgraph_free(graph);
    points_free(points);
}

/* Whether linking `module` would define something that the program has already. */
static bool clashes(LLVMModuleRef program, LLVMModuleRef module)
{
    return defines_main(program) && defines_main(module);
}

struct loaded {
    const struct unit *unit;
    LLVMModuleRef module;
    bool has_main;
};

/* The linker destroys what it links in. What several programs share is cloned; for one program that
 * would only cost time. */
static void link_in(LLVMModuleRef program, struct loaded *unit, bool shared, struct report *report)
{
    LLVMModuleRef module = unit->module;
    if (!clashes(program, module)) {
        if (!shared)
            unit->module = NULL;
        if (!LLVMLinkModules2(program, shared ? LLVMCloneModule(module) : module))
            return;
    }
    report_note(report, report_textf(report, "%s could not be linked with the others",
                                     unit->unit->file));
}

/* Whether the program needs something that the module defines. */
static bool is_needed(LLVMModuleRef program, LLVMModuleRef module)
{
    for (LLVMValueRef function = LLVMGetFirstFunction(program); function;
         function = LLVMGetNextFunction(function)) {
        if (!LLVMIsDeclaration(function))
            continue;
        LLVMValueRef other =
            LLVMGetNamedFunction(module, LLVMGetValueName2(function, &(size_t){0}));
        if (other && !LLVMIsDeclaration(other))
            return true;
    }
    return false;
}

static void link_program(struct loaded *units, size_t count, size_t main_unit, bool shared,
                         struct report *report, struct analysis *analysis)
{
    LLVMModuleRef program =
        shared ? LLVMCloneModule(units[main_unit].module) : units[main_unit].module;
    bool *linked = checked(calloc(count + 1, sizeof *linked));
    for (bool again = true; again;) {
        again = false;
        for (size_t i = 0; i < count; i++)
            if (i != main_unit && !linked[i] && !units[i].has_main &&
                is_needed(program, units[i].module)) {
                linked[i] = again = true;
                link_in(program, &units[i], shared, report);
            }
    }
    free(linked);
    analyze_program(program, report, analysis);
    stage_enter(&analysis->stages, STAGE_link);
    if (shared)
        LLVMDisposeModule(program);
}

static void link_library(struct loaded *units, size_t count, struct report *report,
                         struct analysis *analysis)
{
    for (size_t i = 1; i < count; i++)
        link_in(units[0].module, &units[i], false, report);
    analyze_program(units[0].module, report, analysis);
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
    LIST(struct loaded) loaded = {0};
    size_t mains = 0;
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
        struct loaded item = {unit, module, defines_main(module)};
        mains += item.has_main;
        APPEND(&loaded, item);
    }
    stage_enter(&analysis->stages, STAGE_link);
    for (size_t i = 0; i < loaded.count; i++) {
        const char *name = loaded.items[i].unit->file;
        if (!loaded.items[i].has_main)
            continue;
        if (guard_was_fatal(name)) {
            units->failed++;
            continue;
        }
        guard_busy(name);
        link_program(loaded.items, loaded.count, i, mains > 1, report, analysis);
        guard_busy(NULL);
    }
    if (!mains && loaded.count)
        link_library(loaded.items, loaded.count, report, analysis);
    /* The context and the modules in it are left to the end of the process: to give back a million
     * objects one by one takes as long as to read them. */
    DROP(&loaded);
    progress_clear();
    guard_end();
    stages_end(&analysis->stages);
    analysis->seconds += now() - start;
}
