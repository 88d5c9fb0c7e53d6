/* Which source files are nobody's to mend: headers of the compiler, of the language's library and
 * of installed packages. */
#ifndef REGATTA_FINDINGS_SYSTEM_HEADERS_H
#define REGATTA_FINDINGS_SYSTEM_HEADERS_H

#include <stdbool.h>

/* By the letters of the path: debug information does not say which directories the compiler took
 * for the system's, and the file need not exist on this machine. A relative path is below the
 * user's working directory, and never one. */
bool is_system_header(const char *path);

#endif
