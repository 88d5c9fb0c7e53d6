// The plug-in for clang that `regatta cc` uses.
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Transforms/Instrumentation/ThreadSanitizer.h>

#include "clang_passes.h"

using namespace llvm;

namespace
{

struct FinishSanitizing : PassInfoMixin<FinishSanitizing> {
    PreservedAnalyses run(Function &function, FunctionAnalysisManager &)
    {
        function.removeFnAttr(Attribute::SanitizeThread);
        return PreservedAnalyses::all();
    }
};

// Behind everything that simplifies, and in front of what vectorises and unrolls: there are checks
// for what the program does by then, and not for the neighbours that a vector brings along; and a
// loop whose checks went in front of it is made as fast as in the plain program. clang adds
// ThreadSanitizer's passes at the very end. We run them ourselves here; the second time they find
// functions that do not want to be sanitized, and atomic operations that are calls already.
void addPasses(ModulePassManager &passes, OptimizationLevel level)
{
    passes.addPass(createModuleToFunctionPassAdaptor(CheckFrames()));
    passes.addPass(createModuleToFunctionPassAdaptor(CheckValues()));
    passes.addPass(createModuleToFunctionPassAdaptor(HideStackVariables()));
    if (level == OptimizationLevel::O0)
        return;
    passes.addPass(createModuleToFunctionPassAdaptor(LoadOneSide()));
    passes.addPass(createModuleToFunctionPassAdaptor(PlaceLoads()));
    passes.addPass(ModuleThreadSanitizerPass());
    FunctionPassManager each;
    each.addPass(ThreadSanitizerPass());
    each.addPass(FinishSanitizing());
    each.addPass(ShowStackVariables());
    passes.addPass(createModuleToFunctionPassAdaptor(std::move(each)));
    passes.addPass(ForgetUses());
    passes.addPass(createModuleToFunctionPassAdaptor(HoistChecks()));
    passes.addPass(InlineChecks());
}

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo()
{
    return {LLVM_PLUGIN_API_VERSION, "regatta", "2", [](PassBuilder &builder) {
                builder.registerPipelineStartEPCallback(
                    [](ModulePassManager &passes, OptimizationLevel level) {
                        passes.addPass(createModuleToFunctionPassAdaptor(MarkFrames()));
                        if (level != OptimizationLevel::O0)
                            passes.addPass(createModuleToFunctionPassAdaptor(MarkUnused()));
                    });
                builder.registerPeepholeEPCallback(
                    [](FunctionPassManager &passes, OptimizationLevel) {
                        passes.addPass(LoadOneSide());
                    });
                builder.registerOptimizerEarlyEPCallback(addPasses);
            }};
}
