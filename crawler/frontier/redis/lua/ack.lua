-- Mark URLs as done. ARGV: for each its token; its outcome; 1 if it counts towards the limits of
-- pages, otherwise 0; 1 if anything was sent to its host, otherwise 0; and '', or JSON with one or
-- both of: 'visit', which is the microseconds until the next visit, the digest and 'URL NOTE';
-- 'counts', by name. Returns the indexes, from 1, of lost leases.

local previous = previous_reply('ack')
if previous then
  return previous
end

-- token: of the lease, which is the time of the visit.
local function learn(lease, token, more)
  if more.visit then
    local after, digest, text = unpack(more.visit)
    local visited = math.floor(tonumber(token) / 1000000)
    plan(lease.name, digest, due_after(after), visited, lease.rank .. ' ' .. text)
  end
  for name, amount in pairs(more.counts or {}) do
    redis.call('HINCRBYFLOAT', key('counts:' .. lease.name), name, amount)
  end
end

local tokens, sent = arguments(FIRST, 5), arguments(FIRST + 3, 5)
local lost, outcomes, done = {}, {}, 0
for i, lease in ipairs(take_leases(tokens, sent)) do
  if lease then
    local outcome, charge, _, more = unpack(ARGV, FIRST + 5 * i - 4, FIRST + 5 * i - 1)
    local host = host_of(lease.name)
    host[DONE] = host[DONE] + 1
    host[CHARGED] = host[CHARGED] + tonumber(charge)
    done = done + 1
    outcomes[outcome] = (outcomes[outcome] or 0) + 1
    if more ~= '' then
      learn(lease, tokens[i], cjson.decode(more))
    end
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
