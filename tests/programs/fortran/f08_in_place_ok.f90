! ranks: 2
! needs: cc
! expect: none
! semantics §1: MPI_IN_PLACE in Fortran; the one buffer is read and written.
!
! The sum is loaded after it.
program in_place
    use mpi_f08
    implicit none
    integer, asynchronous, target, save :: total(2)
    integer, volatile :: seen
    integer :: rank
    type(MPI_Request) :: req

    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    total = rank
    call MPI_Iallreduce(MPI_IN_PLACE, total, 2, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, req) ! A
    call MPI_Wait(req, MPI_STATUS_IGNORE)
    seen = total(2)
    call MPI_Finalize()
end program
