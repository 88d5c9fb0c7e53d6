! expect: none
! Sections that are not contiguous are packed into a copy by the compiler: the array itself is not in use.
subroutine section_ok(grid, n)
    use mpi
    implicit none
    integer :: n, request, err
    real(8) :: grid(:, :)
    call MPI_Isend(grid(1, :), n, MPI_DOUBLE_PRECISION, 1, 0, MPI_COMM_WORLD, request, err)
    grid(2, 1) = 0
    call MPI_Wait(request, MPI_STATUS_IGNORE, err)
    call MPI_Send(grid(1:n:2, 1), n/2, MPI_DOUBLE_PRECISION, 1, 0, MPI_COMM_WORLD, err)
    grid(2, 1) = 0
end subroutine
