-- The hosts of the leases that are past their deadline, one for each. Changes nothing.

local names = {}
for i, token in ipairs(redis.call('ZRANGEBYSCORE', key('deadlines'), '-inf', NOW)) do
  names[i] = string.match(redis.call('HGET', key('leases'), token), '^. %S+ (%S+) ')
end
return names
