-- Count the bytes that hosts have sent today. ARGV: host and bytes of each.
-- Returns the hosts that have sent so many that they are not visited until tomorrow.

local previous = previous_reply('sent')
if previous then
  return previous
end

local DAY = 86400000000
local day = math.floor(NOW / DAY)
local resting = {}
for i = FIRST, #ARGV, 2 do
  local name = ARGV[i]
  if redis.call('HEXISTS', key('hosts'), name) == 1 then
    local counts = key('counts:' .. name)
    if tonumber(redis.call('HGET', counts, 'sent-day')) ~= day then
      redis.call('HSET', counts, 'sent-day', day, 'sent', 0)
    end
    if redis.call('HINCRBY', counts, 'sent', ARGV[i + 1]) >= job.daily_size then
      rest(host_of(name), (day + 1) * DAY)
      resting[#resting + 1] = name
    end
  end
end
return reply('sent', resting)
