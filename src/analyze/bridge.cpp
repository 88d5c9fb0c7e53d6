#include "bridge.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>

#include <memory>
#include <numeric>
#include <vector>

using namespace llvm;

/* All modules of a run are for one system. */
static const TargetLibraryInfoImpl &library_known_to(const Function &function)
{
    static const TargetLibraryInfoImpl known{Triple(function.getParent()->getTargetTriple())};
    return known;
}

struct bridge {
    Function &function;
    AssumptionCache assumptions;
    TargetLibraryInfo library;
    DominatorTree dominators;
    PostDominatorTree postdominators;
    LoopInfo loops;
    ScalarEvolution evolution;
    std::vector<Loop *> numbered;
    DenseMap<const Loop *, int> numbers;

    explicit bridge(Function &f)
        : function(f), assumptions(f), library(library_known_to(f)), dominators(f), postdominators(f), loops(dominators),
          evolution(f, library, assumptions, dominators, loops)
    {
        for (Loop *loop : loops.getLoopsInPreorder()) {
            numbers[loop] = (int)numbered.size();
            numbered.push_back(loop);
        }
    }
    int number(const Loop *loop) const
    {
        return loop ? numbers.lookup(loop) : -1;
    }
};

static const SCEV *scev(expression e)
{
    return reinterpret_cast<const SCEV *>(e);
}

static expression wrap_scev(const SCEV *s)
{
    return isa<SCEVCouldNotCompute>(s) ? nullptr : reinterpret_cast<expression>(s);
}

struct bridge *bridge_open(LLVMValueRef function)
{
    return new bridge(*unwrap<Function>(function));
}

void bridge_close(struct bridge *b)
{
    delete b;
}

int bridge_loop(struct bridge *b, LLVMBasicBlockRef block)
{
    return b->number(b->loops.getLoopFor(unwrap(block)));
}

int bridge_loop_count(struct bridge *b)
{
    return (int)b->numbered.size();
}

int bridge_loop_parent(struct bridge *b, int loop)
{
    return b->number(b->numbered[loop]->getParentLoop());
}

int bridge_loop_depth(struct bridge *b, int loop)
{
    return (int)b->numbered[loop]->getLoopDepth();
}

LLVMBasicBlockRef bridge_loop_header(struct bridge *b, int loop)
{
    return wrap(b->numbered[loop]->getHeader());
}

bool bridge_loop_contains(struct bridge *b, int loop, LLVMBasicBlockRef block)
{
    return b->numbered[loop]->contains(unwrap(block));
}

LLVMValueRef bridge_loop_guard(struct bridge *b, int loop)
{
    return wrap(static_cast<Value *>(b->numbered[loop]->getLoopGuardBranch()));
}

bool bridge_loop_leaves_early(struct bridge *b, int loop)
{
    Loop *l = b->numbered[loop];
    return l->isLoopExiting(l->getHeader()) && l->getHeader() != l->getLoopLatch();
}

expression bridge_loop_trips(struct bridge *b, int loop)
{
    return wrap_scev(b->evolution.getBackedgeTakenCount(b->numbered[loop]));
}

bool bridge_dominates(struct bridge *b, LLVMBasicBlockRef above, LLVMBasicBlockRef below)
{
    return b->dominators.dominates(unwrap(above), unwrap(below));
}

LLVMBasicBlockRef bridge_idom(struct bridge *b, LLVMBasicBlockRef block)
{
    DomTreeNode *node = b->dominators.getNode(unwrap(block));
    return node && node->getIDom() ? wrap(node->getIDom()->getBlock()) : nullptr;
}

LLVMBasicBlockRef bridge_ipdom(struct bridge *b, LLVMBasicBlockRef block)
{
    DomTreeNode *node = b->postdominators.getNode(unwrap(block));
    return node && node->getIDom() ? wrap(node->getIDom()->getBlock()) : nullptr;
}

expression bridge_expression(struct bridge *b, LLVMValueRef value)
{
    Value *v = unwrap(value);
    if (!b->evolution.isSCEVable(v->getType()))
        return nullptr;
    /* Behind a loop, its counter is what it was at the end. */
    const auto *instruction = dyn_cast<Instruction>(v);
    Loop *scope = instruction ? b->loops.getLoopFor(instruction->getParent()) : nullptr;
    return wrap_scev(instruction ? b->evolution.getSCEVAtScope(v, scope)
                                 : b->evolution.getSCEV(v));
}

LLVMValueRef bridge_base(struct bridge *b, expression address)
{
    const SCEV *s = scev(address);
    if (!s->getType()->isPointerTy())
        return nullptr;
    const auto *unknown = dyn_cast<SCEVUnknown>(b->evolution.getPointerBase(s));
    return unknown ? wrap(unknown->getValue()) : nullptr;
}

expression bridge_offset(struct bridge *b, expression address)
{
    const SCEV *s = scev(address);
    return s->getType()->isPointerTy() ? wrap_scev(b->evolution.removePointerBase(s)) : address;
}

bool bridge_constant(expression number, int64_t *constant)
{
    const auto *c = dyn_cast<SCEVConstant>(scev(number));
    if (c && c->getAPInt().getSignificantBits() <= 64)
        *constant = c->getAPInt().getSExtValue();
    return c != nullptr;
}

/* Adds to what is known of the sum so far. */
static void add_residue(struct bridge *b, const SCEV *s, int64_t &rest, uint64_t &step, int depth)
{
    if (const auto *constant = dyn_cast<SCEVConstant>(s)) {
        if (constant->getAPInt().getSignificantBits() <= 64)
            rest += constant->getAPInt().getSExtValue();
        else
            step = 1;
        return;
    }
    const auto *sum = dyn_cast<SCEVAddExpr>(s);
    const auto *recurrence = dyn_cast<SCEVAddRecExpr>(s);
    const auto *product = dyn_cast<SCEVMulExpr>(s);
    const SCEVConstant *factor = nullptr;
    if (recurrence && recurrence->isAffine())
        factor = dyn_cast<SCEVConstant>(recurrence->getStepRecurrence(b->evolution));
    else if (product)
        factor = dyn_cast<SCEVConstant>(product->getOperand(0));
    if (sum && depth > 0) {
        for (const SCEV *operand : sum->operands())
            add_residue(b, operand, rest, step, depth - 1);
    } else if (factor && depth > 0 && factor->getAPInt().getSignificantBits() < 63) {
        int64_t times = factor->getAPInt().getSExtValue();
        step = std::gcd(step, (uint64_t)(times < 0 ? -times : times));
        if (recurrence)
            add_residue(b, recurrence->getStart(), rest, step, depth - 1);
    } else {
        step = 1;
    }
}

void bridge_residue(struct bridge *b, expression number, int64_t *rest, uint64_t *step)
{
    enum { DEEPEST = 8 };
    *rest = 0;
    *step = 0;
    add_residue(b, scev(number), *rest, *step, DEEPEST);
}

bool bridge_is_counter(expression number)
{
    return isa<SCEVAddRecExpr>(scev(number));
}

bool bridge_varies(struct bridge *b, expression number, int loop)
{
    return !b->evolution.isLoopInvariant(scev(number), b->numbered[loop]);
}

bool bridge_moves_evenly(struct bridge *b, expression number, int loop)
{
    const auto *moving = dyn_cast<SCEVAddRecExpr>(scev(number));
    if (!moving || moving->getLoop() != b->numbered[loop] || !moving->isAffine())
        return false;
    const auto *step = dyn_cast<SCEVConstant>(moving->getOperand(1));
    return step && !step->isZero();
}

namespace {
struct part_visitor {
    struct bridge *b;
    void (*leaf)(void *, LLVMValueRef);
    void (*counter)(void *, int);
    void *context;
    bool follow(const SCEV *s)
    {
        if (const auto *unknown = dyn_cast<SCEVUnknown>(s))
            leaf(context, wrap(unknown->getValue()));
        else if (const auto *recurrence = dyn_cast<SCEVAddRecExpr>(s))
            counter(context, b->number(recurrence->getLoop()));
        return true;
    }
    bool isDone() const
    {
        return false;
    }
};

/* Numbers are kept sign-extended from the width of their type, as C's signed arithmetic sees
 * them. Expressions are shared graphs, so results are remembered. */
struct evaluator {
    struct bridge *b;
    const struct bridge_numbers *given;
    DenseMap<const SCEV *, int64_t> known;

    static int64_t fit(int64_t number, Type *type)
    {
        unsigned bits = type->isIntegerTy() ? type->getIntegerBitWidth() : 64;
        return bits < 64 ? (int64_t)((uint64_t)number << (64 - bits)) >> (64 - bits) : number;
    }
    static int64_t unsign(int64_t number, Type *type)
    {
        unsigned bits = type->isIntegerTy() ? type->getIntegerBitWidth() : 64;
        return bits < 64 ? number & (int64_t)((1ull << bits) - 1) : number;
    }

    bool operands(const SCEV *s, std::vector<int64_t> &numbers)
    {
        for (const SCEV *operand : s->operands()) {
            int64_t number;
            if (!evaluate(operand, number))
                return false;
            numbers.push_back(number);
        }
        return true;
    }

    bool compute(const SCEV *s, int64_t &result)
    {
        switch (s->getSCEVType()) {
        case scConstant: {
            const APInt &constant = cast<SCEVConstant>(s)->getAPInt();
            if (constant.getSignificantBits() > 64)
                return false;
            result = constant.getSExtValue();
            return true;
        }
        case scUnknown:
            return given->leaf(given->context, wrap(cast<SCEVUnknown>(s)->getValue()), &result);
        case scAddRecExpr: {
            const auto *recurrence = cast<SCEVAddRecExpr>(s);
            int64_t start, step, i;
            if (!recurrence->isAffine() || !evaluate(recurrence->getStart(), start) ||
                !evaluate(recurrence->getStepRecurrence(b->evolution), step) ||
                !given->iteration(given->context, b->number(recurrence->getLoop()), &i))
                return false;
            result = (int64_t)((uint64_t)start + (uint64_t)step * (uint64_t)i);
            return true;
        }
        default:
            break;
        }
        if (s->getSCEVType() == scCouldNotCompute || s->getSCEVType() == scVScale)
            return false;
        std::vector<int64_t> n;
        if (!operands(s, n))
            return false;
        Type *type = s->getType();
        switch (s->getSCEVType()) {
        case scTruncate:
        case scSignExtend:
        case scPtrToInt:
            result = n[0];
            return true;
        case scZeroExtend:
            result = unsign(n[0], s->operands()[0]->getType());
            return true;
        case scUDivExpr:
            if (n[1] == 0)
                return false;
            result = (int64_t)((uint64_t)unsign(n[0], type) / (uint64_t)unsign(n[1], type));
            return true;
        default:
            break;
        }
        result = n[0];
        for (size_t i = 1; i < n.size(); i++) {
            switch (s->getSCEVType()) {
            case scAddExpr:
                result = (int64_t)((uint64_t)result + (uint64_t)n[i]);
                break;
            case scMulExpr:
                result = (int64_t)((uint64_t)result * (uint64_t)n[i]);
                break;
            case scSMaxExpr:
                result = std::max(result, n[i]);
                break;
            case scSMinExpr:
                result = std::min(result, n[i]);
                break;
            case scUMaxExpr:
                result = std::max((uint64_t)unsign(result, type), (uint64_t)unsign(n[i], type));
                break;
            case scUMinExpr:
            case scSequentialUMinExpr:
                result = std::min((uint64_t)unsign(result, type), (uint64_t)unsign(n[i], type));
                break;
            default:
                return false;
            }
        }
        return true;
    }

    bool evaluate(const SCEV *s, int64_t &result)
    {
        auto found = known.find(s);
        if (found != known.end()) {
            result = found->second;
            return true;
        }
        if (!compute(s, result))
            return false;
        result = fit(result, s->getType());
        known[s] = result;
        return true;
    }
};
} // namespace

void bridge_parts(struct bridge *b, expression number, void (*leaf)(void *, LLVMValueRef),
                  void (*counter)(void *, int), void *context)
{
    part_visitor visitor{b, leaf, counter, context};
    visitAll(scev(number), visitor);
}

bool bridge_evaluate(struct bridge *b, expression number, const struct bridge_numbers *numbers,
                     int64_t *result)
{
    evaluator e{b, numbers, DenseMap<const SCEV *, int64_t>()};
    return e.evaluate(scev(number), *result);
}

namespace {
/* Numbers are taken not to wrap around: a program that relies on that for an address is wrong in
 * another way. */
struct expander {
    struct bridge *b;
    const struct bridge_symbols *given;
    DenseMap<const SCEV *, polynomial> known;

    bool other(const SCEV *s, enum bridge_shape shape, const std::vector<polynomial> &operands,
               polynomial &result)
    {
        return given->other(given->context, reinterpret_cast<expression>(s), shape,
                            operands.data(), operands.size(), &result);
    }

    bool recur(const SCEVAddRecExpr *recurrence, polynomial &result, int depth)
    {
        polynomial start, step, i;
        if (!recurrence->isAffine() || !expand(recurrence->getStart(), start, depth) ||
            !expand(recurrence->getStepRecurrence(b->evolution), step, depth) ||
            !given->iteration(given->context, b->number(recurrence->getLoop()), &i))
            return false;
        i = polynomial_product(&step, &i);
        result = polynomial_sum(&start, &i);
        return true;
    }

    /* Times a number that fills the type: meant to wrap around, as hashes and random numbers are. */
    static bool wraps(const SCEVMulExpr *product)
    {
        const auto *factor = dyn_cast<SCEVConstant>(product->getOperand(0));
        return factor && factor->getAPInt().getBitWidth() >= 32 &&
               factor->getAPInt().getSignificantBits() > factor->getAPInt().getBitWidth() * 5 / 8;
    }

    bool compute(const SCEV *s, polynomial &result, int depth)
    {
        std::vector<polynomial> operands;
        switch (s->getSCEVType()) {
        case scConstant: {
            const APInt &constant = cast<SCEVConstant>(s)->getAPInt();
            if (constant.getSignificantBits() > 64)
                return false;
            result = polynomial_constant(constant.getBitWidth() == 1
                                             ? (int64_t)constant.getZExtValue()
                                             : constant.getSExtValue());
            return true;
        }
        case scUnknown:
            return given->leaf(given->context, wrap(cast<SCEVUnknown>(s)->getValue()), &result);
        case scCouldNotCompute:
        case scVScale:
            return false;
        default:
            break;
        }
        /* x & 255 is written as a number of eight bits made wide again. */
        const auto *wide = dyn_cast<SCEVZeroExtendExpr>(s);
        const SCEV *inner = wide ? wide->getOperand() : s;
        unsigned bits = inner->getType()->isIntegerTy() ? inner->getType()->getIntegerBitWidth() : 64;
        if (bits < (wide ? 32u : 2u) && !isa<SCEVUnknown>(inner) && !isa<SCEVConstant>(inner)) {
            polynomial whole;
            const auto *narrow = dyn_cast<SCEVTruncateExpr>(inner);
            if (!narrow && !isa<SCEVAddRecExpr>(inner))
                return other(s, SHAPE_unknown, operands, result);
            if (!(narrow ? expand(narrow->getOperand(), whole, depth)
                         : recur(cast<SCEVAddRecExpr>(inner), whole, depth)))
                return false;
            operands = {whole, polynomial_constant(1ll << bits)};
            return other(s, SHAPE_remainder, operands, result);
        }
        if (const auto *product = dyn_cast<SCEVMulExpr>(s); product && wraps(product))
            return other(s, SHAPE_unknown, operands, result);
        if (const auto *recurrence = dyn_cast<SCEVAddRecExpr>(s))
            return recurrence->isAffine() ? recur(recurrence, result, depth)
                                          : other(s, SHAPE_unknown, operands, result);
        for (const SCEV *operand : s->operands()) {
            polynomial sum;
            if (!expand(operand, sum, depth))
                return false;
            operands.push_back(sum);
        }
        result = operands[0];
        if (s->getSCEVType() == scSignExtend && s->operands()[0]->getType()->isIntegerTy(1)) {
            result = polynomial_scaled(&result, -1);
            return true;
        }
        switch (s->getSCEVType()) {
        case scAddExpr:
            for (size_t i = 1; i < operands.size(); i++)
                result = polynomial_sum(&result, &operands[i]);
            return true;
        case scMulExpr:
            for (size_t i = 1; i < operands.size(); i++)
                result = polynomial_product(&result, &operands[i]);
            return true;
        case scTruncate:
        case scZeroExtend:
        case scSignExtend:
        case scPtrToInt:
            return true;
        case scUDivExpr:
            return other(s, SHAPE_quotient, operands, result);
        case scSMaxExpr:
        case scUMaxExpr:
            return other(s, SHAPE_maximum, operands, result);
        case scSMinExpr:
        case scUMinExpr:
        case scSequentialUMinExpr:
            return other(s, SHAPE_minimum, operands, result);
        default:
            return other(s, SHAPE_unknown, operands, result);
        }
    }

    bool expand(const SCEV *s, polynomial &result, int depth)
    {
        auto found = known.find(s);
        if (found != known.end()) {
            result = found->second;
            return true;
        }
        if (depth == 0 || !compute(s, result, depth - 1))
            return false;
        if (result.broken && !other(s, SHAPE_unknown, std::vector<polynomial>(), result))
            return false;
        known[s] = result;
        return true;
    }
};
} // namespace

bool bridge_expand(struct bridge *b, expression number, const struct bridge_symbols *symbols,
                   struct polynomial *result)
{
    enum { DEEPEST = 64 };
    expander e{b, symbols, DenseMap<const SCEV *, polynomial>()};
    return e.expand(scev(number), *result, DEEPEST);
}

bool bridge_is_library_function(LLVMValueRef function)
{
    const Function &declared = *unwrap<Function>(function);
    LibFunc number;
    return declared.isIntrinsic() || library_known_to(declared).getLibFunc(declared, number);
}
