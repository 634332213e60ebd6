pgbench_history h
