/* Functions of LLVM become rows of steps. Pure instructions that are not modelled give unknown
 * values; others end the replay where they are met. */
#include "lowering.h"

static size_t emit(struct lowering *l, struct step step)
{
    ADD(&l->function->sources, l->source);
    return ADD(&l->function->steps, step);
}

static void emit_move(struct lowering *l, int32_t to, int32_t from)
{
    emit(l, (struct step){.what = DO_MOVE, .to = to, .a = from});
}

static void give_up(struct lowering *l)
{
    emit(l, (struct step){.what = DO_GIVE_UP});
}

static void unknown_result(struct lowering *l, LLVMValueRef at)
{
    int n = leaf_count(l, LLVMTypeOf(at));
    if (n < 0)
        give_up(l);
    else if (n > 0)
        emit(l, (struct step){.what = DO_UNKNOWN, .to = slots_of(l, at), .more = (uint16_t)n});
}

/* The width of a number of one slot; 0 if it is not one. */
static uint8_t width_of(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        return LLVMGetIntTypeWidth(type) <= 64 ? (uint8_t)LLVMGetIntTypeWidth(type) : 0;
    case LLVMPointerTypeKind:
    case LLVMDoubleTypeKind:
        return 64;
    case LLVMFloatTypeKind:
        return 32;
    default:
        return 0;
    }
}

static void arithmetic(struct lowering *l, LLVMValueRef at, enum deed what)
{
    uint8_t width = width_of(at);
    if (!width) {
        unknown_result(l, at);
        return;
    }
    int32_t a = operand(l, LLVMGetOperand(at, 0));
    int32_t b = LLVMGetNumOperands(at) > 1 ? operand(l, LLVMGetOperand(at, 1)) : 0;
    emit(l, (struct step){
                .what = (uint8_t)what, .width = width, .to = slots_of(l, at), .a = a, .b = b});
}

static void convert(struct lowering *l, LLVMValueRef at, enum deed what)
{
    uint8_t to = width_of(at), from = width_of(LLVMGetOperand(at, 0));
    if (!to || !from) {
        unknown_result(l, at);
        return;
    }
    emit(l, (struct step){.what = (uint8_t)what,
                          .width = to,
                          .more = from,
                          .to = slots_of(l, at),
                          .a = operand(l, LLVMGetOperand(at, 0))});
}

static void compare(struct lowering *l, LLVMValueRef at, bool is_float)
{
    uint8_t width = width_of(LLVMGetOperand(at, 0));
    if (!width || !width_of(at)) {
        unknown_result(l, at);
        return;
    }
    emit(l, (struct step){
                .what = is_float ? DO_FCMP : DO_ICMP,
                .width = width,
                .more = (uint16_t)(is_float ? LLVMGetFCmpPredicate(at) : LLVMGetICmpPredicate(at)),
                .to = slots_of(l, at),
                .a = operand(l, LLVMGetOperand(at, 0)),
                .b = operand(l, LLVMGetOperand(at, 1))});
}

static void select_value(struct lowering *l, LLVMValueRef at)
{
    int32_t yes[MOST_LEAVES], no[MOST_LEAVES];
    int n = operands(l, LLVMGetOperand(at, 1), yes), m = operands(l, LLVMGetOperand(at, 2), no);
    if (n < 0 || n != m || !width_of(LLVMGetOperand(at, 0))) {
        unknown_result(l, at);
        return;
    }
    int32_t condition = operand(l, LLVMGetOperand(at, 0)), to = slots_of(l, at);
    for (int i = 0; i < n; i++)
        emit(l, (struct step){
                    .what = DO_SELECT, .to = to + i, .a = condition, .b = yes[i], .c = no[i]});
}

static void address_step(struct lowering *l, LLVMValueRef at)
{
    if (LLVMGetTypeKind(LLVMTypeOf(at)) != LLVMPointerTypeKind) {
        unknown_result(l, at);
        return;
    }
    LLVMTypeRef type = LLVMGetGEPSourceElementType(at);
    int32_t to = slots_of(l, at), from = operand(l, LLVMGetOperand(at, 0));
    uint64_t offset = 0;
    for (int i = 1; i < LLVMGetNumOperands(at); i++) {
        LLVMValueRef index = LLVMGetOperand(at, (unsigned)i);
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
            offset += LLVMOffsetOfElement(l->code->layout, type, field);
            type = LLVMStructGetTypeAtIndex(type, field);
            continue;
        }
        if (i > 1)
            type = LLVMGetElementType(type);
        uint64_t size = LLVMABISizeOfType(l->code->layout, type);
        if (LLVMIsAConstantInt(index)) {
            offset += (uint64_t)LLVMConstIntGetSExtValue(index) * size;
            continue;
        }
        emit(l, (struct step){.what = DO_SCALE,
                              .width = width_of(index),
                              .to = to,
                              .a = from,
                              .b = operand(l, index),
                              .c = number_operand(l, size)});
        from = to;
    }
    emit(l, (struct step){
                .what = DO_ADD, .width = 64, .to = to, .a = from, .b = number_operand(l, offset)});
}

static void memory_step(struct lowering *l, LLVMValueRef at, bool load)
{
    LLVMValueRef value = load ? at : LLVMGetOperand(at, 0);
    int32_t pointer = operand(l, LLVMGetOperand(at, load ? 0 : 1)), slots[MOST_LEAVES];
    struct leaf leaves[MOST_LEAVES];
    int n = code_leaves(l->code, LLVMTypeOf(value), leaves);
    if (n < 0 || (!load && operands(l, value, slots) != n)) {
        give_up(l);
        return;
    }
    int32_t to = load ? slots_of(l, at) : 0;
    for (int i = 0; i < n; i++) {
        if (leaves[i].bytes > 255) {
            give_up(l);
            return;
        }
        emit(l, (struct step){.what = load ? DO_LOAD : DO_STORE,
                              .width = (uint8_t)leaves[i].bytes,
                              .more = LLVMGetOrdering(at) != LLVMAtomicOrderingNotAtomic,
                              .to = to + i,
                              .a = pointer,
                              .b = (int32_t)leaves[i].offset,
                              .c = load ? 0 : slots[i]});
    }
}

static void alloca_step(struct lowering *l, LLVMValueRef at)
{
    uint64_t size = LLVMABISizeOfType(l->code->layout, LLVMGetAllocatedType(at));
    emit(l, (struct step){.what = DO_ALLOCA,
                          .to = slots_of(l, at),
                          .a = number_operand(l, size),
                          .b = operand(l, LLVMGetOperand(at, 0)),
                          .c = (int32_t)LLVMGetAlignment(at)});
}

static int aggregate_start(struct lowering *l, LLVMValueRef at, LLVMTypeRef type)
{
    int start = 0;
    struct leaf leaves[MOST_LEAVES];
    const unsigned *indices = LLVMGetIndices(at);
    for (unsigned k = 0; k < LLVMGetNumIndices(at); k++) {
        bool is_struct = LLVMGetTypeKind(type) == LLVMStructTypeKind;
        for (unsigned i = 0; i < indices[k]; i++) {
            int n = code_leaves(
                l->code, is_struct ? LLVMStructGetTypeAtIndex(type, i) : LLVMGetElementType(type),
                leaves);
            if (n < 0)
                return -1;
            start += n;
        }
        type = is_struct ? LLVMStructGetTypeAtIndex(type, indices[k]) : LLVMGetElementType(type);
    }
    return start;
}

static void extract(struct lowering *l, LLVMValueRef at)
{
    int32_t all[MOST_LEAVES];
    int n = operands(l, LLVMGetOperand(at, 0), all), m = leaf_count(l, LLVMTypeOf(at));
    int start = aggregate_start(l, at, LLVMTypeOf(LLVMGetOperand(at, 0)));
    int32_t to = slots_of(l, at);
    if (n < 0 || m < 0 || start < 0 || start + m > n) {
        give_up(l);
        return;
    }
    for (int i = 0; i < m; i++)
        emit_move(l, to + i, all[start + i]);
}

static void insert(struct lowering *l, LLVMValueRef at)
{
    int32_t all[MOST_LEAVES], piece[MOST_LEAVES];
    int n = operands(l, LLVMGetOperand(at, 0), all), m = operands(l, LLVMGetOperand(at, 1), piece);
    int start = aggregate_start(l, at, LLVMTypeOf(at));
    int32_t to = slots_of(l, at);
    if (n < 0 || m < 0 || start < 0 || start + m > n) {
        give_up(l);
        return;
    }
    for (int i = 0; i < n; i++)
        emit_move(l, to + i, i >= start && i < start + m ? piece[i - start] : all[i]);
}

/* ---- Control ---- */

static void jump_later(struct lowering *l, size_t step, int field, LLVMBasicBlockRef from,
                       LLVMBasicBlockRef to)
{
    struct patch patch = {.step = step, .field = field, .from = from, .to = to};
    ADD(&l->patches, patch);
}

static void switch_step(struct lowering *l, LLVMValueRef at)
{
    struct switch_table table = {0};
    LLVMBasicBlockRef block = LLVMGetInstructionParent(at);
    int n = LLVMGetNumOperands(at) / 2 - 1;
    table.count = n;
    table.values = zeroed((size_t)n, sizeof *table.values);
    table.targets = zeroed((size_t)n, sizeof *table.targets);
    for (int i = 0; i < n; i++)
        table.values[i] = LLVMConstIntGetZExtValue(LLVMGetOperand(at, (unsigned)(2 + 2 * i)));
    size_t number = ADD(&l->function->switches, table);
    size_t step = emit(l, (struct step){.what = DO_SWITCH,
                                        .a = operand(l, LLVMGetOperand(at, 0)),
                                        .b = (int32_t)number});
    for (int i = 0; i <= n; i++) {
        struct patch patch = {
            step,   3,
            number, (size_t)i,
            block,  LLVMValueAsBasicBlock(LLVMGetOperand(at, i < n ? (unsigned)(3 + 2 * i) : 1))};
        ADD(&l->patches, patch);
    }
}

static void branch_step(struct lowering *l, LLVMValueRef at)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(at);
    if (!LLVMIsConditional(at)) {
        jump_later(l, emit(l, (struct step){.what = DO_JUMP}), 0, block, LLVMGetSuccessor(at, 0));
        return;
    }
    size_t step = emit(l, (struct step){.what = DO_BRANCH, .a = operand(l, LLVMGetCondition(at))});
    jump_later(l, step, 1, block, LLVMGetSuccessor(at, 0));
    jump_later(l, step, 2, block, LLVMGetSuccessor(at, 1));
}

static uint32_t copied_bytes(struct lowering *l, LLVMValueRef call, int argument)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
    LLVMAttributeRef byval =
        LLVMGetCallSiteEnumAttribute(call, (LLVMAttributeIndex)argument + 1, kind);
    return byval ? (uint32_t)LLVMABISizeOfType(l->code->layout, LLVMGetTypeAttributeValue(byval))
                 : 0;
}

static void call_step(struct lowering *l, LLVMValueRef at)
{
    LLVMValueRef called = LLVMGetCalledValue(at);
    struct function *callee = called ? code_function(l->code, called) : NULL;
    struct call_site site = {.instruction = at, .callee = -1};
    int32_t slots[MOST_LEAVES];
    if (callee && !strncmp(callee->name, "llvm.dbg.", 9))
        return;
    if (!called || LLVMIsAInlineAsm(called)) {
        give_up(l);
        return;
    }
    int n = (int)LLVMGetNumArgOperands(at), room = 0;
    if (callee)
        site.callee = callee->number;
    else
        site.pointer = operand(l, called);
    for (int i = 0; i < n; i++) {
        int m = operands(l, LLVMGetOperand(at, (unsigned)i), slots);
        if (m < 0) { /* metadata, or too large: intrinsics only */
            slots[0] = constant_operand(l, (struct constant){CONSTANT_UNKNOWN, 0});
            m = 1;
        }
        site.arguments = got(realloc(site.arguments, (size_t)(room + m) * sizeof *site.arguments));
        site.copied = got(realloc(site.copied, (size_t)(room + m) * sizeof *site.copied));
        for (int k = 0; k < m; k++) {
            site.copied[room] = m == 1 ? copied_bytes(l, at, i) : 0;
            site.arguments[room++] = slots[k];
        }
    }
    site.narguments = room;
    site.nresults = leaf_count(l, LLVMTypeOf(at));
    if (site.nresults < 0) {
        free(site.arguments);
        free(site.copied);
        give_up(l);
        return;
    }
    site.is_void = site.nresults == 0;
    site.to = site.nresults ? slots_of(l, at) : 0;
    size_t number = ADD(&l->function->calls, site);
    emit(l, (struct step){.what = DO_CALL, .a = (int32_t)number});
}

static void atomic_step(struct lowering *l, LLVMValueRef at)
{
    uint8_t width = width_of(LLVMGetOperand(at, 1));
    if (width < 8 || (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(at, 1))) != LLVMIntegerTypeKind &&
                      LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(at, 1))) != LLVMPointerTypeKind)) {
        give_up(l);
        return;
    }
    bool update = LLVMIsAAtomicRMWInst(at);
    emit(l, (struct step){.what = update ? DO_UPDATE : DO_EXCHANGE,
                          .width = width,
                          .more = update ? (uint16_t)LLVMGetAtomicRMWBinOp(at) : 0,
                          .to = slots_of(l, at),
                          .a = operand(l, LLVMGetOperand(at, 0)),
                          .b = operand(l, LLVMGetOperand(at, 1)),
                          .c = update ? 0 : operand(l, LLVMGetOperand(at, 2))});
}

static void return_step(struct lowering *l, LLVMValueRef at)
{
    int32_t slots[MOST_LEAVES], first = l->function->nslots;
    int n = LLVMGetNumOperands(at) ? operands(l, LLVMGetOperand(at, 0), slots) : 0;
    if (n < 0) {
        give_up(l);
        return;
    }
    l->function->nslots += n;
    for (int i = 0; i < n; i++)
        emit_move(l, first + i, slots[i]);
    emit(l, (struct step){.what = DO_RETURN, .a = first, .more = (uint16_t)n});
}

static void lower_moving(struct lowering *l, LLVMValueRef at)
{
    int32_t slots[MOST_LEAVES];
    LLVMValueRef from = LLVMGetOperand(at, 0);
    int n = operands(l, from, slots);
    if (n < 0 || n != leaf_count(l, LLVMTypeOf(at)) || (n > 1 && !LLVMIsAFreezeInst(at))) {
        unknown_result(l, at); /* vectors that change their shape */
        return;
    }
    int32_t to = slots_of(l, at);
    for (int i = 0; i < n; i++)
        emit_move(l, to + i, slots[i]);
}

static void lower_instruction(struct lowering *l, LLVMValueRef at)
{
    static const struct {
        LLVMOpcode opcode;
        enum deed what;
    } plain[] = {{LLVMAdd, DO_ADD},   {LLVMSub, DO_SUB},   {LLVMMul, DO_MUL},   {LLVMUDiv, DO_UDIV},
                 {LLVMSDiv, DO_SDIV}, {LLVMURem, DO_UREM}, {LLVMSRem, DO_SREM}, {LLVMShl, DO_SHL},
                 {LLVMLShr, DO_LSHR}, {LLVMAShr, DO_ASHR}, {LLVMAnd, DO_AND},   {LLVMOr, DO_OR},
                 {LLVMXor, DO_XOR},   {LLVMFAdd, DO_FADD}, {LLVMFSub, DO_FSUB}, {LLVMFMul, DO_FMUL},
                 {LLVMFDiv, DO_FDIV}, {LLVMFRem, DO_FREM}, {LLVMFNeg, DO_FNEG}};
    static const struct {
        LLVMOpcode opcode;
        enum deed what;
    } casts[] = {{LLVMTrunc, DO_TRUNC},   {LLVMZExt, DO_TRUNC},      {LLVMPtrToInt, DO_TRUNC},
                 {LLVMSExt, DO_SEXT},     {LLVMFPTrunc, DO_FPTRUNC}, {LLVMFPExt, DO_FPEXT},
                 {LLVMFPToSI, DO_FPTOSI}, {LLVMFPToUI, DO_FPTOUI},   {LLVMSIToFP, DO_SITOFP},
                 {LLVMUIToFP, DO_UITOFP}, {LLVMIntToPtr, DO_TRUNC}};
    LLVMOpcode opcode = LLVMGetInstructionOpcode(at);
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++)
        if (plain[i].opcode == opcode) {
            arithmetic(l, at, plain[i].what);
            return;
        }
    for (size_t i = 0; i < sizeof casts / sizeof casts[0]; i++)
        if (casts[i].opcode == opcode) {
            convert(l, at, casts[i].what);
            return;
        }
    switch (opcode) {
    case LLVMICmp:
        compare(l, at, false);
        break;
    case LLVMFCmp:
        compare(l, at, true);
        break;
    case LLVMSelect:
        select_value(l, at);
        break;
    case LLVMGetElementPtr:
        address_step(l, at);
        break;
    case LLVMLoad:
        memory_step(l, at, true);
        break;
    case LLVMStore:
        memory_step(l, at, false);
        break;
    case LLVMAlloca:
        alloca_step(l, at);
        break;
    case LLVMExtractValue:
        extract(l, at);
        break;
    case LLVMInsertValue:
        insert(l, at);
        break;
    case LLVMBr:
        branch_step(l, at);
        break;
    case LLVMSwitch:
        switch_step(l, at);
        break;
    case LLVMRet:
        return_step(l, at);
        break;
    case LLVMCall:
        call_step(l, at);
        break;
    case LLVMInvoke:
        call_step(l, at);
        jump_later(l, emit(l, (struct step){.what = DO_JUMP}), 0, LLVMGetInstructionParent(at),
                   LLVMGetNormalDest(at));
        break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        atomic_step(l, at);
        break;
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMFreeze:
        lower_moving(l, at);
        break;
    case LLVMFence:
    case LLVMPHI:
        break;
    case LLVMUnreachable:
        emit(l, (struct step){.what = DO_UNREACHABLE});
        break;
    case LLVMInsertElement:
    case LLVMExtractElement:
    case LLVMShuffleVector:
        unknown_result(l, at);
        break;
    default:
        give_up(l);
        break;
    }
}

/* ---- Edges: phis become moves, all read before any is written ---- */

static LLVMValueRef incoming(LLVMValueRef phi, LLVMBasicBlockRef from)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (LLVMGetIncomingBlock(phi, i) == from)
            return LLVMGetIncomingValue(phi, i);
    return NULL;
}

static int32_t edge(struct lowering *l, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    LLVMValueRef first = LLVMGetFirstInstruction(to);
    int32_t block = slot_place(l, to)->slot, slots[MOST_LEAVES];
    if (!first || !LLVMIsAPHINode(first))
        return block;
    int32_t start = (int32_t)l->function->steps.n;
    ROW(struct step) moves = {0};
    for (LLVMValueRef phi = first; phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
        LLVMValueRef value = incoming(phi, from);
        int n = value ? operands(l, value, slots) : -1;
        int32_t target = slots_of(l, phi);
        l->source = phi;
        for (int i = 0; i < n; i++) {
            int32_t spare = l->function->nslots++;
            emit_move(l, spare, slots[i]);
            ADD(&moves, (struct step){.what = DO_MOVE, .to = target + i, .a = spare});
        }
        if (n < 0)
            give_up(l);
    }
    for (size_t i = 0; i < moves.n; i++)
        emit(l, moves.at[i]);
    EMPTY(&moves);
    emit(l, (struct step){.what = DO_JUMP, .to = block});
    return start;
}

static void fill_in(struct lowering *l)
{
    for (size_t i = 0; i < l->patches.n; i++) {
        const struct patch patch = l->patches.at[i];
        int32_t target = edge(l, patch.from, patch.to);
        struct step *step = &l->function->steps.at[patch.step];
        if (patch.field == 3) {
            struct switch_table *table = &l->function->switches.at[patch.table];
            if (patch.index < (size_t)table->count)
                table->targets[patch.index] = target;
            else
                table->otherwise = target;
        } else {
            *(patch.field == 0 ? &step->to : patch.field == 1 ? &step->b : &step->c) = target;
        }
    }
}

bool code_lower(struct code *code, struct function *function)
{
    struct lowering l = {.code = code, .function = function};
    if (!function->has_body)
        return false;
    if (function->lowered)
        return true;
    function->lowered = true;
    for (LLVMValueRef at = LLVMGetFirstParam(function->value); at; at = LLVMGetNextParam(at))
        slots_of(&l, at);
    function->nparameters = function->nslots;
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function->value); block;
         block = LLVMGetNextBasicBlock(block)) {
        set_place(&l, block, (int32_t)function->steps.n);
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at;
             at = LLVMGetNextInstruction(at)) {
            l.source = at;
            lower_instruction(&l, at);
        }
    }
    fill_in(&l);
    function->ran = zeroed(function->steps.n, sizeof *function->ran);
    places_free(&l);
    EMPTY(&l.patches);
    return true;
}
