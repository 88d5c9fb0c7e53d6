! expect: local-race A B
! Only the first request has been waited for.
subroutine one_of_two_race(one, two)
    implicit none
    include 'mpif.h'
    integer :: one(4), two(4), requests(2), err
    call MPI_Isend(one, 4, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, requests(1), err)
    call MPI_Isend(two, 4, MPI_INTEGER, 1, 1, MPI_COMM_WORLD, requests(2), err) ! A
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE, err)
    two(1) = 0 ! B
    call MPI_Wait(requests(2), MPI_STATUS_IGNORE, err)
end subroutine
