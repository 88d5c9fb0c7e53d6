// A pass for clang: gives a line to loads that have none.
//
// What the optimiser moves in front of a loop loses its place in the source, and its check would be
// told without a line. What uses the value has one, and it is theirs. As gcc_places.cpp.
#include "clang_passes.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace
{

bool hasLine(const Instruction &instruction)
{
    return instruction.getDebugLoc() && instruction.getDebugLoc().getLine();
}

// Through instructions that have no line either, some steps far.
DebugLoc useOf(const Instruction &value, int steps)
{
    for (const User *user : value.users()) {
        auto *instruction = dyn_cast<Instruction>(user);
        if (instruction && hasLine(*instruction))
            return instruction->getDebugLoc();
    }
    for (const User *user : value.users()) {
        auto *instruction = dyn_cast<Instruction>(user);
        DebugLoc place = instruction && steps > 1 ? useOf(*instruction, steps - 1) : DebugLoc();
        if (place)
            return place;
    }
    return DebugLoc();
}

} // namespace

PreservedAnalyses PlaceLoads::run(Function &function, FunctionAnalysisManager &)
{
    if (function.hasFnAttribute(Attribute::SanitizeThread))
        for (Instruction &instruction : instructions(function))
            if (isa<LoadInst>(instruction) && !hasLine(instruction))
                if (DebugLoc place = useOf(instruction, 3))
                    instruction.setDebugLoc(place);
    return PreservedAnalyses::all();
}
