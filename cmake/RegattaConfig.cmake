# find_package(Regatta): the programs of Regatta, and tests that run under it.
#
#   Regatta_EXECUTABLE            the regatta program
#   Regatta_C_COMPILER, Regatta_CXX_COMPILER, Regatta_Fortran_COMPILER   compilers with checks, for -DCMAKE_C_COMPILER=…
#   Regatta_MPIEXEC               stands in for MPIEXEC_EXECUTABLE
#   target Regatta::annotations   #include <regatta.h>
#
#   regatta_add_test(NAME name NPROCS n COMMAND program [argument…]
#                    [MPI mpich|openmpi] [TIMEOUT seconds] [OPTIONS option…])
#     a test that runs the program under the detector and fails on what it finds. The findings are kept as
#     <build>/regatta/<name>.json and .sarif. After TIMEOUT (60) the program is stopped, and the test says where its ranks wait.
get_filename_component(_regatta_bin "${CMAKE_CURRENT_LIST_DIR}/../../../bin" ABSOLUTE)
find_program(Regatta_EXECUTABLE regatta HINTS "${_regatta_bin}" NO_CACHE)
find_program(Regatta_C_COMPILER regatta-cc HINTS "${_regatta_bin}" NO_CACHE)
find_program(Regatta_CXX_COMPILER regatta-c++ HINTS "${_regatta_bin}" NO_CACHE)
find_program(Regatta_Fortran_COMPILER regatta-fc HINTS "${_regatta_bin}" NO_CACHE)
find_program(Regatta_MPIEXEC regatta-mpiexec HINTS "${_regatta_bin}" NO_CACHE)
find_path(Regatta_INCLUDE_DIR regatta.h HINTS "${_regatta_bin}/../include" NO_CACHE)

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Regatta REQUIRED_VARS Regatta_EXECUTABLE Regatta_C_COMPILER Regatta_MPIEXEC)

if(Regatta_FOUND AND NOT TARGET Regatta::annotations)
    add_library(Regatta::annotations INTERFACE IMPORTED)
    set_target_properties(Regatta::annotations PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${Regatta_INCLUDE_DIR}")
endif()

function(regatta_add_test)
    cmake_parse_arguments(ARG "" "NAME;NPROCS;MPI;TIMEOUT" "COMMAND;OPTIONS" ${ARGN})
    if(NOT ARG_NAME OR NOT ARG_NPROCS OR NOT ARG_COMMAND)
        message(FATAL_ERROR "regatta_add_test needs NAME, NPROCS and COMMAND")
    endif()
    if(ARG_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "regatta_add_test: what is ${ARG_UNPARSED_ARGUMENTS}?")
    endif()
    if(NOT ARG_TIMEOUT)
        set(ARG_TIMEOUT 60)
    endif()
    list(POP_FRONT ARG_COMMAND program)
    if(TARGET ${program})
        set(program $<TARGET_FILE:${program}>)
    endif()
    set(mpi)
    if(ARG_MPI)
        set(mpi --mpi ${ARG_MPI})
    endif()
    set(folder ${CMAKE_BINARY_DIR}/regatta)
    file(MAKE_DIRECTORY ${folder})
    string(MAKE_C_IDENTIFIER "${ARG_NAME}" file)
    add_test(NAME ${ARG_NAME} COMMAND ${Regatta_EXECUTABLE} run ${mpi} -n ${ARG_NPROCS} --timeout ${ARG_TIMEOUT}
        --json ${folder}/${file}.json --sarif ${folder}/${file}.sarif ${ARG_OPTIONS} ${program} ${ARG_COMMAND})
    # Regatta stops the program itself; this is for the case that it does not.
    math(EXPR limit "${ARG_TIMEOUT} + 60")
    set_tests_properties(${ARG_NAME} PROPERTIES PROCESSORS ${ARG_NPROCS} TIMEOUT ${limit})
endfunction()
