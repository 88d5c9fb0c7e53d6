# A recipe for Spack, of the checkout that it stands in. `spack repo add share/spack`, then `spack install regatta`.
# Written from Spack's documentation: Debian has no Spack, and Regatta's tests do not run it.
import os

from spack.package import *


class Regatta(CMakePackage):
    """Finds data races and synchronisation errors in MPI programs."""

    git = "file://" + os.path.realpath(os.path.join(os.path.dirname(__file__), "..", "..", "..", ".."))

    license("BSD-3-Clause")

    version("main", branch="main")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build")
    depends_on("cmake@3.20:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("mpi")
    depends_on("elfutils")
    depends_on("jansson")
    depends_on("uthash")
    depends_on("xxhash")
    depends_on("llvm@19 +clang")
    depends_on("z3")

    generator("ninja")

    def cmake_args(self):
        return [self.define("BUILD_TESTING", False)]
