-- recount
-- Change the outcomes and the visits of URLs that are done. ARGV: the lasting name of who tells; the
-- number of the change, greater than that of its last; how many outcomes change; of each its label and
-- by how much, which adds up to 0; then of each visit its host, its digest, the microseconds until it
-- is due, the number of characters of its history, and the history.

local teller, number = ARGV[FIRST], tonumber(ARGV[FIRST + 1])
if number <= tonumber(redis.call('HGET', key('recounts'), teller) or 0) then
  return 0
end

-- The place in a text in UTF-8 that is so many characters after another.
local function advance(text, at, characters)
  for _ = 1, characters do
    at = string.find(text, '[^\128-\191]', at + 1) or #text + 1
  end
  return at
end

local function replace(name, digest, after, length, history)
  local bucket, entries, place = find_visit(name, digest)
  if not bucket then
    return
  end
  local due = due_of(entries[place])
  local rank, url, stored = string.match(
    string.sub(entries[place], HEAD_SIZE + 1), '^(%S+) (%S+) (.*)$')
  local mark, kind_length, old_length = string.match(stored, '^(.)(%x%x)(%x%x%x)')
  local at = advance(stored, 7, tonumber(kind_length, 16))
  local rest = string.sub(stored, advance(stored, at, tonumber(old_length, 16)))
  local lengths = kind_length .. string.format('%03x', length)
  local note = mark .. lengths .. string.sub(stored, 7, at - 1) .. history .. rest
  due = due <= job.run_at and due or due_after(tonumber(after))
  change_visit(name, bucket, entries, place, due, table.concat({ rank, url, note }, ' '))
end

local visits = FIRST + 3 + 2 * tonumber(ARGV[FIRST + 2])
for i = FIRST + 3, visits - 1, 2 do
  if redis.call('HINCRBY', key('outcomes'), ARGV[i], ARGV[i + 1]) == 0 then
    redis.call('HDEL', key('outcomes'), ARGV[i])
  end
end
read_hosts(arguments(visits, 5))
for i = visits, #ARGV, 5 do
  replace(unpack(ARGV, i, i + 4))
end
write_hosts()
write_job()
redis.call('HSET', key('recounts'), teller, digits(number))
return 1
