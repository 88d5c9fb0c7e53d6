! expect: none
! One column for each neighbour, in a loop.
program columns
    use mpi
    implicit none
    integer, parameter :: n = 16
    real(8) :: grid(n, 4)
    integer :: requests(4), err, i
    call MPI_Init(err)
    grid = 0
    do i = 1, 3
        call MPI_Isend(grid(1, i), n, MPI_DOUBLE_PRECISION, i, 0, MPI_COMM_WORLD, requests(i), err)
    end do
    grid(5, 4) = 1
    call MPI_Waitall(3, requests, MPI_STATUSES_IGNORE, err)
    grid(5, 1) = 1
    call MPI_Finalize(err)
end program
