#include "last_run.h"
#include "findings/json.h"
#include "findings/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

char *last_run_path(void)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (cache && *cache == '/')
        return checked_printf("%s/regatta/last.json", cache);
    return home && *home == '/' ? checked_printf("%s/.cache/regatta/last.json", home) : NULL;
}

static bool make_directories(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        bool made = mkdir(path, 0700) == 0 || errno == EEXIST;
        *slash = '/';
        if (!made)
            return false;
    }
    return true;
}

static bool write_json(FILE *out, const void *report)
{
    return json_write_report((struct report *)report, out);
}

bool last_run_keep(struct report *report)
{
    char *path = last_run_path();
    bool kept = path && make_directories(path) && output_write(path, write_json, report);
    free(path);
    return kept;
}
