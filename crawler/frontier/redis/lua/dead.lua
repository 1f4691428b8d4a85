-- Queue dead URLs again, or forget them, in batches.
-- ARGV: 'retry' or 'purge'; a host or ''; the number after which the batch begins; the number at
-- which all batches end, or '' for the last one; how many dead letters to read; a reason or ''.
-- Returns how many were changed, where the next batch begins or '' if there is none, and the end.

local previous = previous_reply('dead')
if previous then
  return previous
end

-- When out of memory, Redis rejects a script at its first write, unless that removes something.
redis.call('HDEL', key('calls:' .. WORKER), 'dead')

local call, only, after = ARGV[FIRST], ARGV[FIRST + 1], ARGV[FIRST + 2]
local last, limit = tonumber(ARGV[FIRST + 3]) or job.letters, ARGV[FIRST + 4]
local why = ARGV[FIRST + 5]
local found =
  redis.call('ZRANGEBYSCORE', key('dead'), '(' .. after, digits(last), 'LIMIT', 0, limit)
local count, next_batch = 0, ''
-- In reverse order, because each is put at the head of its queue.
for i = #found, 1, -1 do
  local letter = found[i]
  local name, rank, entry, reason, _, number = unpack(cjson.decode(letter))
  next_batch = i == #found and number or next_batch
  if (only == '' or only == name) and (why == '' or why == reason) then
    count = count + 1
    redis.call('ZREM', key('dead'), letter)
    local host = host_of(name)
    host[DEAD] = host[DEAD] - 1
    if call == 'retry' then
      host[FAILURES] = 0
      local url, note = string.match(entry, '^(%S+) %d+ %d+ ?(.*)$')
      put_back(name, rank, note == '' and url or string.format('%s 0 0 %s', url, note))
    end
  end
end
if call == 'purge' then
  count_job('purged', count)
end
return reply('dead', { count, next_batch, digits(last) })
