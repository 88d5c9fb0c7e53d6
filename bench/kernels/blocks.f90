! A block-tridiagonal solver: lines of cells with five unknowns each, 5 x 5 blocks, forward elimination and back substitution in
! work arrays that stay in the cache. What goes to the neighbours is a few hundred bytes per iteration, by put and fence,
! into windows that lie beside these arrays.
module lines
   use mpi
   use iso_c_binding
   implicit none
   integer, parameter :: fields = 5, longest = 64
   ! One line: its blocks below, on and above the diagonal, its right-hand sides; and the neighbours' ends of lines.
   real(8) :: below(fields, fields, longest), middle(fields, fields, longest), above(fields, fields, longest)
   real(8) :: from_before(fields, 8), from_after(fields, 8)
   real(8) :: side(fields, longest)

   interface
      subroutine kernel_begin(iterations, size) bind(c)
         import :: c_int
         integer(c_int), value :: iterations, size
      end subroutine
      subroutine phase_begin() bind(c)
      end subroutine
      subroutine phase_end(phase, kind) bind(c)
         import :: c_int
         integer(c_int), value :: phase, kind
      end subroutine
      integer(c_int) function kernel_end(right) bind(c)
         import :: c_int
         integer(c_int), value :: right
      end function
   end interface

contains

   ! right(:) = right(:) - block * left(:)
   subroutine subtract_product(block, left, right)
      real(8), intent(in) :: block(fields, fields), left(fields)
      real(8), intent(inout) :: right(fields)
      integer :: i, j
      do j = 1, fields
         do i = 1, fields
            right(i) = right(i) - block(i, j)*left(j)
         end do
      end do
   end subroutine

   subroutine subtract_blocks(a, b, c)
      real(8), intent(in) :: a(fields, fields), b(fields, fields)
      real(8), intent(inout) :: c(fields, fields)
      integer :: i, j, k
      do j = 1, fields
         do k = 1, fields
            do i = 1, fields
               c(i, j) = c(i, j) - a(i, k)*b(k, j)
            end do
         end do
      end do
   end subroutine

   ! The diagonal block becomes the identity; the block above and the right-hand side go with it.
   subroutine eliminate(diagonal, upper, right)
      real(8), intent(inout) :: diagonal(fields, fields), upper(fields, fields), right(fields)
      real(8) :: pivot, factor
      integer :: p, i, j
      do p = 1, fields
         pivot = 1/diagonal(p, p)
         do j = p + 1, fields
            diagonal(p, j) = diagonal(p, j)*pivot
         end do
         do j = 1, fields
            upper(p, j) = upper(p, j)*pivot
         end do
         right(p) = right(p)*pivot
         do i = 1, fields
            if (i == p) cycle
            factor = diagonal(i, p)
            do j = p + 1, fields
               diagonal(i, j) = diagonal(i, j) - factor*diagonal(p, j)
            end do
            do j = 1, fields
               upper(i, j) = upper(i, j) - factor*upper(p, j)
            end do
            right(i) = right(i) - factor*right(p)
         end do
      end do
   end subroutine

   subroutine set_line(n, solution)
      integer, intent(in) :: n
      real(8), intent(in) :: solution(fields, n)
      integer :: cell, i, j
      do cell = 1, n
         do j = 1, fields
            do i = 1, fields
               below(i, j, cell) = 0.01d0*i
               above(i, j, cell) = 0.01d0*j
               middle(i, j, cell) = merge(4d0, 0.1d0, i == j)
            end do
         end do
         do i = 1, fields
            side(i, cell) = 0
         end do
         call subtract_product(middle(:, :, cell), solution(:, cell), side(:, cell))
         if (cell > 1) call subtract_product(below(:, :, cell), solution(:, cell - 1), side(:, cell))
         if (cell < n) call subtract_product(above(:, :, cell), solution(:, cell + 1), side(:, cell))
         do i = 1, fields
            side(i, cell) = -side(i, cell)
         end do
      end do
   end subroutine

   subroutine solve_line(n)
      integer, intent(in) :: n
      integer :: cell
      call eliminate(middle(:, :, 1), above(:, :, 1), side(:, 1))
      do cell = 2, n
         call subtract_product(below(:, :, cell), side(:, cell - 1), side(:, cell))
         call subtract_blocks(below(:, :, cell), above(:, :, cell - 1), middle(:, :, cell))
         call eliminate(middle(:, :, cell), above(:, :, cell), side(:, cell))
      end do
      do cell = n - 1, 1, -1
         call subtract_product(above(:, :, cell), side(:, cell + 1), side(:, cell))
      end do
   end subroutine
end module

program blocks
   use lines
   implicit none
   integer :: iterations, n, i, line, error, rank, ranks, window_before, window_after, right
   integer(MPI_ADDRESS_KIND) :: bytes
   real(8), allocatable :: solution(:, :)
   character(32) :: argument

   call MPI_Init(error)
   call get_command_argument(1, argument)
   read (argument, *) iterations
   call get_command_argument(2, argument)
   read (argument, *) n
   call kernel_begin(iterations, min(n, longest))
   call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
   call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
   n = min(n, longest)
   allocate (solution(fields, n))
   do i = 1, n
      solution(:, i) = [1d0, 2d0, 3d0, 4d0, 5d0] + i
   end do
   bytes = size(from_before)*8
   call MPI_Win_create(from_before, bytes, 8, MPI_INFO_NULL, MPI_COMM_WORLD, window_before, error)
   call MPI_Win_create(from_after, bytes, 8, MPI_INFO_NULL, MPI_COMM_WORLD, window_after, error)

   right = 1
   do i = 1, iterations
      call phase_begin()
      do line = 1, 32
         call set_line(n, solution)
         call solve_line(n)
         if (maxval(abs(side(:, 1:n) - solution)) > 1d-9) right = 0
      end do
      call phase_end(0, 0)
      call phase_begin()
      call MPI_Win_fence(0, window_before, error)
      call MPI_Win_fence(0, window_after, error)
      call MPI_Put(side(:, n - 7:n), 8*fields, MPI_DOUBLE_PRECISION, modulo(rank + 1, ranks), 0_MPI_ADDRESS_KIND, 8*fields, &
                   MPI_DOUBLE_PRECISION, window_before, error)
      call MPI_Put(side(:, 1:8), 8*fields, MPI_DOUBLE_PRECISION, modulo(rank - 1, ranks), 0_MPI_ADDRESS_KIND, 8*fields, &
                   MPI_DOUBLE_PRECISION, window_after, error)
      call MPI_Win_fence(0, window_before, error)
      call MPI_Win_fence(0, window_after, error)
      if (abs(from_after(1, 1) - side(1, 1)) > 1d-9) right = 0
      call phase_end(1, 1)
   end do
   call MPI_Win_free(window_before, error)
   call MPI_Win_free(window_after, error)
   call exit(kernel_end(right))
end program
