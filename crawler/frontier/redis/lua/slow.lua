-- Delay a host. ARGV: its name; microseconds until its next visit; '1' if that is also its pace from
-- now on.

local host, wait = host_of(ARGV[FIRST]), tonumber(ARGV[FIRST + 1])
if ARGV[FIRST + 2] == '1' then
  host[PACE] = wait
  wait = math.min(wait, job.longest_pace)
end
rest(host, NOW + wait)
write_hosts()
write_job()
