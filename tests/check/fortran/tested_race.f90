! expect: local-race A B
! A test that has not been successful completes nothing.
subroutine tested_race(buf, ready)
    use mpi
    implicit none
    integer :: buf(4), request, err
    logical :: ready
    call MPI_Irecv(buf, 4, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, request, err) ! A
    call MPI_Test(request, ready, MPI_STATUS_IGNORE, err)
    if (.not. ready) buf(1) = 0 ! B
    call MPI_Wait(request, MPI_STATUS_IGNORE, err)
end subroutine
