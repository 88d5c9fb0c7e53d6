/* OpenMP as clang compiles it, with teams of one thread: that is a run which the standard permits,
 * so what races in it is a race. Parallel regions become calls, loops keep their bounds. Tasks and
 * schedules that the runtime decides stay what they are: calls of functions that are not known. */
#ifndef REGATTA_ANALYZE_ONE_THREAD_H
#define REGATTA_ANALYZE_ONE_THREAD_H

#include <llvm-c/Core.h>

#include <stdbool.h>

void openmp_with_one_thread(LLVMModuleRef module);
/* False if the function has tasks, or loops whose iterations the runtime hands out. */
bool openmp_is_followed(LLVMValueRef function);

#endif
