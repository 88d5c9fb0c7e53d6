! expect: local-race A B
! An array of a module, in two of its procedures.
module halo
    use mpi
    implicit none
    real(8) :: row(64)
    integer :: request
contains
    subroutine begin()
        integer :: err
        call MPI_Irecv(row, 64, MPI_DOUBLE_PRECISION, 0, 0, MPI_COMM_WORLD, request, err) ! A
    end subroutine
    subroutine relax(factor)
        real(8), intent(in) :: factor
        row(1) = row(2) * factor ! B
    end subroutine
end module

program main
    use halo
    implicit none
    integer :: err
    call MPI_Init(err)
    call begin()
    call relax(2.0d0)
    call MPI_Wait(request, MPI_STATUS_IGNORE, err)
    call MPI_Finalize(err)
end program
