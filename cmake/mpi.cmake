# Finds every MPI implementation that Regatta is built for, side by side.
#
# For each one found there is an interface target mpi_<name> with its headers,
# and these variables, used to make one runtime library per MPI:
#   REGATTA_MPIS                 the names, e.g. "mpich;openmpi"
#   REGATTA_<name>_CC            its C compiler wrapper
#   REGATTA_<name>_EXEC          its launcher
#   REGATTA_<name>_LIBRARY       its C library, whose exported routines are wrapped
#   REGATTA_<name>_FC            its Fortran compiler wrapper (may be missing)
#   REGATTA_<name>_FORTRAN_LIBRARIES  its Fortran libraries (may be empty)
#   REGATTA_<name>_FORTRAN_WRAPPED    which of their entry points do not reach the C routines,
#                                     a regular expression (docs/fortran.md)
set(REGATTA_MPIS)

function(regatta_find_mpi name)
    cmake_parse_arguments(ARG "" "LIBRARY;FORTRAN_WRAPPED" "SHOW;FORTRAN_LIBRARIES" ${ARGN})
    find_program(REGATTA_${name}_CC NAMES mpicc.${name})
    find_program(REGATTA_${name}_FC NAMES mpifort.${name} mpif90.${name})
    find_program(REGATTA_${name}_EXEC NAMES mpiexec.${name} mpirun.${name})
    if(NOT REGATTA_${name}_CC)
        message(WARNING "regatta: mpicc.${name} not found: building without support for ${name}")
        return()
    endif()

    execute_process(COMMAND ${REGATTA_${name}_CC} ${ARG_SHOW} OUTPUT_VARIABLE line
        OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed)
    if(failed)
        message(FATAL_ERROR "regatta: '${REGATTA_${name}_CC} ${ARG_SHOW}' failed")
    endif()
    separate_arguments(words UNIX_COMMAND "${line}")
    set(includes)
    set(libdirs)
    foreach(word ${words})
        if(word MATCHES "^-I(.+)")
            list(APPEND includes ${CMAKE_MATCH_1})
        elseif(word MATCHES "^-L(.+)")
            list(APPEND libdirs ${CMAKE_MATCH_1})
        endif()
    endforeach()
    find_library(REGATTA_${name}_LIBRARY NAMES ${ARG_LIBRARY} HINTS ${libdirs})
    set(fortran)
    foreach(library ${ARG_FORTRAN_LIBRARIES})
        find_library(REGATTA_${name}_FORTRAN_${library} NAMES ${library} HINTS ${libdirs})
        if(REGATTA_${name}_FORTRAN_${library})
            list(APPEND fortran ${REGATTA_${name}_FORTRAN_${library}})
        endif()
    endforeach()
    set(REGATTA_${name}_FORTRAN_LIBRARIES ${fortran} PARENT_SCOPE)
    set(REGATTA_${name}_FORTRAN_WRAPPED ${ARG_FORTRAN_WRAPPED} PARENT_SCOPE)

    add_library(mpi_${name} INTERFACE)
    target_include_directories(mpi_${name} SYSTEM INTERFACE ${includes})
    set(REGATTA_MPIS ${REGATTA_MPIS} ${name} PARENT_SCOPE)
endfunction()

regatta_find_mpi(mpich SHOW -show LIBRARY mpich FORTRAN_LIBRARIES mpichfort
    FORTRAN_WRAPPED "_f08_\\(large_\\)*$")
regatta_find_mpi(openmpi SHOW -showme LIBRARY mpi
    FORTRAN_LIBRARIES mpi_mpifh mpi_usempi_ignore_tkr mpi_usempif08 FORTRAN_WRAPPED "_$")

if(NOT REGATTA_MPIS)
    message(FATAL_ERROR "regatta: no MPI found; install mpich or Open MPI with their headers")
endif()
