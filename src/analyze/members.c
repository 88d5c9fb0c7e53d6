#include "members.h"

#include <stddef.h>

/* One step into a type: the element of an array, or a member. NULL: neither. */
static LLVMTypeRef inner_type(LLVMTypeRef type, LLVMValueRef index)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMArrayTypeKind:
        return LLVMGetElementType(type);
    case LLVMStructTypeKind:
        return LLVMIsAConstantInt(index)
                   ? LLVMStructGetTypeAtIndex(type, (unsigned)LLVMConstIntGetZExtValue(index))
                   : NULL;
    default:
        return NULL;
    }
}

unsigned member_indices(LLVMValueRef address, struct member_index indices[MEMBER_INDICES])
{
    enum { DEPTH = 8 };
    unsigned count = 0;
    for (int depth = 0; depth < DEPTH && LLVMIsAGetElementPtrInst(address); depth++) {
        LLVMTypeRef type = LLVMGetGEPSourceElementType(address);
        /* The first index goes from one object of the type to the next; nobody knows how many there
         * are. */
        for (int i = 2; type && i < LLVMGetNumOperands(address); i++) {
            LLVMValueRef index = LLVMGetOperand(address, (unsigned)i);
            int64_t limit =
                LLVMGetTypeKind(type) == LLVMArrayTypeKind ? (int64_t)LLVMGetArrayLength2(type) : 0;
            /* An array of one, or none, at the end of a struct is an old way to say: as many as
             * there is memory for. */
            if (limit > 1 && !LLVMIsConstant(index) && count < MEMBER_INDICES)
                indices[count++] = (struct member_index){index, limit};
            type = inner_type(type, index);
        }
        address = LLVMGetOperand(address, 0);
    }
    return count;
}
