-- URLs are done. ARGV: how much each is charged, 1 for pages and 0 otherwise; token and outcome of
-- each. Returns which of them, from 1, were lost.

local said = answer_before('ack')
if said then
  return said
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
  -- What the last hour's minutes saw, for the throughput: by the clock, as who asks reads it.
  local minute = key('minute:' .. digits(math.floor((NOW - job.ahead) / 60000000)))
  redis.call('INCRBY', minute, done)
  redis.call('EXPIRE', minute, 3600)
end
return answered('ack', lost)
