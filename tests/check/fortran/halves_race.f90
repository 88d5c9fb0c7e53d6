! expect: local-race A B
! Two halves of one array, both with requests in an array.
subroutine halves_race(buf)
    use mpi
    implicit none
    real, intent(inout) :: buf(8)
    integer :: requests(2), statuses(MPI_STATUS_SIZE, 2), err
    call MPI_Isend(buf(1), 4, MPI_REAL, 1, 0, MPI_COMM_WORLD, requests(1), err) ! A
    call MPI_Irecv(buf(4), 4, MPI_REAL, 1, 0, MPI_COMM_WORLD, requests(2), err) ! B
    call MPI_Waitall(2, requests, statuses, err)
end subroutine
