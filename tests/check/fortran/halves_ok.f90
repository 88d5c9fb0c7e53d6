! expect: none
! Two halves of one array, both with requests in an array.
subroutine halves_ok(buf)
    use mpi
    implicit none
    real, intent(inout) :: buf(8)
    integer :: requests(2), statuses(MPI_STATUS_SIZE, 2), err
    call MPI_Isend(buf(1), 4, MPI_REAL, 1, 0, MPI_COMM_WORLD, requests(1), err)
    call MPI_Irecv(buf(5), 4, MPI_REAL, 1, 0, MPI_COMM_WORLD, requests(2), err)
    call MPI_Waitall(2, requests, statuses, err)
end subroutine
