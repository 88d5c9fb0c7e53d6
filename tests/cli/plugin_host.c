/* Not linked against MPI: loads the plugin that its first argument names, and runs it. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    void *plugin = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    int (*run)(int, char **) = plugin ? dlsym(plugin, "run_plugin") : NULL;
    if (!run) {
        fprintf(stderr, "%s\n", argc > 1 ? dlerror() : "which plugin?");
        return 1;
    }
    return run(argc, argv);
}
