#include "extents.h"

#include "places.h"

#include <llvm-c/DebugInfo.h>

/* Where the instruction stands in the function itself, if something else is inlined there. */
static LLVMMetadataRef outermost(LLVMMetadataRef location)
{
    for (LLVMMetadataRef outer; location && (outer = LLVMDILocationGetInlinedAt(location));)
        location = outer;
    return location;
}

/* The closing brace has a line: that of the return. A function that does not return ends with its
 * last statement. */
static unsigned last_line(LLVMValueRef function, unsigned first, LLVMMetadataRef file)
{
    unsigned last = first;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at;
             at = LLVMGetNextInstruction(at)) {
            LLVMMetadataRef location = outermost(LLVMInstructionGetDebugLoc(at));
            if (location && LLVMDILocationGetLine(location) > last &&
                LLVMDIScopeGetFile(LLVMDILocationGetScope(location)) == file)
                last = LLVMDILocationGetLine(location);
        }
    return last;
}

void extents_add(extent_list *extents, struct report *report, LLVMModuleRef module)
{
    LLVMMetadataRef known = NULL;
    const char *name = NULL;
    for (LLVMValueRef function = LLVMGetFirstFunction(module); function;
         function = LLVMGetNextFunction(function)) {
        LLVMMetadataRef subprogram =
            LLVMIsDeclaration(function) ? NULL : LLVMGetSubprogram(function);
        LLVMMetadataRef file = subprogram ? LLVMDIScopeGetFile(subprogram) : NULL;
        if (!file)
            continue;
        if (file != known)
            name = scope_file(report, known = file);
        unsigned first = LLVMDISubprogramGetLine(subprogram);
        if (name && first)
            APPEND(extents, (struct extent){name, first, last_line(function, first, file)});
    }
}
