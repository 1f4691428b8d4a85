-- A host asks for patience. ARGV: its name, microseconds until its next visit, '1' if that is to be
-- its pace until another is told.

local host, wait = host_of(ARGV[FIRST]), tonumber(ARGV[FIRST + 1])
if ARGV[FIRST + 2] == '1' then
  host[PACE] = wait
  wait = math.min(wait, job.longest_pace)
end
host[NEXT_AT] = math.max(host[NEXT_AT], NOW + wait)
write_hosts()
write_job()
