! ranks: 2
! needs: cc
! expect: local-race A B
! expect: local-race A C
! expect: local-race A D
! semantics §1, Irecv, through the mpi module.
!
! The loads come before MPI_WAIT; the variables that they go to are never used.
program unused_load
    use mpi
    implicit none
    integer :: ierr

    call MPI_Init(ierr)
    call exchange()
    call MPI_Finalize(ierr)
contains
    subroutine exchange()
        integer, target, save :: data(8)
        integer :: rank, req, ierr, first, total, part, i

        call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
        data = rank
        if (rank == 0) then
            call MPI_Send(data, 8, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, ierr)
        else
            call MPI_Irecv(data, 8, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, req, ierr) ! A
            first = data(1) ! B
            total = 0
            do i = 2, 4
                total = total + data(i) ! C
            end do
            part = sum(data(5:)) ! D
            call MPI_Wait(req, MPI_STATUS_IGNORE, ierr)
        end if
    end subroutine
end program
