#include "places.h"

#include "bridge.h"
#include "findings/fortran_names.h"
#include "findings/sources.h"
#include "grow.h"

#include <llvm-c/DebugInfo.h>

#include <ctype.h>
#include <string.h>
#include <unistd.h>

const char *scope_file(struct report *report, LLVMMetadataRef scope)
{
    LLVMMetadataRef file = scope ? LLVMDIScopeGetFile(scope) : NULL;
    unsigned length = 0, directory_length = 0;
    const char *name = file ? LLVMDIFileGetFilename(file, &length) : NULL;
    if (!name || !length)
        return NULL;
    const char *directory = LLVMDIFileGetDirectory(file, &directory_length);
    const char *full = name[0] == '/' || !directory_length
                           ? report_textf(report, "%.*s", (int)length, name)
                           : report_textf(report, "%.*s/%.*s", (int)directory_length, directory,
                                          (int)length, name);
    char *here = getcwd(NULL, 0);
    size_t here_length = here ? strlen(here) : 0;
    if (here_length > 1 && !strncmp(full, here, here_length) && full[here_length] == '/')
        full += here_length + 1;
    free(here);
    return full;
}

/* Optimisers give up the line of an instruction they have merged from two; the nearest one before
 * it in its block stands for it. */
static LLVMMetadataRef location_of(LLVMValueRef instruction)
{
    for (LLVMValueRef at = instruction; at; at = LLVMGetPreviousInstruction(at)) {
        LLVMMetadataRef location = LLVMInstructionGetDebugLoc(at);
        if (location && LLVMDILocationGetLine(location))
            return location;
    }
    return NULL;
}

/* Without its column. */
static struct frame frame_at(struct report *report, LLVMMetadataRef at)
{
    struct frame frame = {.file = scope_file(report, LLVMDILocationGetScope(at)),
                          .line = LLVMDILocationGetLine(at),
                          .function = report_text(report, bridge_location_function(at))};
    frame.function = fortran_name(report, &frame);
    return frame;
}

struct stack place_of(struct report *report, LLVMValueRef instruction)
{
    LIST(struct frame) frames = {0};
    for (LLVMMetadataRef at = location_of(instruction); at; at = LLVMDILocationGetInlinedAt(at)) {
        struct frame frame = frame_at(report, at);
        frame.column = LLVMDILocationGetColumn(at);
        APPEND(&frames, frame);
    }
    struct stack stack = {.depth = frames.count};
    stack.frames = obstack_alloc(&report->texts, (frames.count + 1) * sizeof *stack.frames);
    memcpy(stack.frames, frames.items, frames.count * sizeof *stack.frames);
    DROP(&frames);
    return stack;
}

static LLVMMetadataRef first_location(LLVMBasicBlockRef block)
{
    for (LLVMValueRef at = LLVMGetFirstInstruction(block); at; at = LLVMGetNextInstruction(at)) {
        LLVMMetadataRef location = LLVMInstructionGetDebugLoc(at);
        if (location && LLVMDILocationGetLine(location) && !LLVMIsAPHINode(at))
            return location;
    }
    return NULL;
}

/* What is inlined there, as the call in the function of `at`; as it is if it comes from elsewhere.
 */
static LLVMMetadataRef in_function_of(LLVMMetadataRef at, LLVMMetadataRef goal)
{
    const char *function = bridge_location_function(at);
    for (LLVMMetadataRef outer = goal; outer; outer = LLVMDILocationGetInlinedAt(outer)) {
        const char *name = bridge_location_function(outer);
        if (function && name && !strcmp(name, function))
            return outer;
    }
    return goal;
}

bool branch_place(struct report *report, LLVMValueRef branch, LLVMBasicBlockRef block,
                  struct frame *from, unsigned *to)
{
    LLVMMetadataRef at = LLVMInstructionGetDebugLoc(branch);
    LLVMMetadataRef goal = at ? in_function_of(at, first_location(block)) : NULL;
    if (!goal || !LLVMDILocationGetLine(at) || !scope_file(report, LLVMDILocationGetScope(at)))
        return false;
    *from = frame_at(report, at);
    *to = LLVMDILocationGetLine(goal);
    return true;
}

const char *branch_of(struct report *report, LLVMValueRef condition, bool truth)
{
    struct frame from;
    unsigned to;
    for (LLVMUseRef use = LLVMGetFirstUse(condition); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef branch = LLVMGetUser(use);
        if (!LLVMIsABranchInst(branch) ||
            !branch_place(report, branch, LLVMGetSuccessor(branch, truth ? 0 : 1), &from, &to))
            continue;
        const char *name = strrchr(from.file, '/');
        return report_textf(report, "%s:%u \u2192 %u", name ? name + 1 : from.file, from.line, to);
    }
    return NULL;
}

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool has_word(const char *line, const char *word, size_t length)
{
    for (const char *at = line; (at = strstr(at, word)); at++)
        if ((at == line || !is_letter(at[-1])) && !is_letter(at[length]))
            return true;
    return false;
}

/* Whether the source has this word anywhere; what cannot be read is believed. */
static bool is_written(struct report *report, const char *file, const char *word)
{
    const char *line = NULL;
    size_t length = strlen(word);
    if (!file || !source_line(report, file, 1))
        return true;
    for (unsigned number = 1; (line = source_line(report, file, number)); number++)
        if (has_word(line, word, length))
            return true;
    return false;
}

/* A second variable of one name in a function is `buf2` in bitcode, and what optimisers make has
 * names of theirs. NULL for those. */
static const char *local_name(struct report *report, LLVMValueRef function, const char *name)
{
    LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
    const char *file = subprogram ? scope_file(report, subprogram) : NULL;
    size_t length = strlen(name);
    if (is_written(report, file, name))
        return name;
    while (length && isdigit((unsigned char)name[length - 1]))
        length--;
    const char *stem = report_textf(report, "%.*s", (int)length, name);
    return length && is_written(report, file, stem) ? stem : NULL;
}

const char *variable_of(struct report *report, LLVMValueRef base)
{
    if (!base ||
        (!LLVMIsAAllocaInst(base) && !LLVMIsAGlobalVariable(base) && !LLVMIsAArgument(base)))
        return NULL;
    size_t length;
    const char *name = LLVMGetValueName2(base, &length);
    /* flang's _QMhaloEgrid: all but the names is in capitals. */
    const char *fortran = strncmp(name, "_Q", 2) ? NULL : strrchr(name, 'E');
    if (fortran)
        name = fortran + 1;
    /* Inlining adds suffixes, optimisers too; a static variable of a function is function.name. */
    size_t plain = strcspn(name, ".");
    if (LLVMIsAGlobalVariable(base) && name[plain] && is_letter(name[plain + 1]) &&
        !isdigit((unsigned char)name[plain + 1])) {
        name += plain + 1;
        plain = strcspn(name, ".");
    }
    if (!plain)
        return NULL;
    bool inlined = name[plain];
    const char *shown = report_textf(report, "%.*s", (int)plain, name);
    if (LLVMIsAGlobalVariable(base) || inlined)
        return shown;
    LLVMValueRef function = LLVMIsAArgument(base)
                                ? LLVMGetParamParent(base)
                                : LLVMGetBasicBlockParent(LLVMGetInstructionParent(base));
    return local_name(report, function, shown);
}

const char *function_place(struct report *report, LLVMValueRef function)
{
    LLVMMetadataRef subprogram = LLVMGetSubprogram(function);
    const char *name = LLVMGetValueName2(function, &(size_t){0});
    const char *file = subprogram ? scope_file(report, subprogram) : NULL;
    return file ? report_textf(report, "%s() at %s:%u", name, file,
                               LLVMDISubprogramGetLine(subprogram))
                : report_textf(report, "%s()", name);
}
