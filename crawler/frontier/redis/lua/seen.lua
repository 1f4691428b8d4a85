-- Digests of all URLs that were ever added: integers in sets (buckets), with linear hashing. When the
-- buckets have more than FILL members on average, one of them is split in two, so growth never pauses
-- Redis. Buckets not yet split have about twice as many; up to 512 members, Redis stores them as an
-- intset of 8 bytes each (set-max-intset-entries).

local FILL = 200

local function seen_key(bucket)
  return key('seen:' .. bucket)
end

local function split_seen()
  local new = job.buckets
  count_job('buckets', 1)
  local old = new - half_of(job.buckets)
  local members = redis.call('SMEMBERS', seen_key(old))
  local parts = { [old] = {}, [new] = {} }
  for _, digest in ipairs(members) do
    local part = parts[bucket_of(number_of(digest), job.buckets)]
    part[#part + 1] = digest
  end
  -- Rebuild both, because Redis never converts a set back to an intset.
  redis.call('DEL', seen_key(old))
  for bucket, part in pairs(parts) do
    if #part > 0 then
      redis.call('SADD', seen_key(bucket), unpack(part))
    end
  end
end

-- Whether the URL is new; then it is marked as seen and counted.
local function mark_seen(digest)
  local bucket = bucket_of(number_of(digest), job.buckets)
  if redis.call('SADD', seen_key(bucket), digest) == 0 then
    return false
  end
  count_job('added', 1)
  if job.added > job.buckets * FILL then
    split_seen()
  end
  return true
end
