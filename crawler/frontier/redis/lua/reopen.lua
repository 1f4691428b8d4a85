-- See again which hosts are open, by the job's limits. ARGV: when all were seen, the number of the
-- change of the limits after which they were, otherwise 0; names of hosts.

count_job('reopened', math.max(0, tonumber(ARGV[FIRST]) - job.reopened))
for i = FIRST + 1, #ARGV do
  host_of(ARGV[i])
end
write_hosts()
write_job()
