! Procedures are named as their source writes them, not as the compiler keeps them.
! expect: local-race 12 13
! says: "function": "Exchange_Rows"
! says: "function": "HaloProgram"
! says-not: _MOD_
module Halo
contains
    subroutine Exchange_Rows(row, rank)
        use mpi
        real(8) :: row(10)
        integer :: rank, r(2), e
        call MPI_Isend(row, 10, MPI_DOUBLE_PRECISION, 1 - rank, 0, MPI_COMM_WORLD, r(1), e)
        call MPI_Irecv(row, 10, MPI_DOUBLE_PRECISION, 1 - rank, 0, MPI_COMM_WORLD, r(2), e)
        call MPI_Waitall(2, r, MPI_STATUSES_IGNORE, e)
    end subroutine
end module
program HaloProgram
    use mpi
    use Halo
    real(8) :: row(10)
    integer :: rank, e
    call MPI_Init(e)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, e)
    call Exchange_Rows(row, rank)
    call MPI_Finalize(e)
end program
