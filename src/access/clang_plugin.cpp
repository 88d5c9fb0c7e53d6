// The plug-in for clang that `regatta cc` uses.
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Transforms/Instrumentation/ThreadSanitizer.h>

#include "clang_passes.h"

using namespace llvm;

namespace {

struct FinishSanitizing : PassInfoMixin<FinishSanitizing> {
    PreservedAnalyses run(Function &function, FunctionAnalysisManager &)
    {
        function.removeFnAttr(Attribute::SanitizeThread);
        return PreservedAnalyses::all();
    }
};

// clang adds ThreadSanitizer's passes after those of plug-ins. To see what they did we run them ourselves; the second time
// they find functions that do not want to be sanitized, and atomic operations that are calls already.
void addPasses(ModulePassManager &passes, OptimizationLevel level)
{
    passes.addPass(createModuleToFunctionPassAdaptor(CheckValues()));
    passes.addPass(createModuleToFunctionPassAdaptor(HideStackVariables()));
    if (level == OptimizationLevel::O0)
        return;
    passes.addPass(createModuleToFunctionPassAdaptor(LoadOneSide()));
    passes.addPass(ModuleThreadSanitizerPass());
    FunctionPassManager each;
    each.addPass(ThreadSanitizerPass());
    each.addPass(FinishSanitizing());
    each.addPass(HoistChecks());
    passes.addPass(createModuleToFunctionPassAdaptor(std::move(each)));
    passes.addPass(InlineChecks());
}

} // namespace

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo()
{
    return {LLVM_PLUGIN_API_VERSION, "regatta", "2",
            [](PassBuilder &builder) {
                builder.registerPeepholeEPCallback(
                    [](FunctionPassManager &passes, OptimizationLevel) { passes.addPass(LoadOneSide()); });
                builder.registerOptimizerLastEPCallback(addPasses);
            }};
}
