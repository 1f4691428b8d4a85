-- Give leases a new deadline. ARGV: tokens.
-- Returns the deadline, the lifetime of a lease and the indexes, from 1, of lost leases.

local deadline = digits(NOW + job.lease)
local answer, changes = { deadline, digits(job.lease) }, {}
local tokens = arguments(FIRST, 1)
for i, held in ipairs(redis.call('ZMSCORE', key('deadlines'), unpack(tokens))) do
  if held then
    changes[#changes + 1] = deadline
    changes[#changes + 1] = tokens[i]
  else
    answer[#answer + 1] = i
  end
end
if #changes > 0 then
  redis.call('ZADD', key('deadlines'), unpack(changes))
end
return cjson.encode(answer)
