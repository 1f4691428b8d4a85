-- recount
-- Change the outcomes of URLs that are done. ARGV: the worker's lasting name; the number of the
-- change, greater than that of its last; outcome and change of its number, which add up to 0.

local worker, number = ARGV[FIRST], tonumber(ARGV[FIRST + 1])
if number <= tonumber(redis.call('HGET', key('recounts'), worker) or 0) then
  return 0
end
for i = FIRST + 2, #ARGV, 2 do
  if redis.call('HINCRBY', key('outcomes'), ARGV[i], ARGV[i + 1]) == 0 then
    redis.call('HDEL', key('outcomes'), ARGV[i])
  end
end
redis.call('HSET', key('recounts'), worker, digits(number))
return 1
