/* What Regatta adds, and why:
 *   -g, -fno-omit-frame-pointer    findings name lines and whole call stacks
 *   -fsanitize=thread              the compiler calls __tsan_readN … in front of loads and stores
 *   -U__SANITIZE_THREAD__          … but programs that ask for it must not take us for that
 *   no vectorising by clang        a vector load may read neighbours that the program does not, and
 *   without the plug-in            be reported; with it, and with gcc, that comes after the checks
 *   no builtin memcpy …            gcc would expand them after it has put in the checks
 *   no calls at function entry     call stacks are unwound when needed
 *   no merging of equal code       two branches that end in the same calls would have one line
 *   no packing of sections inline  libgfortran does it, where values that come back unchanged are
 *                                  told from stores (wrap_fortran.c)
 *   regatta_clang19.so             clang's pass must not leave out stack arrays (clang_stack.cpp),
 *                                  and runs before the vectorisers
 *   gcc-as/as, found by -B         lets checks of gcc's code run in place without its plug-in
 * (as.c) libregatta_access.a, --wrap    answers these calls instead of ThreadSanitizer's library
 *   regatta_access.specs           … once more behind the libraries that gcc adds by itself:
 *                                  libgcov.a calls functions that are wrapped
 * and for gcc, which links libtsan by itself, a directory in which it finds an empty one (-B). */
#include "compilation.h"
#include "cli.h"
#include "paths.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what the user asks for ---- */

struct request {
    bool has_input;      /* a file to compile or link */
    bool has_c_source;   /* … that is no Fortran */
    bool stops_early;    /* -c, -S, -E and the like: no linking */
    bool relocatable;    /* -r: objects are only joined */
    bool has_debug_info; /* some -g option */
    bool asks_wrapper;   /* a question to the MPI's wrapper, as -show */
    bool unchecked;      /* options with which checks cannot be compiled in */
    bool late_archives;  /* the compiler puts archives behind all that we can say: profiling,
                            -static-libstdc++ */
    bool static_cxx;     /* -static-libstdc++ */
};

static bool begins(const char *text, const char *beginning)
{
    return !strncmp(text, beginning, strlen(beginning));
}

static bool is_one_of(const char *text, const char *const *list)
{
    for (; *list; list++)
        if (!strcmp(text, *list))
            return true;
    return false;
}

/* Options whose argument is the next word, which therefore is no input file. */
static const char *const takes_next[] = {"-o",
                                         "-x",
                                         "-I",
                                         "-L",
                                         "-D",
                                         "-U",
                                         "-l",
                                         "-B",
                                         "-J",
                                         "-T",
                                         "-e",
                                         "-u",
                                         "-z",
                                         "-A",
                                         "-G",
                                         "-MF",
                                         "-MT",
                                         "-MQ",
                                         "-Xlinker",
                                         "-Xclang",
                                         "-mllvm",
                                         "-include",
                                         "-imacros",
                                         "-isystem",
                                         "-iquote",
                                         "-idirafter",
                                         "-iprefix",
                                         "-isysroot",
                                         "-Xassembler",
                                         "-Xpreprocessor",
                                         "-aux-info",
                                         "-wrapper",
                                         "--param",
                                         "-target",
                                         "-arch",
                                         "-iwithprefix",
                                         "-iwithprefixbefore",
                                         "-imultilib",
                                         "-dumpbase",
                                         "-dumpbase-ext",
                                         "-dumpdir",
                                         NULL};
static const char *const stops[] = {"-c",        "-S", "-E", "-M", "-MM", "-fsyntax-only",
                                    "-emit-ast", NULL};
static const char *const c_endings[] = {".c", ".cc", ".cpp", ".cxx", ".C", NULL};
static const char *const questions[] = {"-show",         "-compile_info", "-link_info",
                                        "-compile-info", "-link-info",    NULL};

/* -static: nothing can be preloaded. Other sanitizers: compilers combine none with
 * -fsanitize=thread. */
static bool excludes_checks(const char *word)
{
    return !strcmp(word, "-static") || !strcmp(word, "-static-pie") || !strcmp(word, "-m32") ||
           begins(word, "-fsanitize=address") || begins(word, "-fsanitize=memory") ||
           begins(word, "-fsanitize=leak") || begins(word, "-fsanitize=hwaddress") ||
           begins(word, "-fsanitize=dataflow") || begins(word, "-fsanitize=kernel-address");
}

static bool adds_archives(const char *word)
{
    return !strcmp(word, "--coverage") || !strcmp(word, "-coverage") ||
           begins(word, "-fprofile-") || begins(word, "-fcs-profile-generate") ||
           begins(word, "-static-lib");
}

static void read_words(struct request *request, char *const *words, int depth);

/* The words of a response file, by gcc's rules: white space separates, quotes and backslashes
 * protect. */
static void read_response_file(struct request *request, const char *path, int depth)
{
    FILE *file = fopen(path, "r");
    if (!file)
        return; /* the compiler will say so */
    struct words words = {0};
    size_t length = 0, capacity = 0;
    char *word = NULL, quote = 0;
    bool inside = false;
    for (int c = getc(file);; c = getc(file)) {
        bool ends = c == EOF || (!quote && isspace(c));
        if (ends && inside) {
            words_add(&words, checked_printf("%.*s", (int)length, word ? word : ""));
            length = 0;
            inside = false;
        }
        if (c == EOF)
            break;
        if (ends)
            continue;
        inside = true;
        if (quote ? c == quote : c == '"' || c == '\'') {
            quote = quote ? 0 : (char)c;
            continue;
        }
        if (c == '\\' && (c = getc(file)) == EOF)
            break;
        word = checked_grow(word, length, &capacity, 1);
        word[length++] = (char)c;
    }
    fclose(file);
    free(word);
    if (words.count > 0)
        read_words(request, words.list, depth + 1);
}

static void read_words(struct request *request, char *const *words, int depth)
{
    for (; *words; words++) {
        const char *word = *words;
        if (word[0] == '@' && depth < 10)
            read_response_file(request, word + 1, depth);
        else if (word[0] != '-' || !word[1]) {
            const char *ending = strrchr(word, '.');
            request->has_input = true;
            request->has_c_source |= ending && is_one_of(ending, c_endings);
        } else if (is_one_of(word, stops))
            request->stops_early = true;
        else if (is_one_of(word, questions) || begins(word, "-showme"))
            request->asks_wrapper = true;
        else if (!strcmp(word, "-r") || !strcmp(word, "-Wl,-r"))
            request->relocatable = true;
        else if (begins(word, "-g"))
            request->has_debug_info = true;
        else if (begins(word, "-l") && word[2])
            request->has_input = true;
        else if (excludes_checks(word))
            request->unchecked = true;
        else if (adds_archives(word))
            request->late_archives = true;
        if (!strcmp(word, "-static-libstdc++"))
            request->static_cxx = true;
        if (is_one_of(word, takes_next) && words[1])
            words++;
    }
}

/* ---- which compiler the wrapper uses ---- */

struct compiler {
    bool clang;
    int version;    /* major */
    char exact[16]; /* e.g. 12.2.0 */
};

/* The wrapper itself is asked, since the environment (MPICH_CC, OMPI_CC) and its options (-cc=)
 * decide. */
static struct compiler compiler_of(const char *wrapper, char *const *arguments)
{
    struct words line = {0};
    struct compiler compiler = {0};
    words_add_copy(&line, wrapper);
    for (; *arguments; arguments++)
        if (begins(*arguments, "-cc=") || begins(*arguments, "-cxx=") || begins(*arguments, "-fc="))
            words_add_copy(&line, *arguments);
    words_add_copy(&line, "--version");
    char *text = paths_output_of(line.list);
    if (!text)
        return compiler;
    text[strcspn(text, "\n")] = '\0';
    const char *version = strstr(text, "clang version ");
    compiler.clang = version != NULL;
    if (version)
        version += strlen("clang version ");
    else if ((version = strrchr(text, ' ')) != NULL) /* gcc (Debian 12.2.0-14) 12.2.0 */
        version++;
    if (version) {
        compiler.version = atoi(version);
        snprintf(compiler.exact, sizeof compiler.exact, "%.*s", (int)strspn(version, "0123456789."),
                 version);
    }
    free(text);
    return compiler;
}

static char *compiler_name(const struct compiler *compiler)
{
    return compiler->clang ? checked_printf("clang %d", compiler->version)
                           : checked_printf("gcc %s", compiler->exact);
}

int compilation_version(const struct mpi *mpi, bool clang)
{
    char *wrapper = mpi_compiler(mpi, LANGUAGE_C);
    struct compiler compiler =
        wrapper ? compiler_of(wrapper, (char *[]){NULL}) : (struct compiler){0};
    free(wrapper);
    return compiler.clang == clang ? compiler.version : 0;
}

/* ---- what is added ---- */

/* A file that belongs to this regatta; NULL if it is not there. */
static char *find_own_file(const char *name)
{
    char *in_build = checked_printf("lib/%s", name);
    char *installed = checked_printf("../lib/regatta/%s", name);
    char *path = paths_own_file(in_build, installed);
    free(in_build);
    free(installed);
    return path;
}

static char *own_file(const char *name)
{
    char *path = find_own_file(name);
    if (!path)
        fail(EXIT_INTERNAL, "%s is not there: is this installation complete?", name);
    return path;
}

/* gcc expands these after the checks were put in; as calls they are seen by the wrapped functions.
 */
static const char *const library_functions[] = {
    "memcpy",  "memmove", "memset",  "mempcpy", "memcmp", "memchr",  "bcmp",    "bcopy",   "bzero",
    "strlen",  "strcpy",  "stpcpy",  "strncpy", "strcat", "strncat", "strcmp",  "strncmp", "strchr",
    "strrchr", "strspn",  "strcspn", "strpbrk", "strstr", "strdup",  "strndup", NULL};

/* Our plug-in for this compiler; NULL if there is none for its version: they fit no other. */
static char *plugin_of(const struct compiler *compiler)
{
    char *name = compiler->clang ? checked_printf("regatta_clang%d.so", compiler->version)
                                 : checked_printf("regatta_gcc%s.so", compiler->exact);
    char *plugin = find_own_file(name);
    free(name);
    return plugin;
}

char *compilation_missing_plugin(const struct mpi *mpi)
{
    char *wrapper = mpi_compiler(mpi, LANGUAGE_C);
    if (!wrapper)
        return NULL;
    struct compiler compiler = compiler_of(wrapper, (char *[]){NULL});
    char *plugin = plugin_of(&compiler);
    char *missing = plugin ? NULL : compiler_name(&compiler);
    free(plugin);
    free(wrapper);
    return missing;
}

static bool add_plugin(struct words *line, const char *option, const struct compiler *compiler)
{
    char *plugin = plugin_of(compiler);
    bool is_there = plugin != NULL;
    if (is_there)
        words_add(line, checked_printf("%s=%s", option, plugin));
    free(plugin);
    return is_there;
}

/* The program says so when it runs (module.c of src/access), and the last line of the report. */
static void tell_of_missing_plugin(struct words *line, const struct compiler *compiler)
{
    char *plugin = plugin_of(compiler), *name = compiler_name(compiler);
    if (!plugin) {
        words_add_copy(line, "-Wl,--defsym=regatta_access_no_plugin=1");
        fprintf(stderr,
                "regatta cc: no plug-in for %s: some loads and stores will not be checked (regatta "
                "doctor)\n",
                name);
    }
    free(plugin);
    free(name);
}

static void add_all(struct words *line, const char *const *options)
{
    for (; *options; options++)
        words_add_copy(line, *options);
}

static void add_checks_gcc(struct words *line, enum language language,
                           const struct compiler *compiler, bool has_c_source)
{
    static const char *const options[] = {
        "-fno-tree-tail-merge", "-fno-crossjumping", "-fno-ipa-icf",
        /* Else a load of a condition's arm is made, and checked, whether the condition holds or
         * not: in front of the loop, or together with its neighbour. */
        "-fno-tree-loop-im", "-fno-hoist-adjacent-loads", "-fno-tree-reassoc",
        /* About fences of the language, which ThreadSanitizer cannot follow: with -Werror the
           program would not compile. */
        "-Wno-tsan",
        /* Else a function whose last call is MPI's, or frees memory, is not there any more, and its
           caller's line is named. */
        "-fno-optimize-sibling-calls", NULL};
    add_all(line, options);
    char *assembler = find_own_file("gcc-as");
    if (assembler)
        words_add(line, checked_printf("-B%s", assembler));
    free(assembler);
    add_plugin(line, "-fplugin", compiler);
    if (compiler->version >= 11)
        words_add_copy(line, "--param=tsan-instrument-func-entry-exit=0");
    if (language == LANGUAGE_FORTRAN) {
        /* gfortran takes it that no call keeps the address of an argument, and leaves out checks of
         * variables that were only passed on: what it does not know of pointers it cannot use. */
        words_add_copy(line, "-fno-tree-pta");
        if (compiler->version >= 9 && !has_c_source) /* it warns there */
            words_add_copy(line, "-fno-inline-arg-packing");
        return;
    }
    for (const char *const *name = library_functions; *name; name++)
        words_add(line, checked_printf("-fno-builtin-%s", *name));
}

static void add_checks_clang(struct words *line, const struct compiler *compiler)
{
    static const char *const options[] = {
        "-fno-optimize-sibling-calls", /* as for gcc */
        "-mllvm",
        "-tsan-instrument-func-entry-exit=0",
        /* Else a load is left out if a store to the same place follows, though on another line. */
        "-mllvm",
        "-tsan-instrument-read-before-write=1",
        "-mllvm",
        "-sink-common-insts=false",
        "-mllvm",
        "-hoist-common-insts=false",
        "-mllvm",
        "-enable-tail-merge=false",
        /* Else `sum` is loaded in front of a loop that may never come to its `if (…) sum += x`. */
        "-mllvm",
        "-disable-licm-promotion",
        NULL,
    };
    /* Our plug-in puts the checks in before clang vectorises and unrolls; clang itself, behind. */
    static const char *const without_plugin[] = {
        "-fno-vectorize",
        "-fno-slp-vectorize",
        /* Else each copy of the loop's body is a place of its own, with gaps between its accesses:
         * the runtime gathers adjacent ones. A sum over window memory takes 6 times as long. */
        "-fno-unroll-loops",
        NULL,
    };
    add_all(line, options);
    if (!add_plugin(line, "-fpass-plugin", compiler))
        add_all(line, without_plugin);
    for (const char *const *name = library_functions; *name; name++)
        words_add(line, checked_printf("-fno-builtin-%s", *name));
}

/* Archives behind ours call wrapped functions, too. gcc is told to name ours once more at the very
 * end: whatever is wanted then, and nothing else, is taken from it. clang cannot be told so; one
 * function of each file of the library brings it in, but only with options that are known to add
 * such archives. */
static void add_library_again(struct words *line, bool clang, bool late_archives)
{
    static const char *const wanted[] = {"memcpy",   "free", "strlen", "fwrite",
                                         "vfprintf", "read", NULL};
    if (!clang)
        words_add(line, checked_printf("-specs=%s", own_file("regatta_access.specs")));
    for (const char *const *name = wanted; clang && late_archives && *name; name++)
        words_add(line, checked_printf("-Wl,-u,__wrap_%s", *name));
}

static void add_library(struct words *line, bool clang, bool late_archives)
{
    if (!clang)
        words_add(line, checked_printf("-B%s", own_file("no-libtsan")));
    /* -Wl and -Xlinker: not to be taken for a source after -x. */
    words_add(line, checked_printf("-Wl,@%s", own_file("regatta_access.wraps")));
    add_library_again(line, clang, late_archives);
    /* Programs and archives (libgfortran.a) refer to threads weakly: wrapped, that would be NULL
     * where nothing else brings the file in. */
    words_add_copy(line, "-Wl,-u,__wrap_pthread_mutex_lock");
    words_add_copy(line, "-Xlinker");
    words_add(line, own_file("libregatta_access.a"));
}

struct words compilation_line(const struct mpi *mpi, enum language language, char *const *arguments)
{
    struct words line = {0};
    struct request request = {0};
    char *wrapper = mpi_compiler(mpi, language);
    if (!wrapper)
        fail(EXIT_INTERNAL, "%s's compiler wrapper for this language was not found (Debian: %s%s)",
             mpi->title, mpi->package, language == LANGUAGE_FORTRAN ? " gfortran" : "");
    read_words(&request, arguments, 0);
    words_add(&line, wrapper);
    bool adds = request.has_input && !request.asks_wrapper;
    /* In front, so that the user's own options have the last word. */
    if (adds && !request.has_debug_info)
        words_add_copy(&line, "-g");
    if (adds)
        words_add_copy(&line, "-fno-omit-frame-pointer");
    if (adds && !request.unchecked)
        words_add_copy(&line, "-U__SANITIZE_THREAD__");
    for (char *const *argument = arguments; *argument; argument++)
        words_add_copy(&line, *argument);
    if (!adds || request.unchecked)
        return line;
    struct compiler compiler = compiler_of(wrapper, arguments);
    if (compiler.clang)
        words_add_copy(&line, "--start-no-unused-arguments");
    words_add_copy(&line, "-fsanitize=thread");
    if (compiler.clang)
        add_checks_clang(&line, &compiler);
    else
        add_checks_gcc(&line, language, &compiler, request.has_c_source);
    if (!request.stops_early && compiler.clang) /* with -r, too */
        words_add_copy(&line, "-fno-sanitize-link-runtime");
    if (!request.stops_early && !request.relocatable) {
        add_library(&line, compiler.clang, request.late_archives);
        tell_of_missing_plugin(&line, &compiler);
    }
    /* Its operators delete come from libstdc++.a, which must find them wanted: it is read once. */
    if (request.static_cxx && language == LANGUAGE_CXX && !request.stops_early &&
        !request.relocatable)
        words_add_copy(&line, "-Wl,-u,__wrap__ZdlPv");
    if (compiler.clang)
        words_add_copy(&line, "--end-no-unused-arguments");
    return line;
}
