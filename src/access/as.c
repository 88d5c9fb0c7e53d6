/* The assembler as gcc sees it when `regatta cc` compiles: lets the common part of the checks run
 * in place, as the plug-in for clang does (clang_inline.cpp), and passes the rest on to the real
 * one.
 *
 *         call  __tsan_read8         becomes        if (run.next == address && address does not
 * begin a page) run.next += 8; else if (flags[address >> 16 & mask])
 *                                                       __regatta_read8(address, &run);
 *
 * gcc has given up all registers that a call may change, so the code may use them, and the address
 * is in %rdi. gcc finds this program in a directory named by -B. Whatever is not as expected goes
 * to the assembler unchanged: calls do the same, at several times the cost. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hooks.h"

enum { RUN_BYTES = sizeof(struct access_run), NEXT = offsetof(struct access_run, next) };

struct check {
    bool store;
    char size; /* a digit */
};

static const char *after(const char *text, const char *beginning)
{
    size_t length = strlen(beginning);
    return text && !strncmp(text, beginning, length) ? text + length : NULL;
}

static const char *after_blanks(const char *text)
{
    return text ? text + strspn(text, " \t") : NULL;
}

/* Whether the line is the call of a check for an aligned access. */
static bool is_check(const char *line, struct check *check)
{
    const char *at = after(after_blanks(line), "call"), *name, *more;
    if (!at || (*at != ' ' && *at != '\t'))
        return false;
    at = after_blanks(at);
    bool through_table = *at == '*';
    name = after(at + through_table, "__tsan_");
    if (!name)
        return false;
    if ((more = after(name, "volatile_")))
        name = more;
    bool reads = (more = after(name, "read"));
    if (reads) {
        name = more;
        if ((more = after(name, "_")))
            name = more;
    }
    check->store = (more = after(name, "write"));
    if (check->store)
        name = more;
    if ((!reads && !check->store) || !*name || !strchr("1248", *name))
        return false;
    check->size = *name++;
    if ((more = after(name, through_table ? "@GOTPCREL(%rip)" : "@PLT")))
        name = more;
    else if (through_table)
        return false;
    return *after_blanks(name) == '\n';
}

static void write_check(FILE *out, const struct check *check, unsigned long number)
{
    unsigned long run = number * RUN_BYTES;
    _Static_assert(ACCESS_PAGE_BITS == 16, "%di is the place within a page");
    fprintf(out,
            "\tcmpq\t%%rdi, .Lregatta_runs+%lu(%%rip)\n"
            "\tjne\t.Lregatta_look%lu\n"
            "\ttestw\t%%di, %%di\n"
            "\tje\t.Lregatta_look%lu\n"
            "\taddq\t$%c, .Lregatta_runs+%lu(%%rip)\n"
            "\tjmp\t.Lregatta_done%lu\n"
            ".Lregatta_look%lu:\n"
            "\tmovq\t%%rdi, %%rcx\n"
            "\tmovq\t__regatta_flags(%%rip), %%rax\n"
            "\tshrq\t$%d, %%rcx\n"
            "\tandq\t__regatta_page_mask(%%rip), %%rcx\n"
            "\tcmpb\t$0, (%%rax,%%rcx)\n"
            "\tje\t.Lregatta_done%lu\n"
            "\tleaq\t.Lregatta_runs+%lu(%%rip), %%rsi\n"
            "\tcall\t__regatta_%s%c@PLT\n"
            ".Lregatta_done%lu:\n",
            run + NEXT, number, number, check->size, run + NEXT, number, number, ACCESS_PAGE_BITS,
            number, run, check->store ? "write" : "read", check->size, number);
}

static void write_end(FILE *out, unsigned long checks)
{
    fprintf(out,
            "\t.hidden\t__regatta_flags\n\t.hidden\t__regatta_page_mask\n"
            "\t.section\t.bss\n\t.balign\t%d\n.Lregatta_runs:\n\t.zero\t%lu\n",
            (int)_Alignof(struct access_run), checks * RUN_BYTES);
}

/* False if the copy must not be used. */
static bool copy_with_checks(FILE *in, FILE *out)
{
    char *line = NULL;
    size_t room = 0;
    unsigned long checks = 0;
    bool usable = true;
    while (usable && getline(&line, &room, in) >= 0) {
        struct check check;
        if (strstr(line, ".intel_syntax"))
            usable = false;
        else if (is_check(line, &check))
            write_check(out, &check, checks++);
        else
            fputs(line, out);
    }
    free(line);
    if (checks)
        write_end(out, checks);
    return usable && !ferror(in) && fflush(out) == 0 && !ferror(out);
}

/* A temporary copy of the standard input, which can be read only once. */
static FILE *keep_input(void)
{
    FILE *copy = tmpfile();
    int c;
    while (copy && (c = getchar()) != EOF)
        putc(c, copy);
    if (!copy || fflush(copy) != 0 || ferror(copy) || dup2(fileno(copy), STDIN_FILENO) < 0)
        return NULL;
    rewind(copy);
    return copy;
}

/* The position of the input among the arguments; 0 if that is not sure, `count` if it is the
 * standard input. */
static int input_of(int count, char **arguments)
{
    int input = count;
    for (int i = 1; i < count; i++) {
        if (!strcmp(arguments[i], "-o") || !strcmp(arguments[i], "-I") ||
            !strcmp(arguments[i], "--MD") || !strcmp(arguments[i], "--defsym"))
            i++;
        else if (arguments[i][0] != '-' && input == count)
            input = i;
        else if (arguments[i][0] != '-' || !arguments[i][1] || strstr(arguments[i], "version") ||
                 strstr(arguments[i], "help"))
            return 0;
    }
    size_t length = input < count ? strlen(arguments[input]) : 0;
    return input == count || (length > 2 && !strcmp(arguments[input] + length - 2, ".s")) ? input
                                                                                          : 0;
}

int main(int count, char **arguments)
{
    char name[] = "as";
    arguments[0] = name; /* the one in the search path; this one is not there */
    int input = input_of(count, arguments);
    char **line = calloc((size_t)count + 2, sizeof *line); /* with room for one more */
    if (!input || !line)
        return execvp(name, arguments), perror("regatta: cannot start the assembler as"), 127;
    bool piped = input == count;
    memcpy(line, arguments, (size_t)count * sizeof *line);

    FILE *in = piped ? keep_input() : fopen(arguments[input], "r");
    if (piped && !in) { /* it is read already, so the assembler would make an empty object of it */
        perror("regatta: cannot keep what the compiler gave to the assembler");
        return 1;
    }
    int copy =
        memfd_create("regatta-as", 0); /* the assembler inherits it, and nothing is left behind */
    FILE *out = copy >= 0 ? fdopen(copy, "w") : NULL;
    char path[64];
    snprintf(path, sizeof path, "/proc/self/fd/%d", copy);
    if (in && out && copy_with_checks(in, out))
        line[input] = path;
    else if (piped)
        lseek(STDIN_FILENO, 0, SEEK_SET);
    return execvp(name, line), perror("regatta: cannot start the assembler as"), 127;
}
