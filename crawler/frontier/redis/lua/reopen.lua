-- Recompute which hosts are open, after a change of the job's limits. ARGV: the number of that change
-- once all hosts are done, before that 0; names of hosts.

count_job('reopened', math.max(0, tonumber(ARGV[FIRST]) - job.reopened))
for i = FIRST + 1, #ARGV do
  host_of(ARGV[i])
end
write_hosts()
write_job()
