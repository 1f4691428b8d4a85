-- Note how many visits of a host in a row have failed. ARGV: its name; how many these were, and are.
-- Returns its name in a list, which is empty if these were not so many.

local previous = previous_reply('failures')
if previous then
  return previous
end

local name, before, failures = ARGV[FIRST], tonumber(ARGV[FIRST + 1]), tonumber(ARGV[FIRST + 2])
local changed = {}
if redis.call('HEXISTS', key('hosts'), name) == 1 and host_of(name)[FAILURES] == before then
  host_of(name)[FAILURES] = failures
  changed[1] = name
end
return reply('failures', changed)
