-- A host asks for patience. ARGV: its name, microseconds until its next visit, '1' if that is to be
-- the pace from now on.

local host, wait = host_of(ARGV[FIRST]), tonumber(ARGV[FIRST + 1])
host[NEXT_AT] = math.max(host[NEXT_AT], NOW + wait)
if ARGV[FIRST + 2] == '1' then
  host[PACE] = wait
end
write_hosts()
write_job()
