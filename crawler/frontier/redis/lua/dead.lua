-- Put dead URLs back into the queue, or throw their letters away, in portions.
-- ARGV: 'retry' or 'purge'; a host or ''; the numbers that the portion is after and that it ends
-- at, '' for the last there is; how many letters to look at.
-- Returns how many it were, where the next portion begins or '' if there is none, and the end.

local said = answer_before('dead')
if said then
  return said
end

-- A full memory refuses a script only at its first write, and none that removes something.
redis.call('HDEL', key('calls:' .. WORKER), 'dead')

local call, only, after = ARGV[FIRST], ARGV[FIRST + 1], ARGV[FIRST + 2]
local last, limit = tonumber(ARGV[FIRST + 3]) or job.letters, ARGV[FIRST + 4]
local found =
  redis.call('ZRANGEBYSCORE', key('dead'), '(' .. after, digits(last), 'LIMIT', 0, limit)
local count, next_portion = 0, ''
-- The last first, as each is put before those that came back so far.
for i = #found, 1, -1 do
  local letter = found[i]
  local name, rank, entry, _, _, number = unpack(cjson.decode(letter))
  next_portion = i == #found and number or next_portion
  if only == '' or only == name then
    count = count + 1
    redis.call('ZREM', key('dead'), letter)
    local host = host_of(name)
    host[DEAD] = host[DEAD] - 1
    if call == 'retry' then
      local url, note = string.match(entry, '^(%S+) %d+ %d+ ?(.*)$')
      put_back(name, rank, note == '' and url or string.format('%s 0 0 %s', url, note))
    end
  end
end
if call == 'purge' then
  count_job('purged', count)
end
return answered('dead', { count, next_portion, digits(last) })
