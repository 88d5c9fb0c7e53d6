! Fortran's coarrays and their ways of synchronising but teams, translated into MPI by OpenCoarrays.
! With RACE the first exchange is not ended by a sync all.
program coarrays
  use iso_fortran_env
  implicit none
  integer :: me, n, up, down, i, step
  real(8) :: row(0:11)[*]
  integer :: counter[*], box(8)[*], total
  integer, allocatable :: grid(:, :)[:]
  type(lock_type) :: guard[*]
  type(event_type) :: filled[*]
  integer(atomic_int_kind) :: hits[*], seen

  me = this_image(); n = num_images()
  up = mod(me, n) + 1; down = mod(me + n - 2, n) + 1
  allocate (grid(6, 6)[*])
  row = me; counter = 0; box = 0; grid = me; hits = 0
  sync all

  do step = 1, 4
     row(0)[up] = row(10)
     row(11)[down] = row(1)
#ifdef RACE
     if (step > 1) sync all
#else
     sync all
#endif
     do i = 1, 10
        row(i) = 0.5*row(i) + 0.25*(row(i - 1) + row(i + 1))
     end do
     sync all
  end do
  if (me == 1) print '(a, f10.6)', 'row ', row(5)

  critical
     counter[1] = counter[1] + 1
  end critical
  sync all
  lock (guard[1])
  counter[1] = counter[1] + 1
  unlock (guard[1])
  sync all
  if (me == 1 .and. counter /= 2*n) print '(a)', 'counter lost'

  if (me == 1) then
     box(1:4)[2] = [1, 2, 3, 4]
     event post (filled[2])
  else if (me == 2) then
     event wait (filled)
     print '(a, i4)', 'box ', sum(box(1:4))
     box(5:8)[3] = 7
     sync images (3)
  else if (me == 3) then
     sync images (2)
     print '(a, i4)', 'box of 3 ', sum(box(5:8))
  end if

  grid(1:6:2, 3)[up] = me*10
  sync all
  total = sum(grid(:, 3))
  call co_sum(total, 1)
  if (me == 1) print '(a, i5)', 'total ', total

  call atomic_add(hits[1], 1)
  sync all
  if (me == 1) then
     call atomic_ref(seen, hits[1])
     print '(a, i4)', 'hits ', seen
  end if
  call co_broadcast(grid, 1)
end program
