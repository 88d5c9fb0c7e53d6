/* The record that says which process this is. Also in src/stress. */
#ifndef REGATTA_RUNTIME_PROCESS_H
#define REGATTA_RUNTIME_PROCESS_H

void process_record(int rank, int ranks);

#endif
