! expect: none
! A component of a derived type, in an internal procedure.
program derived
    use mpi
    implicit none
    type field
        integer :: request
        real :: inner(10), edge(10)
    end type
    type(field) :: u
    integer :: err
    call MPI_Init(err)
    call MPI_Isend(u%edge, 10, MPI_REAL, 1, 0, MPI_COMM_WORLD, u%request, err)
    call step()
    call MPI_Wait(u%request, MPI_STATUS_IGNORE, err)
    call MPI_Finalize(err)
contains
    subroutine step()
        u%inner(7) = 1
    end subroutine
end program
