#include "schema.h"

#include <regex.h>
#include <stdio.h>
#include <string.h>

struct check {
    const json_t *root;
    char *problem;
    size_t size;
};

static bool complain(struct check *check, const char *path, const char *what, const char *which)
{
    snprintf(check->problem, check->size, "%s: %s %s", path, what, which);
    return false;
}

static bool accepts(struct check *check, const json_t *schema, const json_t *value,
                    const char *path);

static bool has_type(const json_t *value, const char *type)
{
    return (!strcmp(type, "object") && json_is_object(value)) ||
           (!strcmp(type, "array") && json_is_array(value)) ||
           (!strcmp(type, "string") && json_is_string(value)) ||
           (!strcmp(type, "integer") && json_is_integer(value)) ||
           (!strcmp(type, "number") && json_is_number(value)) ||
           (!strcmp(type, "boolean") && json_is_boolean(value));
}

static bool is_among(const json_t *list, const json_t *value)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (json_equal(json_array_get(list, i), value))
            return true;
    return false;
}

static bool fits_pattern(const char *pattern, const char *text)
{
    regex_t expression;
    if (!text || regcomp(&expression, pattern, REG_EXTENDED | REG_NOSUB) != 0)
        return false;
    bool fits = regexec(&expression, text, 0, NULL, 0) == 0;
    regfree(&expression);
    return fits;
}

static bool accepts_members(struct check *check, const json_t *schema, json_t *value,
                            const char *path)
{
    const json_t *properties = json_object_get(schema, "properties");
    const json_t *required = json_object_get(schema, "required");
    for (size_t i = 0; i < json_array_size(required); i++) {
        const char *name = json_string_value(json_array_get(required, i));
        if (!json_object_get(value, name))
            return complain(check, path, "lacks", name);
    }
    const char *name;
    json_t *member;
    json_object_foreach(value, name, member)
    {
        const json_t *known = json_object_get(properties, name);
        if (!known && json_is_object(json_object_get(schema, "additionalProperties")))
            known = json_object_get(schema, "additionalProperties");
        char below[400];
        snprintf(below, sizeof below, "%.200s.%.100s", path, name);
        if (!known)
            return complain(check, path, "has the unknown member", name);
        if (!accepts(check, known, member, below))
            return false;
    }
    return true;
}

static bool accepts_items(struct check *check, const json_t *schema, const json_t *value,
                          const char *path)
{
    const json_t *least = json_object_get(schema, "minItems");
    const json_t *most = json_object_get(schema, "maxItems");
    size_t count = json_array_size(value);
    if ((least && count < (size_t)json_integer_value(least)) ||
        (most && count > (size_t)json_integer_value(most)))
        return complain(check, path, "has too few or too many", "items");
    for (size_t i = 0; i < count; i++) {
        char below[400];
        snprintf(below, sizeof below, "%.300s[%zu]", path, i);
        if (!accepts(check, json_object_get(schema, "items"), json_array_get(value, i), below))
            return false;
    }
    return true;
}

static bool knows_keywords(struct check *check, json_t *schema, const char *path)
{
    static const char *const known[] = {
        "$schema",
        "$defs",
        "title",
        "description",
        "type",
        "enum",
        "pattern",
        "minimum",
        "required",
        "properties",
        "additionalProperties",
        "items",
        "minItems",
        "maxItems",
        "$ref",
    };
    const char *keyword;
    json_t *ignored;
    json_object_foreach(schema, keyword, ignored)
    {
        bool found = false;
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
            found = found || !strcmp(known[i], keyword);
        if (!found)
            return complain(check, path, "schema uses a keyword that is not checked:", keyword);
    }
    return true;
}

static bool accepts(struct check *check, const json_t *schema, const json_t *value,
                    const char *path)
{
    const char *reference = json_string_value(json_object_get(schema, "$ref"));
    if (reference && !strncmp(reference, "#/$defs/", 8))
        schema = json_object_get(json_object_get(check->root, "$defs"), reference + 8);
    const char *type = json_string_value(json_object_get(schema, "type"));
    const json_t *choices = json_object_get(schema, "enum");
    const json_t *minimum = json_object_get(schema, "minimum");
    const char *pattern = json_string_value(json_object_get(schema, "pattern"));
    if (!type)
        return complain(check, path, "schema has no", "type");
    if (!knows_keywords(check, (json_t *)schema, path))
        return false;
    if (!has_type(value, type))
        return complain(check, path, "is not of type", type);
    if (choices && !is_among(choices, value))
        return complain(check, path, "is none of its", "choices");
    if (minimum && json_number_value(value) < json_number_value(minimum))
        return complain(check, path, "is too", "small");
    if (pattern && !fits_pattern(pattern, json_string_value(value)))
        return complain(check, path, "does not fit", pattern);
    if (json_is_object(value))
        return accepts_members(check, schema, (json_t *)value, path);
    if (json_is_array(value))
        return accepts_items(check, schema, value, path);
    return true;
}

bool schema_accepts(const json_t *schema, const json_t *value, char *problem, size_t size)
{
    struct check check = {.root = schema, .problem = problem, .size = size};
    return accepts(&check, schema, value, "$");
}
