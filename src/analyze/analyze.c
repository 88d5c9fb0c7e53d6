#include "analyze.h"

#include "alias.h"
#include "inline.h"
#include "normalise.h"
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
    normalise(program, defines_main(program));
    struct points *points = points_solve(program);
    for (LLVMValueRef value = LLVMGetFirstFunction(program); value;
         value = LLVMGetNextFunction(value)) {
        if (LLVMIsDeclaration(value) || function_is_absorbed(value) || !function_calls_mpi(value))
            continue;
        analysis->functions++;
        struct function *function = function_read(value, flavour, points);
        report_races(function, report);
        if (function->late)
            report_note(report, report_textf(report, "%s is too large to be analysed as a whole",
                                             LLVMGetValueName2(value, &(size_t){0})));
        function_free(function);
    }
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

/* The linker destroys what it links in, so a module that several programs share is cloned. */
static void link_in(LLVMModuleRef program, LLVMModuleRef module, const char *name,
                    struct report *report)
{
    if (!clashes(program, module) && !LLVMLinkModules2(program, LLVMCloneModule(module)))
        return;
    report_note(report, report_textf(report, "%s could not be linked with the others", name));
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

static void link_program(struct loaded *units, size_t count, size_t main_unit,
                         struct report *report, struct analysis *analysis)
{
    LLVMModuleRef program = LLVMCloneModule(units[main_unit].module);
    bool *linked = checked(calloc(count + 1, sizeof *linked));
    for (bool again = true; again;) {
        again = false;
        for (size_t i = 0; i < count; i++)
            if (i != main_unit && !linked[i] && !units[i].has_main &&
                is_needed(program, units[i].module)) {
                linked[i] = again = true;
                link_in(program, units[i].module, units[i].unit->file, report);
            }
    }
    free(linked);
    analyze_program(program, report, analysis);
    LLVMDisposeModule(program);
}

static void link_library(struct loaded *units, size_t count, struct report *report,
                         struct analysis *analysis)
{
    LLVMModuleRef library = LLVMCloneModule(units[0].module);
    for (size_t i = 1; i < count; i++)
        link_in(library, units[i].module, units[i].unit->file, report);
    analyze_program(library, report, analysis);
    LLVMDisposeModule(library);
}

void analyze(struct units *units, struct report *report, struct analysis *analysis)
{
    double start = now();
    LLVMContextRef context = LLVMContextCreate();
    LLVMContextSetDiagnosticHandler(context, quiet_diagnostics, NULL);
    LIST(struct loaded) loaded = {0};
    size_t mains = 0;
    for EACH (unit, &units->list) {
        char *message = NULL;
        if (!unit->bitcode)
            continue;
        LLVMModuleRef module = unit_read(context, unit, &message);
        if (!module) {
            fprintf(stderr, "regatta: skipped %s: %s\n", unit->file, message);
            free(message);
            units->failed++;
            continue;
        }
        struct loaded item = {unit, module, defines_main(module)};
        mains += item.has_main;
        APPEND(&loaded, item);
    }
    for (size_t i = 0; i < loaded.count; i++)
        if (loaded.items[i].has_main)
            link_program(loaded.items, loaded.count, i, report, analysis);
    if (!mains && loaded.count)
        link_library(loaded.items, loaded.count, report, analysis);
    for EACH (item, &loaded)
        LLVMDisposeModule(item->module);
    DROP(&loaded);
    LLVMContextDispose(context);
    analysis->seconds += now() - start;
}
