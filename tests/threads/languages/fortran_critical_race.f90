! ranks: 2
! needs: cc
! flags: -fopenmp
! expect: thread-collective A B
! semantics §7: two threads in collective calls on one communicator. OpenMP in Fortran: critical
! regions of one name exclude each other.
!
! Two names.
program threads
    use mpi_f08
    use omp_lib
    use iso_c_binding
    implicit none
    interface
        integer(c_int) function usleep(while) bind(c)
            import :: c_int
            integer(c_int), value :: while
        end function
    end interface
    integer(c_int) :: slept
    integer :: provided, number
    integer, volatile :: turn
    turn = 0
    number = 0
    call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided)
    !$omp parallel num_threads(2) default(shared)
    if (omp_get_thread_num() == 0) then
        !$omp critical (one)
        call MPI_Barrier(MPI_COMM_SELF) ! A
        !$omp end critical (one)
    else
        !$omp critical (two)
        call MPI_Bcast(number, 1, MPI_INTEGER, 0, MPI_COMM_SELF) ! B
        !$omp end critical (two)
    end if
    !$omp end parallel
    call MPI_Finalize()
end program
