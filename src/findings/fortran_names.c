#include "fortran_names.h"
#include "sources.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static bool is_fortran(const char *file)
{
    static const char *const endings[] = {".f", ".for", ".ftn", ".f90", ".f95", ".f03", ".f08"};
    const char *dot = file ? strrchr(file, '.') : NULL;
    for (size_t i = 0; dot && i < sizeof endings / sizeof endings[0]; i++)
        if (!strcasecmp(dot, endings[i]))
            return true;
    return false;
}

static bool is_letter(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* The name in `subroutine Exchange(row)`, if it is that of this line; NULL if it is not. */
static const char *name_in(const char *line, const char *name)
{
    static const char *const words[] = {"subroutine", "function", "program", "procedure"};
    size_t length = strlen(name);
    for (const char *at = line; (at = strcasestr(at, name)); at++) {
        const char *before = at;
        while (before > line && isspace((unsigned char)before[-1]))
            before--;
        if (before == at || is_letter(at[length]))
            continue;
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
            size_t word = strlen(words[i]);
            if ((size_t)(before - line) >= word && !strncasecmp(before - word, words[i], word))
                return at;
        }
    }
    return NULL;
}

/* flang's name for every main program: what stands behind the word in a line above. */
static const char *main_program(struct report *report, const struct frame *frame)
{
    static const char word[] = "program";
    for (unsigned line = frame->line; line > 0; line--) {
        const char *text = source_line(report, frame->file, line);
        while (text && isspace((unsigned char)*text))
            text++;
        if (!text || strncasecmp(text, word, strlen(word)) != 0)
            continue;
        const char *name = text + strlen(word);
        while (isspace((unsigned char)*name))
            name++;
        size_t length = 0;
        while (is_letter(name[length]))
            length++;
        if (length && name != text + strlen(word))
            return report_textf(report, "%.*s", (int)length, name);
    }
    return "main";
}

const char *fortran_name(struct report *report, const struct frame *frame)
{
    const char *name = frame->function;
    if (name && !strcmp(name, "_QQmain") && frame->file)
        return main_program(report, frame);
    const char *module = name && !strncmp(name, "__", 2) ? strstr(name, "_MOD_") : NULL;
    if (module) /* gfortran's __halo_MOD_exchange */
        name = report_text(report, module + strlen("_MOD_"));
    if (!name || !*name || !is_fortran(frame->file))
        return name;
    for (unsigned line = frame->line; line > 0; line--) {
        const char *text = source_line(report, frame->file, line);
        const char *written = text ? name_in(text, name) : NULL;
        if (written)
            return report_textf(report, "%.*s", (int)strlen(name), written);
    }
    return name;
}
