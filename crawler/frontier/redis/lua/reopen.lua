-- See again which hosts are open, by the job's limits. ARGV: names of hosts.

for i = FIRST, #ARGV do
  host_of(ARGV[i])
end
write_hosts()
write_job()
