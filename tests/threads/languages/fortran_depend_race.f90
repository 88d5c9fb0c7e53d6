! ranks: 2
! needs: cc
! flags: -fopenmp
! expect: thread-collective A B
! semantics §7: two threads in collective calls on one communicator. OpenMP in Fortran:
! dependences of tasks.
!
! Both read.
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
    !$omp single
    !$omp task depend(in: number)
    call MPI_Barrier(MPI_COMM_SELF) ! A
    turn = 1
    !$omp end task
    !$omp task depend(in: number)
    do while (turn == 0)
        slept = usleep(100)
    end do
    call MPI_Bcast(number, 1, MPI_INTEGER, 0, MPI_COMM_SELF) ! B
    !$omp end task
    !$omp end single
    !$omp end parallel
    call MPI_Finalize()
end program
