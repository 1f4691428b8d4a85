-- Mark URLs as done. ARGV: 1 if they count towards the limits of pages, otherwise 0; token and
-- outcome of each. Returns the indexes, from 1, of lost leases.

local previous = previous_reply('ack')
if previous then
  return previous
end

local charge = tonumber(ARGV[FIRST])
local lost, outcomes, done = {}, {}, 0
for i, lease in ipairs(take_leases(arguments(FIRST + 1, 2))) do
  if lease then
    local host, outcome = host_of(lease.name), ARGV[FIRST + 2 * i]
    host[DONE] = host[DONE] + 1
    host[CHARGED] = host[CHARGED] + charge
    done = done + 1
    outcomes[outcome] = (outcomes[outcome] or 0) + 1
  else
    lost[#lost + 1] = i
  end
end
for outcome, pages in pairs(outcomes) do
  redis.call('HINCRBY', key('outcomes'), outcome, pages)
end
if done > 0 then
  -- Counts per minute, for the throughput. Without job.ahead: readers use the server's clock.
  local minute = key('minute:' .. digits(math.floor((NOW - job.ahead) / 60000000)))
  redis.call('INCRBY', minute, done)
  redis.call('EXPIRE', minute, 3600)
end
return reply('ack', lost)
