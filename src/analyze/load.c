#include "load.h"

#include "bridge.h"
#include "fortran_calls.h"
#include "normalise.h"
#include "value_map.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <jansson.h>
#include <limits.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Analysis.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Support.h>
#include <sys/stat.h>
#include <unistd.h>

static char *copy(const char *text)
{
    return checked(strdup(text));
}

void units_init(struct units *units, const char *mpi)
{
    memset(units, 0, sizeof *units);
    units->mpi = mpi;
    const char *parent = getenv("TMPDIR");
    char *name;
    if (asprintf(&name, "%s/regatta-check-XXXXXX", parent && *parent ? parent : "/tmp") < 0)
        checked(NULL);
    units->scratch = mkdtemp(name);
    if (!units->scratch) {
        fprintf(stderr, "regatta: cannot make a temporary directory %s: %s\n", name,
                strerror(errno));
        free(name);
    }
}

static int remove_entry(const char *path, const struct stat *status, int type, struct FTW *place)
{
    (void)status, (void)type, (void)place;
    remove(path);
    return 0;
}

static void unit_free(struct unit *unit)
{
    free(unit->file);
    free(unit->directory);
    free(unit->bitcode);
    for EACH (flag, &unit->flags)
        free(*flag);
    DROP(&unit->flags);
    for EACH (flag, &unit->left_out)
        free(*flag);
    DROP(&unit->left_out);
}

void units_free(struct units *units)
{
    for EACH (unit, &units->list)
        unit_free(unit);
    DROP(&units->list);
    for EACH (word, &units->libraries)
        free(*word);
    DROP(&units->libraries);
    cache_close(&units->cache);
    if (units->scratch)
        nftw(units->scratch, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
    free(units->scratch);
}

static bool ends_in(const char *path, const char *suffix)
{
    size_t length = strlen(path), tail = strlen(suffix);
    return length > tail && !strcmp(path + length - tail, suffix);
}

static bool ends_in_any(const char *path, const char *const *suffixes)
{
    while (*suffixes && !ends_in(path, *suffixes))
        suffixes++;
    return *suffixes != NULL;
}

bool path_is_source(const char *path, struct unit *unit)
{
    static const char *const cxx[] = {".cpp", ".cc", ".cxx", ".C", ".c++", NULL};
    static const char *const fortran[] = {".f",   ".F",   ".for", ".FOR", ".ftn", ".f90", ".F90",
                                          ".f95", ".F95", ".f03", ".F03", ".f08", ".F08", NULL};
    unit->is_cxx = ends_in_any(path, cxx);
    unit->is_fortran = ends_in_any(path, fortran);
    return ends_in(path, ".c") || unit->is_cxx || unit->is_fortran;
}

/* Flags that change what the program means. Everything else (warnings, optimisation, code
 * generation of some other compiler) would at best be ignored by clang and at worst stop it. */
void unit_take_arguments(struct unit *unit, char *const *arguments, size_t count)
{
    enum { JOINED = 6 }; /* of with_word: those that may stand in one word with what follows */
    static const char *const with_word[] = {"-I",        "-D",         "-U",       "-isystem",
                                            "-iquote",   "-idirafter", "-include", "-imacros",
                                            "--sysroot", "-isysroot"};
    /* A last `=` or `*`: whatever follows. Instruction sets, because their intrinsics exist only
     * with them. */
    static const char *const alone[] = {"-std=",         "-ansi",
                                        "-pthread",      "-fopenmp",
                                        "-fexceptions",  "-fno-exceptions",
                                        "-fno-rtti",     "-m32",
                                        "-m64",          "-funsigned-char",
                                        "-fsigned-char", "-fshort-enums",
                                        "-nostdinc",     "--sysroot=",
                                        "-fcommon",      "-fms-extensions",
                                        "-fpermissive",  "-fgnu89-inline",
                                        "-march=",       "-mlzcnt",
                                        "-msse*",        "-mssse3",
                                        "-mavx*",        "-mfma*",
                                        "-mf16c",        "-mbmi*",
                                        "-maes",         "-mpclmul",
                                        "-mpopcnt",      "-cpp",
                                        "-ffree-form",   "-ffixed-form",
                                        "-fdefault-*",   "-ffixed-line-length-*"};
    for (size_t i = 0; i < count; i++) {
        const char *word = arguments[i];
        for (size_t k = 0; k < sizeof with_word / sizeof with_word[0]; k++) {
            if (!strcmp(word, with_word[k]) && i + 1 < count) {
                APPEND(&unit->flags, copy(word));
                APPEND(&unit->flags, copy(arguments[++i]));
                word = "";
            } else if (!strncmp(word, with_word[k], strlen(with_word[k])) && k < JOINED) {
                APPEND(&unit->flags, copy(word));
                word = "";
            }
        }
        bool known = false;
        for (size_t k = 0; *word && k < sizeof alone / sizeof alone[0]; k++) {
            size_t length = strlen(alone[k]);
            char last = alone[k][length - 1];
            bool prefix = last == '=' || last == '*';
            if (prefix ? !strncmp(word, alone[k], length - (last == '*'))
                       : !strcmp(word, alone[k])) {
                APPEND(&unit->flags, copy(word));
                known = true;
            }
        }
        if (word[0] == '-' && !known)
            APPEND(&unit->left_out, copy(word));
    }
}

/* Splits a shell-like command line as the compilation database format defines it: spaces separate,
 * quotes and backslashes protect. */
static void split_command(const char *text, char ***words, size_t *count)
{
    LIST(char *) list = {0};
    char *word = checked(malloc(strlen(text) + 1));
    size_t length = 0;
    bool started = false;
    char quote = 0;
    for (const char *c = text;; c++) {
        if (!quote && (*c == ' ' || *c == '\t' || *c == '\n' || !*c)) {
            if (started) {
                word[length] = 0;
                APPEND(&list, copy(word));
            }
            length = 0, started = false;
            if (!*c)
                break;
            continue;
        }
        if (!*c)
            break;
        started = true;
        if (quote && *c == quote)
            quote = 0;
        else if (!quote && (*c == '"' || *c == '\''))
            quote = *c;
        else if (*c == '\\' && quote != '\'' && c[1])
            word[length++] = *++c;
        else
            word[length++] = *c;
    }
    free(word);
    *words = list.items;
    *count = list.count;
}

typedef LIST(char *) word_list;

/* The text of a file named relative to a directory, or NULL. */
static char *read_text(const char *directory, const char *path)
{
    char *full, *text = NULL;
    size_t room = 0;
    bool relative = directory && path[0] != '/';
    if (asprintf(&full, "%s%s%s", relative ? directory : "", relative ? "/" : "", path) < 0)
        checked(NULL);
    FILE *file = fopen(full, "r");
    free(full);
    if (!file)
        return NULL;
    if (getdelim(&text, &room, 0, file) < 0) {
        free(text);
        text = NULL;
    }
    fclose(file);
    return text;
}

/* The words of a compiler call, with those of its response files (@file) in their place: CMake
 * writes flags to such files where there are many. */
static void take_words(word_list *to, const char *directory, char *const *words, size_t count,
                       int depth)
{
    enum { DEEPEST = 10 };
    for (size_t i = 0; i < count; i++) {
        char *text =
            words[i][0] == '@' && depth < DEEPEST ? read_text(directory, words[i] + 1) : NULL;
        if (!text) {
            APPEND(to, copy(words[i]));
            continue;
        }
        char **inner;
        size_t ninner;
        split_command(text, &inner, &ninner);
        take_words(to, directory, inner, ninner, depth + 1);
        for (size_t k = 0; k < ninner; k++)
            free(inner[k]);
        free(inner);
        free(text);
    }
}

static void drop_words(word_list *words)
{
    for EACH (word, words)
        free(*word);
    DROP(words);
}

static bool is_bitcode_file(const char *path)
{
    unsigned char magic[4] = {0};
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    size_t got = fread(magic, 1, 4, file);
    fclose(file);
    return got == 4 && ((magic[0] == 'B' && magic[1] == 'C' && magic[2] == 0xC0) ||
                        (magic[0] == 0xDE && magic[1] == 0xC0 && magic[2] == 0x17));
}

static void add_bitcode(struct units *units, const char *path)
{
    struct unit unit = {.file = copy(path), .is_bitcode = true, .bitcode = copy(path)};
    APPEND(&units->list, unit);
}

/* False if it is none. */
static bool add_source(struct units *units, const char *path, char *const *flags, size_t nflags)
{
    struct unit unit = {0};
    if (!path_is_source(path, &unit))
        return false;
    word_list words = {0};
    take_words(&words, NULL, flags, nflags, 0);
    unit.file = copy(path);
    unit_take_arguments(&unit, words.items, words.count);
    drop_words(&words);
    APPEND(&units->list, unit);
    return true;
}

static bool add_directory(struct units *units, const char *path, char *const *flags, size_t nflags)
{
    struct dirent **entries;
    int count = scandir(path, &entries, NULL, alphasort);
    if (count < 0)
        return false;
    for (int i = 0; i < count; i++) {
        char *inner;
        struct stat status;
        if (entries[i]->d_name[0] != '.' &&
            asprintf(&inner, "%s/%s", path, entries[i]->d_name) >= 0) {
            if (lstat(inner, &status) == 0 && S_ISDIR(status.st_mode))
                add_directory(units, inner, flags, nflags);
            else if (!add_source(units, inner, flags, nflags) &&
                     (ends_in(inner, ".bc") || ends_in(inner, ".ll")))
                add_bitcode(units, inner);
            free(inner);
        }
        free(entries[i]);
    }
    free(entries);
    return true;
}

bool units_add(struct units *units, const char *path, char *const *flags, size_t nflags)
{
    struct stat status;
    word_list words = {0};
    if (path[0] == '@')
        take_words(&words, NULL, (char *[]){(char *)path}, 1, 0);
    if (words.count && strcmp(words.items[0], path) != 0) { /* a response file */
        bool good = true;
        for EACH (word, &words)
            good &= units_add(units, *word, flags, nflags);
        drop_words(&words);
        return good;
    }
    drop_words(&words);
    if (stat(path, &status) != 0) {
        fprintf(stderr, "regatta: %s: %s\n", path, strerror(errno));
        units->failed++;
        units->missing++;
        return false;
    }
    if (S_ISDIR(status.st_mode))
        return add_directory(units, path, flags, nflags);
    if (add_source(units, path, flags, nflags))
        return true;
    if (ends_in(path, ".ll") || ends_in(path, ".bc") || is_bitcode_file(path)) {
        add_bitcode(units, path);
    } else {
        fprintf(stderr, "regatta: %s: neither C, C++, Fortran nor LLVM bitcode\n", path);
        units->failed++;
        units->missing++;
        return false;
    }
    return true;
}

static bool names_cxx_compiler(const char *word)
{
    const char *name = strrchr(word, '/');
    name = name ? name + 1 : word;
    return strstr(name, "++") || strstr(name, "cxx") || strstr(name, "CC");
}

static bool is_known(const struct units *units, const struct unit *unit)
{
    for EACH (other, &units->list)
        if (!strcmp(other->file, unit->file) && other->directory && unit->directory &&
            !strcmp(other->directory, unit->directory))
            return true;
    return false;
}

static void take_libraries(struct units *units, const char *directory, char *const *words,
                           size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool place = !strncmp(words[i], "-L", 2);
        if (!place && strncmp(words[i], "-l", 2) != 0)
            continue;
        bool apart = !words[i][2];
        if (apart && i + 1 == count)
            break;
        const char *what = apart ? words[++i] : words[i] + 2;
        char *word;
        bool below = place && directory && what[0] != '/';
        if (asprintf(&word, "-%c%s%s%s", place ? 'L' : 'l', below ? directory : "",
                     below ? "/" : "", what) < 0)
            checked(NULL);
        APPEND(&units->libraries, word);
    }
}

void units_take_libraries(struct units *units, char *const *flags, size_t count)
{
    word_list words = {0};
    take_words(&words, NULL, flags, count, 0);
    take_libraries(units, NULL, words.items, words.count);
    drop_words(&words);
}

/* One compiler call: every source named in it becomes a unit, unless known already. */
void units_take_command(struct units *units, const char *directory, char *const *command,
                        size_t count)
{
    word_list words = {0};
    take_words(&words, directory, command, count, 0);
    take_libraries(units, directory, words.items, words.count);
    for (size_t i = 1; i < words.count; i++) {
        const char *word = words.items[i];
        struct unit unit = {0};
        if (!strcmp(word, "-o") || !strcmp(word, "-MF") || !strcmp(word, "-MT") ||
            !strcmp(word, "-MQ")) {
            i++;
            continue;
        }
        if (word[0] == '-' || !path_is_source(word, &unit))
            continue;
        unit.file = copy(word);
        unit.directory = directory ? copy(directory) : NULL;
        unit.is_cxx |= !unit.is_fortran && names_cxx_compiler(words.items[0]);
        unit_take_arguments(&unit, words.items + 1, words.count - 1);
        if (is_known(units, &unit))
            unit_free(&unit);
        else
            APPEND(&units->list, unit);
    }
    drop_words(&words);
}

bool units_add_database(struct units *units, const char *path)
{
    struct stat status;
    char *file;
    bool is_directory = stat(path, &status) == 0 && S_ISDIR(status.st_mode);
    if (asprintf(&file, is_directory ? "%s/compile_commands.json" : "%s", path) < 0)
        checked(NULL);
    json_error_t error;
    json_t *database = json_load_file(file, 0, &error);
    if (!json_is_array(database)) {
        fprintf(stderr, "regatta: %s: %s\n", file,
                database ? "not a list of commands" : error.text);
        json_decref(database);
        free(file);
        units->failed++;
        units->missing++;
        return false;
    }
    size_t index;
    json_t *entry;
    json_array_foreach(database, index, entry)
    {
        const char *directory = json_string_value(json_object_get(entry, "directory"));
        const char *command = json_string_value(json_object_get(entry, "command"));
        json_t *arguments = json_object_get(entry, "arguments");
        char **words = NULL;
        size_t count = 0;
        if (command) {
            split_command(command, &words, &count);
        } else if (json_is_array(arguments)) {
            words = checked(calloc(json_array_size(arguments) + 1, sizeof *words));
            for (size_t i = 0; i < json_array_size(arguments); i++) {
                const char *word = json_string_value(json_array_get(arguments, i));
                words[count++] = copy(word ? word : "");
            }
        }
        if (count)
            units_take_command(units, directory, words, count);
        for (size_t i = 0; i < count; i++)
            free(words[i]);
        free(words);
    }
    json_decref(database);
    free(file);
    return true;
}

static LLVMModuleRef parse(LLVMContextRef context, const char *path, char **message)
{
    LLVMMemoryBufferRef buffer;
    LLVMModuleRef module = NULL;
    char *why = NULL;
    *message = NULL;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &why)) {
        *message = copy(why);
        LLVMDisposeMessage(why);
        return NULL;
    }
    /* LLVMParseIRInContext takes the buffer over, and reads bitcode and text alike. */
    if (LLVMParseIRInContext(context, buffer, &module, &why)) {
        *message = copy(why && *why ? why : "not LLVM bitcode");
        LLVMDisposeMessage(why);
        return NULL;
    }
    return module;
}

/* The reader would verify every module that has debug information, and end the process if it is
 * damaged. */
static void leave_verification_to_us(void)
{
    static const char *const arguments[] = {"regatta", "-disable-auto-upgrade-debug-info"};
    static bool done;
    if (!done)
        LLVMParseCommandLineOptions(2, arguments, NULL);
    done = true;
}

struct verification {
    struct value_map seen;
    bool damaged;
};

static void verify_caller(void *context, LLVMValueRef call, const struct routine *routine)
{
    struct verification *verification = context;
    LLVMValueRef caller = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    (void)routine;
    if (verification->damaged || value_map_get(&verification->seen, caller) != VALUE_MAP_NONE)
        return;
    value_map_add(&verification->seen, caller, 1);
    verification->damaged = LLVMVerifyFunction(caller, LLVMReturnStatusAction);
}

LLVMModuleRef unit_read(LLVMContextRef context, const struct unit *unit, char **message)
{
    struct stat status;
    if (stat(unit->bitcode, &status) == 0 && status.st_size == 0) {
        *message = copy("the file is empty");
        return NULL;
    }
    leave_verification_to_us();
    LLVMModuleRef module = parse(context, unit->bitcode, message);
    if (module) {
        bridge_forget_variables(module);
        fortran_calls_to_c(module);
    }
    /* What did not come from our own compiler may make no sense. The functions that call MPI are
     * those that most is done with; what is wrong elsewhere and brings LLVM down is guarded against
     * (guard.h). */
    struct verification verification = {0};
    if (module && unit->is_bitcode)
        each_mpi_call(module, verify_caller, &verification);
    value_map_drop(&verification.seen);
    if (verification.damaged) {
        LLVMDisposeModule(module);
        *message = copy("damaged bitcode");
        return NULL;
    }
    return module;
}
