-- Some hosts. ARGV: where the last call ended, at first 0. Changes nothing.
-- Returns where to go on, 0 at the end, and of each host its name, queued, leased, done and dead
-- URLs, and its next time.

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
