#include "layout.h"

#include "derived.h"
#include "normalise.h"

#include <string.h>

struct layout layout_bytes(int64_t bytes)
{
    return (struct layout){.known = true,
                           .extent = bytes,
                           .nruns = 1,
                           .runs = {{.length = bytes, .stride = bytes, .count = 1}}};
}

bool layout_is_dense(const struct layout *layout)
{
    return layout->nruns == 1 && layout->runs[0].count == 1 && layout->runs[0].offset == 0 &&
           layout->runs[0].length == layout->extent;
}

enum flavour module_flavour(LLVMModuleRef module)
{
    for (LLVMValueRef global = LLVMGetFirstGlobal(module); global;
         global = LLVMGetNextGlobal(global))
        if (!strncmp(LLVMGetValueName2(global, &(size_t){0}), "ompi_mpi_", 9))
            return FLAVOUR_openmpi;
    return FLAVOUR_mpich;
}

/* Sizes on the 64-bit Linux systems that Regatta runs on. Pairs with padding are two runs. */
static const struct {
    const char *openmpi;
    uint32_t mpich; /* only where the handle does not tell the size itself */
    int8_t first, gap, second;
} named_types[] = {
    {"byte", 0, 1, 0, 0},
    {"packed", 0, 1, 0, 0},
    {"char", 0, 1, 0, 0},
    {"short", 0, 2, 0, 0},
    {"int", 0, 4, 0, 0},
    {"long", 0, 8, 0, 0},
    {"float", 0, 4, 0, 0},
    {"double", 0, 8, 0, 0},
    {"long_double", 0, 16, 0, 0},
    {"unsigned_char", 0, 1, 0, 0},
    {"signed_char", 0, 1, 0, 0},
    {"unsigned_short", 0, 2, 0, 0},
    {"unsigned_long", 0, 8, 0, 0},
    {"unsigned", 0, 4, 0, 0},
    {"wchar", 0, 4, 0, 0},
    {"long_long_int", 0, 8, 0, 0},
    {"unsigned_long_long", 0, 8, 0, 0},
    {"character", 0, 1, 0, 0},
    {"logical", 0, 4, 0, 0},
    {"integer", 0, 4, 0, 0},
    {"real", 0, 4, 0, 0},
    {"integer4", 0, 4, 0, 0},
    {"integer8", 0, 8, 0, 0},
    {"real4", 0, 4, 0, 0},
    {"real8", 0, 8, 0, 0},
    {"dblprec", 0, 8, 0, 0},
    {"cplex", 0, 8, 0, 0},
    {"dblcplex", 0, 16, 0, 0},
    {"int8_t", 0, 1, 0, 0},
    {"uint8_t", 0, 1, 0, 0},
    {"int16_t", 0, 2, 0, 0},
    {"uint16_t", 0, 2, 0, 0},
    {"int32_t", 0, 4, 0, 0},
    {"uint32_t", 0, 4, 0, 0},
    {"int64_t", 0, 8, 0, 0},
    {"uint64_t", 0, 8, 0, 0},
    {"aint", 0, 8, 0, 0},
    {"offset", 0, 8, 0, 0},
    {"count", 0, 8, 0, 0},
    {"c_bool", 0, 1, 0, 0},
    {"cxx_bool", 0, 1, 0, 0},
    {"c_float_complex", 0, 8, 0, 0},
    {"c_double_complex", 0, 16, 0, 0},
    {"c_long_double_complex", 0, 32, 0, 0},
    {"cxx_cplex", 0, 8, 0, 0},
    {"cxx_dblcplex", 0, 16, 0, 0},
    {"2int", 0, 8, 0, 0},
    {"float_int", 0x8c000000, 8, 0, 0},
    {"double_int", 0x8c000001, 8, 0, 4},
    {"long_int", 0x8c000002, 8, 0, 4},
    {"short_int", 0x8c000003, 2, 2, 4},
    {"longdbl_int", 0x8c000004, 16, 0, 4},
};

static struct layout named_layout(size_t i)
{
    struct layout layout = layout_bytes(named_types[i].first);
    if (named_types[i].second) {
        int64_t second = named_types[i].first + named_types[i].gap;
        layout.runs[layout.nruns++] = (struct run){second, named_types[i].second, 0, 1};
        int64_t align = named_types[i].first > 4 ? named_types[i].first : 4;
        layout.extent = (second + named_types[i].second + align - 1) / align * align;
    }
    layout.basic = i + 1;
    return layout;
}

static struct layout mpich_layout(uint32_t handle)
{
    for (size_t i = 0; i < sizeof named_types / sizeof named_types[0]; i++)
        if (named_types[i].mpich && named_types[i].mpich == handle)
            return named_layout(i);
    /* Predefined handles carry their size in the second byte. */
    if (handle >> 16 == 0x4c00 && (handle >> 8 & 0xff)) {
        struct layout layout = layout_bytes(handle >> 8 & 0xff);
        layout.basic = handle;
        return layout;
    }
    return (struct layout){0};
}

static struct layout openmpi_layout(const char *symbol)
{
    for (size_t i = 0; i < sizeof named_types / sizeof named_types[0]; i++)
        if (!strcmp(symbol + strlen("ompi_mpi_"), named_types[i].openmpi))
            return named_layout(i);
    return (struct layout){0};
}

/* The only constructor whose result is ever put into the variable, or NULL. */
static LLVMValueRef only_constructor(LLVMValueRef slot)
{
    LLVMValueRef constructor = NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(slot); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsALoadInst(user))
            continue;
        const struct routine *routine = value_is_call(user) ? call_routine(user) : NULL;
        if (routine &&
            (routine == &routines[ROUTINE_Type_commit] || routine == &routines[ROUTINE_Type_free]))
            continue;
        const char *name = value_is_call(user) && call_target(user)
                               ? LLVMGetValueName2(call_target(user), &(size_t){0})
                               : "";
        if (!strncmp(name, "llvm.", 5))
            continue; /* debug and lifetime marks */
        if (!routine || strncmp(routine->name, "MPI_Type_", 9) || constructor)
            return NULL;
        constructor = user;
    }
    return constructor;
}

LLVMValueRef type_constructor(LLVMValueRef type)
{
    return LLVMIsALoadInst(type) ? only_constructor(LLVMGetOperand(type, 0)) : NULL;
}

struct layout layout_of_value(LLVMValueRef type, enum flavour flavour, int depth)
{
    if (depth == 0)
        return (struct layout){0};
    int64_t handle;
    if (constant_number(type, &handle))
        return flavour == FLAVOUR_openmpi ? (struct layout){0} : mpich_layout((uint32_t)handle);
    if (LLVMIsAGlobalVariable(type)) {
        const char *symbol = LLVMGetValueName2(type, &(size_t){0});
        return strncmp(symbol, "ompi_mpi_", 9) ? (struct layout){0} : openmpi_layout(symbol);
    }
    LLVMValueRef call = type_constructor(type);
    return call ? layout_constructed(call, flavour, depth - 1) : (struct layout){0};
}

struct layout layout_of(LLVMValueRef type, enum flavour flavour)
{
    enum { DEPTH = 8 };
    return layout_of_value(type, flavour, DEPTH);
}

bool is_proc_null(LLVMValueRef rank, enum flavour flavour)
{
    int64_t number;
    return constant_number(rank, &number) && number == (flavour == FLAVOUR_openmpi ? -2 : -1);
}

bool is_special_address(LLVMValueRef address)
{
    if (LLVMIsConstant(address) && LLVMIsNull(address))
        return true;
    return LLVMIsAConstantExpr(address) && LLVMGetConstOpcode(address) == LLVMIntToPtr;
}

bool is_no_op(LLVMValueRef op, enum flavour flavour)
{
    int64_t number;
    if (flavour == FLAVOUR_openmpi)
        return LLVMIsAGlobalVariable(op) &&
               !strcmp(LLVMGetValueName2(op, &(size_t){0}), "ompi_mpi_op_no_op");
    return constant_number(op, &number) && (uint32_t)number == 0x5800000e;
}
