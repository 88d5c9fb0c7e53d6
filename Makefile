# The front door. The build proper is CMake + Ninja in build/.
#   make         build                      make check    build and run all tests
#   make demo    build and show a finding   make bench    measure the cost
#   make check-stress        all latent bugs and race-free programs under regatta stress
#   make check-access        all labelled programs with compiled-in checks, every compiler
#   make check-programs      all labelled programs with races between ranks, every way, as a table
#   make check-deadlocks     deadlocks and slow programs under --timeout
#   make check-threads       all labelled programs with threads, every way
#   make check-faults        every place of the runtime that allocates fails once
#   make check-report        reports in a browser, and against the published schemas
#   make check-mpich-suite   run MPICH's test suite under Regatta
#   make check-real-programs run MPI programs from Debian's packages under Regatta
#   make check-hybrid-programs   the same of programs that use OpenMP, too
#   make check-random-threads    random programs with threads on real MPIs, against the oracle
#   make bench-scale         64 ranks, however few cores there are
#   make check-slurm         srun of Debian's Slurm on this machine
#   make install PREFIX=/usr/local DESTDIR=   make uninstall   make deb: a Debian package
BUILD  ?= build
PREFIX ?= /usr/local
CONFIGURE = scripts/configure $(BUILD) $(PREFIX)

.PHONY: check-random-atomics check-random-threads check-hybrid-programs check-report check-deadlocks check-faults check-random check-real-programs bench-scale all packages demo check check-mpich-suite check-access check-stress check-programs bench bench-check bench-engine sanitize fuzz mutants soak install format clean uninstall deb check-slurm

all: packages
	@grep -qs '^BUILD_TESTING:BOOL=ON' $(BUILD)/CMakeCache.txt && [ -e $(BUILD)/build.ninja ] || $(CONFIGURE) ON
	@cmake --build $(BUILD)

packages:
	@scripts/install-packages

# The first finding soon: what only tests need is neither installed nor built.
demo:
	@scripts/install-packages --to-run
	@[ -e $(BUILD)/build.ninja ] || $(CONFIGURE) OFF
	@cmake --build $(BUILD) --target tool
	@examples/demo $(BUILD)

check: all
	@cd $(BUILD) && ctest -j2 --output-on-failure $(if $(RETRY),--repeat until-pass:$(RETRY))

# Not part of check: downloads MPICH's test suite and runs all of it twice, which takes about an hour.
check-mpich-suite: all
	@tests/mpich-suite/run --regatta $(BUILD)/regatta

# The labelled programs with compiled-in checks: both MPIs, gcc and clang, -O0 and -O2. About half an hour.
check-access: all
	@for mpi in mpich openmpi; do for compiler in gcc clang; do for level in -O0 -O2; do \
	    tests/programs/run --build $(BUILD) --mpi $$mpi --cc $$compiler --opt $$level '^(p2p|coll|io|rma-local)/' || failed=1; \
	done; done; done; [ -z "$$failed" ]

# The labelled programs with races between ranks: both MPIs, both compilers, -O0 and -O2, both paths. Hours; goes on where it
# was interrupted. COLUMNS='mpich/gcc/-O2/node …' runs some of it.
check-programs: all
	@tests/programs/matrix --build $(BUILD) $(COLUMNS)

# The labelled programs with threads: both MPIs, both compilers. MPI= and COMPILER= for one way, TIMES=20 LOAD=1 for repetitions
# beside busy processes with random delays, ONLY='^openmp/' for some.
check-threads: all
	@for mpi in $(or $(MPI),mpich openmpi); do for compiler in $(or $(COMPILER),gcc clang); do \
	    tests/threads/run --build $(BUILD) --mpi $$mpi --cc $$compiler --needs own --times $(or $(TIMES),1) $(if $(LOAD),--load) '$(or $(ONLY),.)' || failed=1; \
	done; done; [ -z "$$failed" ]

# Random programs on real MPIs: exactly the races of the oracle. PROGRAMS=500 SEED=5000 for more, or for others.
check-random: all
	@for mpi in mpich openmpi; do for options in '' nodes=64; do for cc in gcc clang; do \
	    tests/sim/check-real --build $(BUILD) --mpi $$mpi --cc $$cc --options "$$options" \
	        --programs $(or $(PROGRAMS),100) --seed $(or $(SEED),1) || failed=1; \
	done; done; done; [ -z "$$failed" ]

# The same with several threads in each rank. COUNT=500 MPI=mpich COMPILER=gcc SEED=5000 for more, or for others.
check-random-threads: all
	@for mpi in $(or $(MPI),mpich openmpi); do for cc in $(or $(COMPILER),gcc clang); do \
	    tests/sim/check-real --build $(BUILD) --mpi $$mpi --cc $$cc --threads yes \
	        --programs $(or $(COUNT),100) --seed $(or $(SEED),1) || failed=1; \
	done; done; [ -z "$$failed" ]

# Random programs in which RMA atomics order the processes: exactly the oracle's races in each of TIMES runs.
check-random-atomics: all
	@for mpi in mpich openmpi; do tests/sim/check-real --build $(BUILD) --mpi $$mpi --atomics yes --times $(or $(TIMES),5) \
	        --programs $(or $(PROGRAMS),300) --seed $(or $(SEED),1) || failed=1; \
	done; [ -z "$$failed" ]

# Deadlocks and slow programs under `regatta run --timeout`, on both MPIs.
check-deadlocks: all
	@tests/deadlocks/run $(CURDIR)/$(BUILD) mpich && tests/deadlocks/run $(CURDIR)/$(BUILD) openmpi

# Every place of the runtime that allocates fails once, in small programs of every kind of synchronisation, on one node and across two.
# About 335 places on each MPI, 5 to 10 minutes. MPI=mpich: one only. Which failed where stands in build/faults.MPI.
FAULTY = order/send_recv order/allreduce order/ssend_reverse p2p/two_irecv_overlap coll/ibcast_load fence/two_origins \
    pscw/ring_halo lock/reader_writer atomics/counter_barrier lock/flag_before_data shared/fence_orders
check-faults: all
	@for mpi in $(or $(MPI),mpich openmpi); do rm -f $(BUILD)/faults.$$mpi; \
	for program in $(FAULTY); do for verdict in race ok; do for options in nodes=0 nodes=2; do \
	    FAULTS_TRIED=$(BUILD)/faults.$$mpi tests/faults/run $(BUILD) $$mpi tests/programs/$${program}_$$verdict.c 1 $$options || failed=1; \
	done; done; done; wc -l $(BUILD)/faults.$$mpi; done; [ -z "$$failed" ]

# Reports of all kinds in Chromium; SARIF and JUnit against their schemas, which are fetched by npm. A few minutes.
check-report: all
	@tests/report/pages $(BUILD) $(BUILD)/report all
	@tests/report/schemas $(BUILD) $(BUILD)/report-schemas

# Installs the packages with these programs (tests/real-programs/packages.debian).
check-real-programs: all
	@tests/real-programs/run $(BUILD)

# Programs that use MPI and OpenMP: GROMACS, CP2K, SuperLU_DIST.
check-hybrid-programs: all
	@tests/real-programs/hybrid-run $(BUILD)

bench-scale: all
	@bench/scale/run $(BUILD)

# All latent bugs, all racy and all race-free programs under `regatta stress`, both MPIs. Hours on a small machine.
# MPICH's suite, once it is built: tests/stress/suite build/mpich-suite
check-stress: all
	@for mpi in mpich openmpi; do \
	    tests/stress/latent.sh --build $(BUILD) --mpi $$mpi --plain 50 || failed=1; \
	    tests/stress/shares --build $(BUILD) --mpi $$mpi || failed=1; \
	    tests/stress/legality --build $(BUILD) --mpi $$mpi || failed=1; \
	    tests/stress/random --build $(BUILD) --mpi $$mpi --programs 200 || failed=1; \
	done; [ -z "$$failed" ]

bench: all
	@bench/run $(BUILD)

# Speed and memory of the static analyser on synthetic programs of 10^4 to 10^6 instructions.
bench-check: all
	@bench/check/run $(BUILD)

bench-engine: all
	@cmake --build $(BUILD) --target bench_engine
	@bench/engine/run $(BUILD)

# The engine's tests under the sanitizers and valgrind.
sanitize:
	@scripts/sanitize

# Ten minutes of random bytes for whatever the engine reads from other ranks.
fuzz:
	@scripts/fuzz 600

# A million random programs against the oracle: about ten minutes of one core.
soak: all
	@nice $(BUILD)/tests/sim/test_sim_agreement --programs 1000000 --seed 1000000
	@nice $(BUILD)/tests/sim/test_sim_agreement --independence 5000 --seed 1000000

# Every fault of src/engine/mutants.def, one at a time: the tests must notice each.
mutants:
	@scripts/mutants

install: all
	@DESTDIR=$(DESTDIR) cmake --install $(BUILD) --prefix $(PREFIX)

# Installs nothing: says what is missing.
check-slurm: all
	@tests/slurm/run $(BUILD)

# Takes away what the last `make install` put there.
uninstall:
	@[ -e $(BUILD)/install_manifest.txt ] || { echo "make uninstall: nothing was installed from $(BUILD)" && exit 1; }
	@xargs -d '\n' -I{} rm -f -- "$(DESTDIR){}" <$(BUILD)/install_manifest.txt
	@sed 's,/[^/]*$$,,' $(BUILD)/install_manifest.txt | sort -ru | while read -r folder; do \
	    while case "$$folder" in */*regatta*|*/Regatta*) rmdir -- "$(DESTDIR)$$folder" 2>/dev/null;; *) false;; esac; do folder=$${folder%/*}; done; done; true

# The Debian package of the committed state, in $(BUILD)/deb.
deb:
	@scripts/deb $(BUILD)/deb

format:
	@tests/rooms/format -i

clean:
	@rm -rf $(BUILD)
