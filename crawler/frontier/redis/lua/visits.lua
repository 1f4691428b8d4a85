-- Visits to come, of URLs that are done.
--
-- visits:BUCKET:HOST is a list of entries in no order. The buckets of a host grow by linear hashing, as
-- those of digests do. due:HOST is a sorted set of its buckets by the earliest visit in each. dues is a
-- hash of how many visits of the job are due at each time after its run began; job.due counts the rest.
-- An entry is its due time, the time of the last visit, the digest, then 'RANK URL NOTE'. The note has a
-- mark and a history; see notes.py. Times are seconds since 1970.

-- How many entries a bucket has at most, on average.
local BUCKETFUL = 50
local HEAD, DIGEST = '>I4I4I7', '>I7'
local HEAD_SIZE, DIGEST_AT = 15, 9
-- The mark of a note whose visit is early.
local HINTED = '\2'

local function visits_key(bucket, name)
  return key('visits:' .. bucket .. ':' .. name)
end

local function due_of(entry)
  return (struct.unpack('>I4', entry))
end

-- The time after some microseconds; rounded up, by less than a 32nd, so that there are few such times;
-- and in no case in this run, so that a run ends.
local function due_after(after)
  local step = 1
  while step * 64000000 <= after do
    step = step * 2
  end
  return math.max(math.ceil((NOW + after) / 1000000 / step) * step, job.run_at + 1)
end

local function count_due(due, by)
  if due <= job.run_at then
    count_job('due', by)
  elseif redis.call('HINCRBY', key('dues'), due, by) == 0 then
    redis.call('HDEL', key('dues'), due)
  end
end

-- Record the earliest visit of a bucket, whose entries these are, and that of its host.
local function note_earliest(name, bucket, entries)
  local earliest
  for _, entry in ipairs(entries) do
    earliest = math.min(due_of(entry), earliest or math.huge)
  end
  local times = key('due:' .. name)
  if earliest then
    redis.call('ZADD', times, earliest, bucket)
  else
    redis.call('ZREM', times, bucket)
  end
  host_of(name)[EARLIEST] = tonumber(redis.call('ZRANGE', times, 0, 0, 'WITHSCORES')[2] or 0)
end

local function split_visits(name, host)
  local new = host[BUCKETS]
  host[BUCKETS] = new + 1
  local old = new - half_of(host[BUCKETS])
  local parts = { [old] = {}, [new] = {} }
  for _, entry in ipairs(redis.call('LRANGE', visits_key(old, name), 0, -1)) do
    local part = parts[bucket_of(struct.unpack(DIGEST, entry, DIGEST_AT), host[BUCKETS])]
    part[#part + 1] = entry
  end
  redis.call('DEL', visits_key(old, name))
  for bucket, part in pairs(parts) do
    if #part > 0 then
      redis.call('RPUSH', visits_key(bucket, name), unpack(part))
    end
    note_earliest(name, bucket, part)
  end
end

-- text: 'RANK URL NOTE'.
local function plan(name, digest, due, visited, text)
  local host, number = host_of(name), number_of(digest)
  host[BUCKETS] = math.max(host[BUCKETS], 1)
  local bucket = bucket_of(number, host[BUCKETS])
  local entry = struct.pack(HEAD, due, visited, number) .. text
  redis.call('RPUSH', visits_key(bucket, name), entry)
  local first = redis.call('ZSCORE', key('due:' .. name), bucket)
  if not first or due < tonumber(first) then
    redis.call('ZADD', key('due:' .. name), due, bucket)
  end
  if host[EARLIEST] == 0 or due < host[EARLIEST] then
    host[EARLIEST] = due
  end
  count_due(due, 1)
  host[KNOWN] = host[KNOWN] + 1
  if host[KNOWN] > host[BUCKETS] * BUCKETFUL then
    split_visits(name, host)
  end
end

-- The bucket of a visit, all entries there, and the place of the visit; nil if it is not planned.
local function find_visit(name, digest)
  local host, number = host_of(name), number_of(digest)
  if host[KNOWN] == 0 then
    return nil
  end
  local bucket, packed = bucket_of(number, host[BUCKETS]), struct.pack(DIGEST, number)
  local entries = redis.call('LRANGE', visits_key(bucket, name), 0, -1)
  for place, entry in ipairs(entries) do
    if string.sub(entry, DIGEST_AT, HEAD_SIZE) == packed then
      return bucket, entries, place
    end
  end
end

local function change_visit(name, bucket, entries, place, due, text)
  local was, visited, number = struct.unpack(HEAD, entries[place])
  entries[place] = struct.pack(HEAD, due, visited, number) .. text
  redis.call('LSET', visits_key(bucket, name), place - 1, entries[place])
  count_due(was, -1)
  count_due(due, 1)
  note_earliest(name, bucket, entries)
end

local function remove_visit(name, bucket, entries, place)
  local entry, host = table.remove(entries, place), host_of(name)
  redis.call('LREM', visits_key(bucket, name), 1, entry)
  count_due(due_of(entry), -1)
  host[KNOWN] = host[KNOWN] - 1
  note_earliest(name, bucket, entries)
  return entry
end

-- Remove the visit of a host that is overdue longest; returns it as an entry of a queue, and its rank.
local function take_due(name)
  local bucket = redis.call('ZRANGE', key('due:' .. name), 0, 0)[1]
  local entries = bucket and redis.call('LRANGE', visits_key(bucket, name), 0, -1) or {}
  local first = 1
  for place, entry in ipairs(entries) do
    if due_of(entry) < due_of(entries[first]) then
      first = place
    end
  end
  if #entries == 0 then
    return nil
  end
  local entry = remove_visit(name, bucket, entries, first)
  local rank, url, note = string.match(string.sub(entry, HEAD_SIZE + 1), '^(%S+) (%S+) (.*)$')
  return url .. ' 0 0 ' .. note, rank
end
