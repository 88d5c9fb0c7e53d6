! expect: local-race A B
! Without its bounds in sight.
module exchange_race
    use mpi
    implicit none
contains
    subroutine send(row)
        real(8), intent(inout) :: row(:)
        integer :: request, err
        call MPI_Isend(row, 2, MPI_DOUBLE_PRECISION, 1, 0, MPI_COMM_WORLD, request, err) ! A
        row(1) = 0 ! B
        call MPI_Wait(request, MPI_STATUS_IGNORE, err)
        row(2) = 0
    end subroutine
end module
