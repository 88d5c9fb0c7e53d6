/* usage: validate SCHEMA FILE: whether FILE is as SCHEMA says, for tests of the command. */
#include "schema.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    json_error_t error;
    char problem[600];
    if (argc != 3)
        return 2;
    json_t *schema = json_load_file(argv[1], 0, &error);
    json_t *value = schema ? json_load_file(argv[2], 0, &error) : NULL;
    if (!value) {
        fprintf(stderr, "%s:%d: %s\n", argv[schema ? 2 : 1], error.line, error.text);
        return 1;
    }
    bool good = schema_accepts(schema, value, problem, sizeof problem);
    if (!good)
        fprintf(stderr, "%s: %s\n", argv[2], problem);
    json_decref(schema);
    json_decref(value);
    return !good;
}
