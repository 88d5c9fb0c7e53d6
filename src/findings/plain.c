#include "plain.h"

bool plain_is_control(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    return *c < 0x20 || *c == 0x7f || (c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0);
}

void plain_make(char *text, bool keep_tabs)
{
    char *out = text;
    while (*text) {
        bool two_bytes = (unsigned char)*text == 0xc2;
        if (plain_is_control(text) && !(keep_tabs && *text == '\t')) {
            *out++ = '?';
            text += two_bytes ? 2 : 1;
        } else {
            *out++ = *text++;
        }
    }
    *out = '\0';
}
