! expect: local-race A B
! The origin of a put, before and after the fence that completes it.
subroutine put_race(window, values)
    use mpi
    implicit none
    integer :: window, err
    real(8) :: values(16)
    integer(kind=MPI_ADDRESS_KIND) :: place
    place = 0
    call MPI_Win_fence(0, window, err)
    call MPI_Put(values, 16, MPI_DOUBLE_PRECISION, 1, place, 16, MPI_DOUBLE_PRECISION, window, err) ! A
    values(3) = 0 ! B
    call MPI_Win_fence(0, window, err)
    values(4) = 0
end subroutine
