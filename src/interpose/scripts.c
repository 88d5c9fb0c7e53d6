#include "scripts.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine/table.h"

/* ---- the interpreter ---- */

static struct {
    enum { UNKNOWN, ABSENT, PRESENT } state;
    bool layout_is_known;
    int (*is_initialized)(void);
    void *(*this_thread)(void);
    void (*dump)(int file, void *thread);
    uintptr_t low, high; /* its code */
} python;

static int find_code(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    uintptr_t address = (uintptr_t)context;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        uintptr_t low = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        uintptr_t high = low + info->dlpi_phdr[i].p_memsz;
        if (info->dlpi_phdr[i].p_type != PT_LOAD || address < low || address >= high)
            continue;
        python.low = low;
        python.high = high;
        return 1;
    }
    return 0;
}

static void look_up(void)
{
    const char *(*version)(void) = (const char *(*)(void))dlsym(RTLD_DEFAULT, "Py_GetVersion");
    python.is_initialized = (int (*)(void))dlsym(RTLD_DEFAULT, "Py_IsInitialized");
    python.this_thread = (void *(*)(void))dlsym(RTLD_DEFAULT, "PyGILState_GetThisThreadState");
    python.dump = (void (*)(int, void *))dlsym(RTLD_DEFAULT, "_Py_DumpTraceback");
    bool found = version && python.is_initialized && python.this_thread && python.dump;
    if (found)
        dl_iterate_phdr(find_code, (void *)(uintptr_t)python.dump);
    python.layout_is_known = found && !strncmp(version(), "3.11.", 5);
    python.state = found && python.low ? PRESENT : ABSENT;
}

bool scripts_are_run(void)
{
    if (python.state == UNKNOWN)
        look_up();
    return python.state == PRESENT && python.is_initialized();
}

bool script_is_interpreter(const void *address)
{
    return (uintptr_t)address > python.low && (uintptr_t)address <= python.high;
}

/* ---- lines, each kept once ---- */

/* Lines stand in memory of their own, so that their addresses cannot be those of code. */
enum { MOST_LINES = 1 << 15 };

static struct script_line *lines;
static int line_count;

struct known_line {
    UT_hash_handle hh;
    const struct script_line *line;
    char key[];
};

static struct known_line *known_lines;

const struct script_line *script_line_of(const void *address)
{
    const struct script_line *line = address;
    return lines && line >= lines && line < lines + line_count ? line : NULL;
}

/* \xe9, \u20ac, \U0001f600, as _Py_DumpTraceback writes what is not ASCII, become UTF-8. */
static void decode(char *text)
{
    char *out = text;
    while (*text) {
        int digits = text[0] != '\\'  ? 0
                     : text[1] == 'x' ? 2
                     : text[1] == 'u' ? 4
                     : text[1] == 'U' ? 8
                                      : 0;
        char number[9] = {0};
        if (digits)
            strncpy(number, text + 2, (size_t)digits);
        if (!digits || strspn(number, "0123456789abcdef") != (size_t)digits) {
            *out++ = *text++;
            continue;
        }
        unsigned long code = strtoul(number, NULL, 16);
        text += 2 + digits;
        if (code < 0x80) {
            *out++ = (char)code;
        } else if (code < 0x800) {
            *out++ = (char)(0xc0 | code >> 6);
            *out++ = (char)(0x80 | (code & 0x3f));
        } else if (code < 0x10000) {
            *out++ = (char)(0xe0 | code >> 12);
            *out++ = (char)(0x80 | (code >> 6 & 0x3f));
            *out++ = (char)(0x80 | (code & 0x3f));
        } else {
            *out++ = (char)(0xf0 | (code >> 18 & 7));
            *out++ = (char)(0x80 | (code >> 12 & 0x3f));
            *out++ = (char)(0x80 | (code >> 6 & 0x3f));
            *out++ = (char)(0x80 | (code & 0x3f));
        }
    }
    *out = '\0';
}

/* strdup's memory would be of the program's heap. */
static const char *copy(const char *text)
{
    char *kept = malloc(strlen(text) + 1);
    return kept ? strcpy(kept, text) : NULL;
}

static const struct script_line *add_line(char *file, unsigned number, char *function)
{
    if (!lines) {
        void *memory = mmap(NULL, MOST_LINES * sizeof *lines, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED)
            return NULL;
        lines = memory;
    }
    if (line_count == MOST_LINES)
        return NULL;
    struct script_line line = {copy(file), function ? copy(function) : NULL, number};
    if (!line.file)
        return NULL;
    lines[line_count] = line;
    return &lines[line_count++];
}

/* `  File "x.py", line 12 in main`; NULL if it is something else. */
static const struct script_line *read_line(char *text)
{
    static const char start[] = "  File \"", middle[] = "\", line ";
    struct known_line *known;
    HASH_FIND(hh, known_lines, text, strlen(text), known);
    if (known)
        return known->line;
    char *file = strncmp(text, start, sizeof start - 1) ? NULL : text + sizeof start - 1;
    char *end = file ? strstr(file, middle) : NULL;
    if (!end || !(known = malloc(sizeof *known + strlen(text) + 1)))
        return NULL;
    strcpy(known->key, text);
    *end = '\0';
    char *function, *rest;
    unsigned number = (unsigned)strtoul(end + sizeof middle - 1, &rest, 10);
    function = strncmp(rest, " in ", 4) || rest[4] == '<' ? NULL : rest + 4;
    decode(file);
    if (function)
        decode(function);
    bool frozen = !strncmp(file, "<frozen", 7); /* Python's own, such as import */
    known->line = number && !frozen ? add_line(file, number, function) : NULL;
    HASH_ADD_KEYPTR(hh, known_lines, known->key, strlen(known->key), known);
    return known->line;
}

/* ---- asking ---- */

enum { MOST_TEXT = 16 << 10, SEEN = 256, MOST_DEPTH = 64 };

/* What the interpreter writes about its thread. */
static size_t ask(void *thread, char *text, size_t room)
{
    int error = errno, file = memfd_create("regatta", MFD_CLOEXEC);
    ssize_t length = 0;
    if (file >= 0) {
        python.dump(file, thread);
        length = pread(file, text, room - 1, 0);
        close(file);
    }
    errno = error;
    length = length < 0 ? 0 : length;
    text[length] = '\0';
    return (size_t)length;
}

/* Where the thread is, by its frames alone. That is a few loads each, and asking takes a system
 * call per letter, so what was asked before is remembered by it. Only Python 3.11's frames are
 * known here (Include/cpython/pystate.h, code.h, Include/internal/pycore_frame.h); 0 for others,
 * which are asked every time. A code object is known by more than its address, which another one
 * may get. */
static uint64_t mark_of(const void *thread)
{
    enum { THREAD_CFRAME = 56, CFRAME_FRAME = 8, CODE = 32, PREVIOUS = 48, INSTRUCTION = 56 };
    enum { CODE_FIRST_LINE = 72, CODE_FILE = 112, CODE_LINES = 136 };
    uint64_t mark = 1;
    if (!python.layout_is_known)
        return 0;
#define WORD(base, offset) (*(const uint64_t *)((const char *)(uintptr_t)(base) + (offset)))
    uint64_t cframe = WORD(thread, THREAD_CFRAME);
    uint64_t frame = cframe ? WORD(cframe, CFRAME_FRAME) : 0;
    for (int depth = 0; frame && depth < MOST_DEPTH; depth++) {
        uint64_t code = WORD(frame, CODE);
        if (!code)
            return 0;
        const uint64_t parts[] = {code, WORD(frame, INSTRUCTION), WORD(code, CODE_FIRST_LINE),
                                  WORD(code, CODE_FILE), WORD(code, CODE_LINES)};
        for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
            mark = (mark ^ parts[i]) * UINT64_C(0x9e3779b97f4a7c15);
            mark ^= mark >> 32;
        }
        frame = WORD(frame, PREVIOUS);
    }
#undef WORD
    return mark;
}

struct seen {
    uint64_t mark; /* 0: nothing */
    int depth;
    const void *addresses[MOST_DEPTH];
};

static struct seen *seen; /* SEEN of them */

static int read_lines(char *text, const void **addresses, int room)
{
    int depth = 0;
    for (char *line = strtok_r(text, "\n", &text); line && depth < room;
         line = strtok_r(NULL, "\n", &text)) {
        const struct script_line *known = read_line(line);
        if (known)
            addresses[depth++] = known;
    }
    return depth;
}

int script_lines(const void **addresses, int room)
{
    char text[MOST_TEXT];
    /* At its end, when mpi4py finalises MPI, the interpreter has no frames any more. */
    void *thread = python.is_initialized() ? python.this_thread() : NULL;
    if (!thread)
        return 0;
    if (!seen && !(seen = calloc(SEEN, sizeof *seen)))
        return 0;
    uint64_t mark = mark_of(thread);
    struct seen *here = &seen[mark % SEEN];
    if (!mark || here->mark != mark) {
        here->mark = mark;
        here->depth =
            ask(thread, text, sizeof text) ? read_lines(text, here->addresses, MOST_DEPTH) : 0;
    }
    int depth = here->depth < room ? here->depth : room;
    memcpy(addresses, here->addresses, (size_t)depth * sizeof *addresses);
    return depth;
}

void script_text(char *text, size_t room)
{
    bool runs = python.state == PRESENT && python.is_initialized();
    void *thread = runs ? python.this_thread() : NULL;
    text[0] = '\0';
    if (thread && ask(thread, text, room))
        decode(text);
}
