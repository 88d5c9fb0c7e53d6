/* Record files by hand: a directory with one file per process, made of the lines that are given. */
#ifndef REGATTA_TESTS_RECORDS_FOR_TESTS_H
#define REGATTA_TESTS_RECORDS_FOR_TESTS_H

#include "findings/json.h"
#include "findings/records.h"

#include <ftw.h>
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct records {
    char directory[32];
    int files;
};

static inline void records_begin(struct records *records)
{
    strcpy(records->directory, "/tmp/regatta-test-XXXXXX");
    assert_non_null(mkdtemp(records->directory));
    records->files = 0;
}

static inline void records_file(struct records *records, const char *text)
{
    char path[80];
    snprintf(path, sizeof path, "%s/host-%d.records", records->directory, records->files++);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static inline int records_remove(const char *path, const struct stat *status, int type,
                                 struct FTW *level)
{
    (void)status;
    (void)type;
    (void)level;
    return remove(path);
}

/* Reads them into a settled report and removes them. */
static inline struct report *records_end(struct records *records)
{
    struct symbols *symbols = symbols_new("/nowhere");
    struct report *report = report_new("run");
    assert_true(records_read(report, records->directory, symbols));
    symbols_free(symbols);
    report_settle(report);
    nftw(records->directory, records_remove, 4, FTW_DEPTH | FTW_PHYS);
    return report;
}

/* A finding with sentences, as findings files have it, added to the report. */
static inline void finding_from_json(struct report *report, const char *text)
{
    json_t *object = json_loads(text, 0, NULL);
    assert_non_null(object);
    assert_non_null(json_read_finding(report, object));
    json_decref(object);
}

/* A process line, and a finding between two lines of halo.c; to be joined by the preprocessor. */
#define PROCESS(rank, ranks)                                                                       \
    "{\"type\":\"process\",\"format\":2,\"rank\":" #rank ",\"ranks\":" #ranks ",\"pid\":1"         \
    ",\"host\":\"n1\",\"mpi\":\"mpich 4.0.2\",\"program\":\"./halo\"}\n"
#define WORLD(name) "{\"type\":\"world\",\"name\":\"" name "\"}\n"
#define SITE(id, line, more)                                                                       \
    "{\"type\":\"site\",\"id\":" #id more ",\"stack\":[{\"file\":\"halo.c\",\"line\":" #line       \
    ",\"function\":\"exchange\"}]}\n"
#define ACCESS(call, rank, directory, line)                                                        \
    "{\"kind\":\"send\",\"call\":\"" call "\",\"rank\":" #rank ",\"thread\":0,"                    \
    "\"access\":\"read\",\"stack\":[{\"file\":\"" directory "halo.c\",\"line\":" #line             \
    ",\"function\":\"exchange\"}]}"
#define FINDING(key, severity, first, second)                                                      \
    "{\"type\":\"finding\",\"key\":" #key ",\"rule\":\"local-race\",\"severity\":\"" severity      \
    "\",\"case\":\"buffer-in-use\",\"first\":" first ",\"second\":" second "}\n"
#define COUNT(key, count) "{\"type\":\"count\",\"key\":" #key ",\"count\":" #count "}\n"
#define END(state) "{\"type\":\"end\",\"state\":\"" state "\"}\n"

#endif
