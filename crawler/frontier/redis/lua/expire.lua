-- Return a batch of leases that are past their deadline to the queue. It may be repeated, so no reply is
-- kept. Returns how many there were.

local count = collect_lost()
-- When out of memory, Redis rejects a script at its first write, unless that removes something.
if count > 0 then
  write_hosts()
  write_job()
end
return count
