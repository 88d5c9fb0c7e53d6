#include "program.h"
#include "cli.h"
#include "paths.h"
#include "findings/checked.h"
#include "mpi/routine.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- inside an ELF file ---------------------------------------------------------------------- */

struct image {
    int descriptor;
    Elf *elf;
    const char *interpreter; /* NULL: static */
};

static bool image_open(struct image *image, const char *path)
{
    elf_version(EV_CURRENT);
    *image = (struct image){.descriptor = open(path, O_RDONLY | O_CLOEXEC)};
    if (image->descriptor < 0)
        return false;
    image->elf = elf_begin(image->descriptor, ELF_C_READ_MMAP, NULL);
    if (!image->elf || elf_kind(image->elf) != ELF_K_ELF) {
        elf_end(image->elf);
        close(image->descriptor);
        return false;
    }
    size_t headers = 0;
    elf_getphdrnum(image->elf, &headers);
    for (size_t i = 0; i < headers; i++) {
        GElf_Phdr header;
        if (gelf_getphdr(image->elf, (int)i, &header) && header.p_type == PT_INTERP &&
            header.p_filesz > 1) {
            const char *raw = elf_rawfile(image->elf, NULL);
            size_t size = 0;
            elf_rawfile(image->elf, &size);
            if (raw && header.p_offset + header.p_filesz <= size &&
                raw[header.p_offset + header.p_filesz - 1] == '\0')
                image->interpreter = raw + header.p_offset;
        }
    }
    return true;
}

static void image_close(struct image *image)
{
    elf_end(image->elf);
    close(image->descriptor);
}

/* Calls `visit` for every section of a type. */
static bool any_section(Elf *elf, unsigned type, bool (*visit)(Elf *, Elf_Scn *, GElf_Shdr *))
{
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(elf, section))) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) && header.sh_type == type && header.sh_entsize &&
            visit(elf, section, &header))
            return true;
    }
    return false;
}

static bool defines_mpi(Elf *elf, Elf_Scn *section, GElf_Shdr *header)
{
    Elf_Data *data = elf_getdata(section, NULL);
    for (size_t i = 0; data && i < header->sh_size / header->sh_entsize; i++) {
        GElf_Sym symbol;
        if (!gelf_getsym(data, (int)i, &symbol) || symbol.st_shndx == SHN_UNDEF ||
            GELF_ST_TYPE(symbol.st_info) != STT_FUNC)
            continue;
        const char *name = elf_strptr(elf, header->sh_link, symbol.st_name);
        const struct routine *routine = name ? routine_by_name(name + (name[0] == 'P')) : NULL;
        if (routine && routine->verb == VERB_initialises)
            return true;
    }
    return false;
}

/* Without these order and completion are known all the same. */
static bool is_mere_question(const char *name)
{
    char *plain = checked_printf("%.*s", (int)strcspn(name, "@"), name);
    const struct routine *routine = routine_by_name(plain);
    free(plain);
    return routine && routine->object == OBJECT_question;
}

/* The first call of the symbol table that is made by its PMPI_ name and may order or complete
 * something. NULL: none. */
static char *unseen_call(Elf *elf)
{
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(elf, section))) {
        GElf_Shdr header;
        GElf_Sym symbol;
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNSYM || !header.sh_entsize)
            continue;
        Elf_Data *data = elf_getdata(section, NULL);
        for (size_t i = 0; data && i < header.sh_size / header.sh_entsize; i++) {
            if (!gelf_getsym(data, (int)i, &symbol) || symbol.st_shndx != SHN_UNDEF)
                continue;
            const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);
            if (name && !strncmp(name, "PMPI_", 5) && !is_mere_question(name + 1))
                return checked_printf("%.*s", (int)strcspn(name, "@"), name);
        }
    }
    return NULL;
}

/* ---- the libraries it needs ------------------------------------------------------------------ */

/* MPICH and all that keep its ABI (libmpi.so.12), Open MPI (libmpi.so.40 and older numbers). */
static const struct mpi *mpi_of_library(const char *name, bool with_open_rte)
{
    if (!strncmp(name, "libmpich.so", 11) || !strncmp(name, "libmpich-", 9))
        return mpi_named("mpich");
    if (!strncmp(name, "libmpi.so.12", 12) && !isdigit((unsigned char)name[12]))
        return mpi_named(with_open_rte ? "openmpi" : "mpich"); /* Open MPI 1.10 had that number */
    if (!strncmp(name, "libmpi.so", 9))
        return mpi_named("openmpi");
    return NULL;
}

/* All libraries that ld.so would load, by asking it: it alone knows RPATH, RUNPATH,
 * LD_LIBRARY_PATH and its cache. One per line, "\tname => path (address)". */
static char *needed_libraries(const struct image *image, const char *path)
{
    return paths_output_of((char *[]){(char *)image->interpreter, "--list", (char *)path, NULL});
}

static const struct mpi *mpi_of_list(char *list, char **evidence)
{
    const struct mpi *mpi = NULL;
    bool with_open_rte = strstr(list, "libopen-rte.so") != NULL;
    for (char *rest, *line = strtok_r(list, "\n", &rest); line;
         line = strtok_r(NULL, "\n", &rest)) {
        char *name = line + strspn(line, " \t");
        name[strcspn(name, " ")] = '\0';
        char *slash = strrchr(name, '/');
        const struct mpi *one = mpi_of_library(slash ? slash + 1 : name, with_open_rte);
        if (one && mpi && one != mpi)
            fail(EXIT_USAGE,
                 "the program needs both %s and %s: two MPIs cannot work in one process", *evidence,
                 slash ? slash + 1 : name);
        if (one && !mpi) {
            mpi = one;
            *evidence = checked_strdup(slash ? slash + 1 : name);
        }
    }
    return mpi;
}

/* AddressSanitizer's library, by gcc or clang, refuses to work unless it is the first of all. Its
 * path, or NULL. */
static char *address_sanitizer_of_list(const char *list)
{
    for (const char *line = list; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        const char *name = line + strspn(line, " \t");
        size_t length = strcspn(name, " \n");
        const char *arrow = name + length;
        if ((strncmp(name, "libasan.so", 10) && strncmp(name, "libclang_rt.asan", 16)) ||
            strncmp(arrow, " => /", 5))
            continue;
        return checked_printf("%.*s", (int)strcspn(arrow + 4, " \n"), arrow + 4);
    }
    return NULL;
}

/* ---- what it is ------------------------------------------------------------------------------ */

/* The first line of a script behind its "#!", as much as the kernel reads; NULL if it is none. */
static char *script_line(const char *path)
{
    char start[256] = "";
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t got = descriptor >= 0 ? read(descriptor, start, sizeof start - 1) : -1;
    if (descriptor >= 0)
        close(descriptor);
    if (got < 2 || strncmp(start, "#!", 2))
        return NULL;
    start[strcspn(start, "\n")] = '\0';
    return checked_strdup(start + 2);
}

/* False if the file is not a script. Ends the program if the script cannot start: launchers tell
 * that once per rank, as if the script itself were missing. */
static bool inspect_script(const char *path)
{
    char *line = script_line(path);
    if (!line)
        return false;
    char *interpreter = line + strspn(line, " \t");
    interpreter[strcspn(interpreter, " \t")] = '\0';
    size_t length = strlen(interpreter);
    bool dos = length && interpreter[length - 1] == '\r';
    if (length && access(interpreter, X_OK) != 0) {
        int why = errno;
        if (dos)
            interpreter[length - 1] = '\0';
        fail(EXIT_USAGE, "%s cannot be run: its interpreter %s: %s%s", path, interpreter,
             strerror(why), dos ? " (with the carriage return of a DOS line)" : "");
    }
    free(line);
    return true;
}

/* Fills in kind, mpi and evidence. False if the file is not an ELF executable. */
static bool inspect_elf(struct program *program, const char *path)
{
    struct image image;
    if (!image_open(&image, path))
        return false;
    char *list = image.interpreter ? needed_libraries(&image, path) : NULL;
    char *evidence = NULL;
    program->comes_first = list ? address_sanitizer_of_list(list) : NULL;
    if (list)
        program->gomp = gomp_inspect(path, list);
    program->mpi = list ? mpi_of_list(list, &evidence) : NULL;
    free(list);
    if (program->mpi) {
        program->kind = PROGRAM_LINKED;
        program->evidence = evidence;
        program->unseen = unseen_call(image.elf);
    } else if (any_section(image.elf, SHT_SYMTAB, defines_mpi) ||
               any_section(image.elf, SHT_DYNSYM, defines_mpi)) {
        program->kind = PROGRAM_STATIC_MPI;
    } else {
        program->kind = image.interpreter ? PROGRAM_MAY_LOAD : PROGRAM_STATIC;
    }
    image_close(&image);
    return true;
}

/* `env X=1 ./halo`, `numactl … ./halo`, `bash job.sh ./halo`: the first argument that is an MPI
 * executable tells which MPI to be ready for. */
static void inspect_arguments(struct program *program, char *const *argv)
{
    for (int i = 1; argv[i]; i++) {
        struct program argument = {0};
        struct stat status;
        if (stat(argv[i], &status) == 0 && S_ISREG(status.st_mode) && access(argv[i], X_OK) == 0 &&
            inspect_elf(&argument, argv[i]) && argument.mpi) {
            program->mpi = argument.mpi;
            program->evidence = argv[i];
            program->comes_first = argument.comes_first;
            program->unseen = argument.unseen;
            program->gomp = argument.gomp;
            return;
        }
    }
}

/* Fills in path and command. A name without slash that is on PATH is handed over as it is: the
 * program may look at its argv[0]. One that is only in the working directory gets a "./", since not
 * every launcher looks there. */
static void find_program(struct program *program, const char *name)
{
    struct stat status;
    if (!*name)
        fail(EXIT_USAGE, "the name of the program is empty");
    program->path = strchr(name, '/') ? checked_strdup(name) : paths_program(name);
    bool on_path = program->path != NULL;
    if (!program->path)
        program->path = checked_printf("./%s", name);
    program->command = on_path ? name : program->path;
    if (stat(program->path, &status) != 0)
        fail(EXIT_USAGE, "%s: %s", name, strerror(errno));
    if (S_ISDIR(status.st_mode))
        fail(EXIT_USAGE, "%s is a directory, not a program", name);
    if (!S_ISREG(status.st_mode) || access(program->path, X_OK) != 0)
        fail(EXIT_USAGE, "%s is not executable", name);
}

struct program program_inspect(char *const *argv)
{
    struct program program = {.kind = PROGRAM_MAY_LOAD};
    find_program(&program, argv[0]);
    if (!inspect_elf(&program, program.path) && !inspect_script(program.path)) {
        if (access(program.path, R_OK) != 0)
            fail(EXIT_USAGE, "%s: %s", argv[0], strerror(errno));
        fail(EXIT_USAGE, "%s is neither an executable nor a script", argv[0]);
    }
    if (program.kind == PROGRAM_MAY_LOAD || program.kind == PROGRAM_STATIC)
        inspect_arguments(&program, argv);
    return program;
}
