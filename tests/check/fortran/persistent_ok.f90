! expect: none
! In use from the start to the wait, not before.
subroutine persistent_ok(buf, n)
    use mpi
    implicit none
    real :: buf(32)
    integer :: n, i, request, err
    call MPI_Send_init(buf, 32, MPI_REAL, 1, 0, MPI_COMM_WORLD, request, err)
    do i = 1, n
        buf(1) = i
        call MPI_Start(request, err)
        call MPI_Wait(request, MPI_STATUS_IGNORE, err)
        buf(2) = i
    end do
    call MPI_Request_free(request, err)
end subroutine
