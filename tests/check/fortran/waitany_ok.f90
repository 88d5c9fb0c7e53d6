! expect: none
! The first of two that is complete, counted from 1.
subroutine first_of_two_ok(one, two)
    use mpi
    implicit none
    integer :: one(4), two(4), requests(2), which, err
    call MPI_Irecv(one, 4, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, requests(1), err)
    call MPI_Irecv(two, 4, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, requests(2), err)
    call MPI_Waitany(2, requests, which, MPI_STATUS_IGNORE, err)
    if (which == 1) one(1) = 0
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, err)
end subroutine
