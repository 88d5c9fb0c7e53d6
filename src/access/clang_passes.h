// The passes of the plug-in for clang, in the order in which they run; clang's own ThreadSanitizer
// pass runs in front of HoistChecks. C++ because LLVM's C interface has no pass plug-ins.
#ifndef REGATTA_ACCESS_CLANG_PASSES_H
#define REGATTA_ACCESS_CLANG_PASSES_H

#include <vector>

#include <llvm/IR/Instructions.h>
#include <llvm/IR/PassManager.h>

// clang_frames.cpp: the first one before anything else is done to the program
struct MarkFrames : llvm::PassInfoMixin<MarkFrames> {
    llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
    static bool isRequired()
    {
        return true;
    } // at -O0 too
};
struct CheckFrames : llvm::PassInfoMixin<CheckFrames> {
    llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
    static bool isRequired()
    {
        return true;
    } // at -O0 too
};

// clang_unused.cpp: the first one before anything else is optimised, the second one behind
// ThreadSanitizer's pass
struct MarkUnused : llvm::PassInfoMixin<MarkUnused> {
    llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};
struct ForgetUses : llvm::PassInfoMixin<ForgetUses> {
    llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &);
};

// clang_values.cpp
struct CheckValues : llvm::PassInfoMixin<CheckValues> {
    llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
    static bool isRequired()
    {
        return true;
    } // at -O0 too
};

// clang_places.cpp
struct PlaceLoads : llvm::PassInfoMixin<PlaceLoads> {
    llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

// clang_stack.cpp
struct HideStackVariables : llvm::PassInfoMixin<HideStackVariables> {
    llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
    static bool isRequired()
    {
        return true;
    } // at -O0 too
};

struct ShowStackVariables : llvm::PassInfoMixin<ShowStackVariables> {
    llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &);
};

// clang_select.cpp
struct LoadOneSide : llvm::PassInfoMixin<LoadOneSide> {
    llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

// clang_hoist.cpp
struct HoistChecks : llvm::PassInfoMixin<HoistChecks> {
    llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &analyses);
};

// clang_inline.cpp
struct InlineChecks : llvm::PassInfoMixin<InlineChecks> {
    llvm::PreservedAnalyses run(llvm::Module &module, llvm::ModuleAnalysisManager &analyses);
};

// A call that ThreadSanitizer's pass put in front of a load or store.
struct Check {
    llvm::CallInst *call;
    unsigned bytes;
    bool store, aligned, isVolatile;
};

// Whether it is one: __tsan_readN, __tsan_writeN or one of their relatives.
bool isCheck(llvm::Instruction &instruction, Check &check);

// How many bytes from its first argument on a call tells of at most, if they are few
// (ACCESS_GROUP); else 0, and for what is no such call. In clang_hoist.cpp.
unsigned fewBytesTold(llvm::Instruction &instruction);

// Whether it may order accesses between processes, as far as can be seen here. Likewise.
bool maySynchronise(llvm::Instruction &instruction);

// Checks that share one look at the flags.
struct CheckGroup {
    struct Member {
        Check check; // or a call that tells of a sweep over at most so many bytes
        bool single; // a check of an access that does not cross a page
        int64_t at;  // bytes behind the address of the first one
    };
    enum : size_t { NONE = SIZE_MAX };
    llvm::SmallVector<Member, 4> members; // in the order of the program
    int64_t low = 0, high = 0;            // their bytes, likewise
    size_t known = NONE;                  // number of the group whose flag tells about this one
    llvm::Instruction *place = nullptr;   // else: in front of what the flag is looked at
};

// clang_groups.cpp: all that are to be compiled in; those that are known come behind the others.
std::vector<CheckGroup> groupChecks(llvm::Function &function,
                                    llvm::FunctionAnalysisManager &analyses);

#endif
