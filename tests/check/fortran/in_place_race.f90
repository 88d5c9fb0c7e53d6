! expect: local-race A B
! MPI_IN_PLACE and MPI_STATUS_IGNORE are no memory: two operations that both name them do not meet there.
subroutine in_place_race(one, two, seen)
    use mpi
    implicit none
    integer :: one(4), two(4), seen, requests(2), err
    call MPI_Iallreduce(MPI_IN_PLACE, one, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(1), err) ! A
    call MPI_Iallreduce(MPI_IN_PLACE, two, 4, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, requests(2), err)
    seen = one(2) ! B
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE, err)
    call MPI_Wait(requests(2), MPI_STATUS_IGNORE, err)
end subroutine
