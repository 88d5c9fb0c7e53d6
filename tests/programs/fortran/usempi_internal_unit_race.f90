! ranks: 2
! needs: cc
! expect: local-race A B
! expect: local-race C D
! semantics §1, strings: a character variable in place of a file is stored to by write, and loaded by read.
!
! They use the lines that are being sent and received.
program units
    use mpi
    implicit none
    character(len=40), asynchronous, save :: out = 'step 0', in = 'step 0'
    integer, volatile, save :: step
    integer :: rank, other, req(2), ierr

    call MPI_Init(ierr)
    call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
    other = 1 - rank
    call MPI_Irecv(in, 40, MPI_CHARACTER, other, 0, MPI_COMM_WORLD, req(1), ierr) ! C
    call MPI_Isend(out, 40, MPI_CHARACTER, other, 0, MPI_COMM_WORLD, req(2), ierr) ! A
    read (in, '(5x,i1)') step ! D
    write (out, '(a,i0)') 'step ', step + 1 ! B
    call MPI_Waitall(2, req, MPI_STATUSES_IGNORE, ierr)
    call MPI_Finalize(ierr)
end program
