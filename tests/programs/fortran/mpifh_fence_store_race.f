! ranks: 2
! needs: cc
! expect: remote-race A B
! semantics §3 and §5: a fence epoch through mpif.h in fixed form, with a window over a common
! block.
!
! The target stores inside the epoch.
      program fence
      implicit none
      include 'mpif.h'
      integer mem(16), val, rank, win, ierr
      integer (kind=MPI_ADDRESS_KIND) size, at
      integer it, n1, tgt
      common /shared/ mem, val

      call MPI_INIT(ierr)
      call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierr)
      size = 64
      at = 5
      it = MPI_INTEGER
      n1 = 1
      tgt = 1
      val = rank
      call MPI_WIN_CREATE(mem, size, 4, MPI_INFO_NULL,
     &                    MPI_COMM_WORLD, win, ierr)
      call MPI_WIN_FENCE(0, win, ierr)
      if (rank .eq. 0) then
        call MPI_PUT(val, n1, it, tgt, at, n1, it, win, ierr)  ! A
      end if
      if (rank .eq. 1) mem(6) = 9  ! B
      call MPI_WIN_FENCE(0, win, ierr)
      call MPI_WIN_FREE(win, ierr)
      call MPI_FINALIZE(ierr)
      end
