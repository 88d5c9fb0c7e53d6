/* Globals get places, constants become numbers. */
#include "lower.h"

#include <uthash.h>

struct known_value {
    LLVMValueRef value;
    int number;
    bool is_function;
    UT_hash_handle hh;
};

static void know(struct code *code, LLVMValueRef value, size_t number, bool is_function)
{
    struct known_value *entry = zeroed(1, sizeof *entry);
    entry->value = value;
    entry->number = (int)number;
    entry->is_function = is_function;
    HASH_ADD_PTR(code->known, value, entry);
}

static struct known_value *known(const struct code *code, LLVMValueRef value)
{
    struct known_value *entry;
    HASH_FIND_PTR(code->known, &value, entry);
    return entry;
}

struct function *code_function(const struct code *code, LLVMValueRef value)
{
    struct known_value *entry = known(code, value);
    return entry && entry->is_function ? code->functions.at[entry->number] : NULL;
}

static void add_function(struct code *code, LLVMValueRef value)
{
    struct function *function = zeroed(1, sizeof *function);
    function->value = value;
    function->name = LLVMGetValueName2(value, &(size_t){0});
    function->has_body = !LLVMIsDeclaration(value);
    const char *name = function->name[0] == 'P' ? function->name + 1 : function->name;
    if (!function->has_body && !strncmp(name, "MPI", 3))
        function->routine = routine_by_name(name);
    function->library = function->has_body ? -1 : library_number(function->name);
    function->number = (int)ADD(&code->functions, function);
    know(code, value, (size_t)function->number, true);
}

static void add_global(struct code *code, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(value);
    bool sized = LLVMTypeIsSized(type);
    uint64_t size = sized ? LLVMABISizeOfType(code->layout, type) : 256;
    uint64_t align = LLVMGetAlignment(value);
    if (align < 16)
        align = 16;
    uint64_t offset = (code->globals_end + 32 + align - 1) / align * align;
    struct global global = {value, LLVMGetValueName2(value, &(size_t){0}), offset, size,
                            LLVMIsDeclaration(value)};
    code->globals_end = offset + size;
    know(code, value, ADD(&code->globals, global), false);
}

struct code *code_open(LLVMModuleRef module)
{
    struct code *code = zeroed(1, sizeof *code);
    code->module = module;
    code->layout = LLVMGetModuleDataLayout(module);
    code->globals_end = GLOBALS_START;
    for (LLVMValueRef at = LLVMGetFirstFunction(module); at; at = LLVMGetNextFunction(at))
        add_function(code, at);
    for (LLVMValueRef at = LLVMGetFirstGlobal(module); at; at = LLVMGetNextGlobal(at))
        add_global(code, at);
    return code;
}

static void function_close(struct function *function)
{
    for (size_t i = 0; i < function->calls.n; i++) {
        free(function->calls.at[i].arguments);
        free(function->calls.at[i].copied);
    }
    for (size_t i = 0; i < function->switches.n; i++) {
        free(function->switches.at[i].values);
        free(function->switches.at[i].targets);
    }
    free(function->ran);
    EMPTY(&function->steps);
    EMPTY(&function->sources);
    EMPTY(&function->calls);
    EMPTY(&function->switches);
    free(function);
}

void code_close(struct code *code)
{
    struct known_value *entry, *next;
    HASH_ITER(hh, code->known, entry, next)
    {
        HASH_DEL(code->known, entry);
        free(entry);
    }
    for (size_t i = 0; i < code->functions.n; i++)
        function_close(code->functions.at[i]);
    EMPTY(&code->functions);
    EMPTY(&code->globals);
    EMPTY(&code->constants);
    free(code);
}

/* ---- Types ---- */

static bool add_leaves(const struct code *code, LLVMTypeRef type, uint64_t offset,
                       struct leaf *leaves, int *count)
{
    if (*count >= MOST_LEAVES || offset > UINT32_MAX / 2)
        return false;
    struct leaf *leaf = &leaves[*count];
    *leaf = (struct leaf){.kind = LEAF_OTHER, .offset = (uint32_t)offset};
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        leaf->bits = LLVMGetIntTypeWidth(type);
        leaf->bytes = (leaf->bits + 7) / 8;
        leaf->kind = leaf->bits <= 64 ? LEAF_NUMBER : LEAF_OTHER;
        break;
    case LLVMPointerTypeKind:
        *leaf = (struct leaf){LEAF_NUMBER, 64, 8, (uint32_t)offset};
        break;
    case LLVMFloatTypeKind:
        *leaf = (struct leaf){LEAF_FLOAT, 32, 4, (uint32_t)offset};
        break;
    case LLVMDoubleTypeKind:
        *leaf = (struct leaf){LEAF_DOUBLE, 64, 8, (uint32_t)offset};
        break;
    case LLVMStructTypeKind:
        for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
            if (!add_leaves(code, LLVMStructGetTypeAtIndex(type, i),
                            offset + LLVMOffsetOfElement(code->layout, type, i), leaves, count))
                return false;
        return true;
    case LLVMArrayTypeKind:
    case LLVMVectorTypeKind: {
        LLVMTypeRef element = LLVMGetElementType(type);
        uint64_t size = LLVMABISizeOfType(code->layout, element);
        uint64_t n = LLVMGetTypeKind(type) == LLVMArrayTypeKind ? LLVMGetArrayLength2(type)
                                                                : LLVMGetVectorSize(type);
        for (uint64_t i = 0; i < n; i++)
            if (!add_leaves(code, element, offset + i * size, leaves, count))
                return false;
        return true;
    }
    default:
        if (!LLVMTypeIsSized(type))
            return false;
        leaf->bytes = (uint32_t)LLVMStoreSizeOfType(code->layout, type);
    }
    ++*count;
    return true;
}

int code_leaves(const struct code *code, LLVMTypeRef type, struct leaf leaves[MOST_LEAVES])
{
    int count = 0;
    if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
        return 0;
    return add_leaves(code, type, 0, leaves, &count) ? count : -1;
}

/* ---- Constants ---- */

static const struct constant unknown = {CONSTANT_UNKNOWN, 0};

static uint64_t low_bits(uint64_t bits, unsigned width)
{
    return width >= 64 ? bits : bits & (((uint64_t)1 << width) - 1);
}

static struct constant scalar(struct code *code, LLVMValueRef value);

static struct constant address(struct code *code, LLVMValueRef value)
{
    if (LLVMIsAGlobalAlias(value))
        return address(code, LLVMAliasGetAliasee(value));
    struct known_value *entry = known(code, value);
    if (!entry)
        return unknown;
    if (entry->is_function)
        return (struct constant){CONSTANT_NUMBER, FUNCTIONS_START + (uint64_t)entry->number * 16};
    return (struct constant){CONSTANT_ADDRESS, code->globals.at[entry->number].offset};
}

static struct constant constant_gep(struct code *code, LLVMValueRef value)
{
    struct constant result = scalar(code, LLVMGetOperand(value, 0));
    LLVMTypeRef type = LLVMGetGEPSourceElementType(value);
    int64_t offset = 0;
    for (int i = 1; i < LLVMGetNumOperands(value); i++) {
        struct constant index = scalar(code, LLVMGetOperand(value, (unsigned)i));
        if (index.kind != CONSTANT_NUMBER)
            return unknown;
        unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(value, (unsigned)i)));
        int64_t number = width < 64 ? (int64_t)(index.bits << (64 - width)) >> (64 - width)
                                    : (int64_t)index.bits;
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            offset += (int64_t)LLVMOffsetOfElement(code->layout, type, (unsigned)number);
            type = LLVMStructGetTypeAtIndex(type, (unsigned)number);
            continue;
        }
        if (i > 1)
            type = LLVMGetElementType(type);
        offset += number * (int64_t)LLVMABISizeOfType(code->layout, type);
    }
    result.bits += (uint64_t)offset;
    return result;
}

static struct constant expression(struct code *code, LLVMValueRef value)
{
    struct constant a = scalar(code, LLVMGetOperand(value, 0)), b;
    switch (LLVMGetConstOpcode(value)) {
    case LLVMGetElementPtr:
        return constant_gep(code, value);
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
        return a;
    case LLVMIntToPtr:
        return a;
    case LLVMPtrToInt:
    case LLVMTrunc: {
        unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(value));
        if (a.kind == CONSTANT_ADDRESS && width < 64)
            return unknown;
        a.bits = low_bits(a.bits, width);
        return a;
    }
    case LLVMAdd:
    case LLVMSub:
        b = scalar(code, LLVMGetOperand(value, 1));
        if (a.kind == CONSTANT_UNKNOWN || b.kind != CONSTANT_NUMBER)
            return unknown;
        a.bits = LLVMGetConstOpcode(value) == LLVMAdd ? a.bits + b.bits : a.bits - b.bits;
        return a;
    default:
        return unknown;
    }
}

static struct constant scalar(struct code *code, LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    struct constant number = {CONSTANT_NUMBER, 0};
    LLVMBool lost;
    if (LLVMIsAConstantInt(value)) {
        if (LLVMGetIntTypeWidth(type) > 64)
            return unknown;
        number.bits = LLVMConstIntGetZExtValue(value);
        return number;
    }
    if (LLVMIsAConstantPointerNull(value))
        return number;
    if (LLVMIsAConstantFP(value)) {
        double real = LLVMConstRealGetDouble(value, &lost);
        float single = (float)real;
        uint32_t bits32;
        memcpy(&bits32, &single, 4);
        if (LLVMGetTypeKind(type) == LLVMFloatTypeKind)
            number.bits = bits32;
        else if (LLVMGetTypeKind(type) == LLVMDoubleTypeKind)
            memcpy(&number.bits, &real, 8);
        else
            return unknown;
        return number;
    }
    if (LLVMIsAGlobalValue(value))
        return address(code, value);
    if (LLVMIsAConstantExpr(value))
        return expression(code, value);
    return unknown; /* undef, poison, block addresses */
}

static bool add_constants(struct code *code, LLVMValueRef value, struct constant *to, int *count)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (kind != LLVMStructTypeKind && kind != LLVMArrayTypeKind && kind != LLVMVectorTypeKind) {
        if (*count >= MOST_LEAVES)
            return false;
        to[(*count)++] =
            LLVMIsNull(value) ? (struct constant){CONSTANT_NUMBER, 0} : scalar(code, value);
        return true;
    }
    uint64_t n = kind == LLVMStructTypeKind  ? LLVMCountStructElementTypes(type)
                 : kind == LLVMArrayTypeKind ? LLVMGetArrayLength2(type)
                                             : LLVMGetVectorSize(type);
    struct leaf leaves[MOST_LEAVES];
    if (LLVMIsUndef(value) || LLVMIsPoison(value) || LLVMIsNull(value)) {
        int m = code_leaves(code, type, leaves);
        if (m < 0 || *count + m > MOST_LEAVES)
            return false;
        for (int i = 0; i < m; i++)
            to[(*count)++] = LLVMIsNull(value) ? (struct constant){CONSTANT_NUMBER, 0} : unknown;
        return true;
    }
    for (uint64_t i = 0; i < n; i++) {
        LLVMValueRef element = LLVMGetAggregateElement(value, (unsigned)i);
        if (!element || !add_constants(code, element, to, count))
            return false;
    }
    return true;
}

bool code_constant(struct code *code, LLVMValueRef value, struct constant *constants, int *count)
{
    *count = 0;
    return LLVMIsConstant(value) && add_constants(code, value, constants, count);
}

struct constant code_scalar(struct code *code, LLVMValueRef value)
{
    return LLVMIsNull(value) ? (struct constant){CONSTANT_NUMBER, 0} : scalar(code, value);
}
