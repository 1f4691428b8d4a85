-- A batch of hosts. ARGV: the cursor of the last call, at first 0. Changes nothing.
-- Returns the next cursor, 0 at the end, and for each host its name, its queued, leased, done and
-- dead URLs, and the time of its next visit.

local found = redis.call('HSCAN', key('hosts'), ARGV[FIRST], 'COUNT', 500)
local names, answer = {}, {}
for i = 1, #found[2], 2 do
  names[#names + 1] = found[2][i]
end
read_hosts(names)
for _, name in ipairs(names) do
  local host = host_of(name)
  answer[#answer + 1] = {
    name, host[QUEUED] + host[WAITING], host[LEASED], host[DONE], host[DEAD], digits(host[NEXT_AT]),
  }
end
return cjson.encode({ found[1], answer })
