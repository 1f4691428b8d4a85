-- marks
-- Add the marks of some pages of a host while there is room. It may be repeated, so no reply is kept.
-- ARGV: the host; how many there may be; seconds after which they expire unless used; key and marks
-- of each page. Returns all marks of a host that has so many, otherwise none.

local site, capacity = key('site:' .. ARGV[FIRST]), tonumber(ARGV[FIRST + 1])
local count = redis.call('HLEN', site)
for i = FIRST + 3, #ARGV, 2 do
  if count >= capacity then
    break
  end
  count = count + redis.call('HSET', site, ARGV[i], ARGV[i + 1])
end
redis.call('EXPIRE', site, ARGV[FIRST + 2])
return count >= capacity and redis.call('HVALS', site) or {}
