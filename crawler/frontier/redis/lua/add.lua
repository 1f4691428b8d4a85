-- Mark URLs as seen and queue the new ones. Returns how many were new.
-- ARGV: the number of refused candidates; then for each host its name, the number of its URLs, and
-- for each of these 'RANK DIGEST ENTRY'.
--
-- Digests are integers in sets (buckets), with linear hashing: when the buckets have more than FILL
-- members on average, one of them is split in two, so growth never pauses Redis. Buckets not yet
-- split have about twice as many; up to 512 members, Redis stores them as an intset of 8 bytes each
-- (set-max-intset-entries).

local FILL = 200

local previous = previous_reply('add')
if previous then
  return previous
end

-- The smallest power of two that is not less than the number of buckets.
local size = 1
while size < job.buckets do
  size = size * 2
end

local function bucket_key(bucket)
  return key('seen:' .. bucket)
end

-- The last 15 digits of a digest are random enough, and exact in a double.
local function bucket_of(digest)
  local bucket = math.abs(tonumber(string.sub(digest, -15))) % size
  return bucket < job.buckets and bucket or bucket - size / 2
end

local function split_bucket()
  local new = job.buckets
  if new == size then
    size = size * 2
  end
  local old = new - size / 2
  local members = redis.call('SMEMBERS', bucket_key(old))
  count_job('buckets', 1)
  local parts = { [old] = {}, [new] = {} }
  for _, digest in ipairs(members) do
    local part = parts[bucket_of(digest)]
    part[#part + 1] = digest
  end
  -- Rebuild both, because Redis never converts a set back to an intset.
  redis.call('DEL', bucket_key(old))
  for bucket, part in pairs(parts) do
    if #part > 0 then
      redis.call('SADD', bucket_key(bucket), unpack(part))
    end
  end
end

-- The new entries of a host by rank, and their number.
local function unseen(from, count)
  local fresh, new = {}, 0
  for i = from, from + count - 1 do
    local rank, digest, entry = string.match(ARGV[i], '^(%S+) (%S+) (.*)$')
    if redis.call('SADD', bucket_key(bucket_of(digest)), digest) == 1 then
      new = new + 1
      fresh[rank] = fresh[rank] or {}
      table.insert(fresh[rank], entry)
      count_job('added', 1)
      if job.added > job.buckets * FILL then
        split_bucket()
      end
    end
  end
  return fresh, new
end

count_job('refused', tonumber(ARGV[FIRST]))
local found, names, added, at = {}, {}, 0, FIRST + 1
while at < #ARGV do
  local name, count = ARGV[at], tonumber(ARGV[at + 1])
  local fresh, new = unseen(at + 2, count)
  -- Most links of a page are known: leave the records of their hosts alone.
  if new > 0 then
    names[#names + 1] = name
    found[name] = { fresh = fresh, new = new }
  end
  added = added + new
  at = at + 2 + count
end
read_hosts(names)
for _, name in ipairs(names) do
  for rank, entries in pairs(found[name].fresh) do
    append(name, rank, entries)
  end
  hosts[name][QUEUED] = hosts[name][QUEUED] + found[name].new
end
return reply('add', { added })
