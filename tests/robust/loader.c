/* Not an MPI program: it loads one.   loader PLUGIN clean|race */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc != 3)
        return 8;
    void *plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (!plugin) {
        fprintf(stderr, "%s\n", dlerror());
        return 7;
    }
    int (*plugin_main)(int) = (int (*)(int))dlsym(plugin, "plugin_main");
    return plugin_main ? plugin_main(!strcmp(argv[2], "race")) : 6;
}
