-- URLs were not done. Returns which of the tokens, from 1, were lost.
-- ARGV: '1' and the reason where a try is to be counted, otherwise '' and ''; microseconds until
-- they are tried again, or '' for a backoff; a random number from 0 to 1; tokens.

local said = answer_before('release')
if said then
  return said
end

local failed, reason = ARGV[FIRST] == '1', ARGV[FIRST + 1]
local asked, chance = tonumber(ARGV[FIRST + 2]), tonumber(ARGV[FIRST + 3])

local function wait_after(failures)
  if asked or not failed then
    return asked or 0
  end
  -- Beyond 2^60 any limit is reached.
  local full = job.first_backoff * 2 ^ math.min(failures - 1, 60)
  return math.floor(math.min(full, job.longest_backoff) * (0.5 + chance / 2))
end

local function release(lease)
  local name, rank, entry, failures = lease.name, lease.rank, lease.entry, 0
  if failed then
    entry, failures = with_counts(entry, 1, 0)
    if failures >= job.tries then
      bury(name, rank, entry, reason)
      return
    end
  end
  local wait = wait_after(failures)
  if wait > 0 then
    local host = host_of(name)
    host[WAITING] = host[WAITING] + 1
    redis.call('ZADD', key('waiting'), NOW + wait, string.format('%s %s %s', name, rank, entry))
  else
    put_back(name, rank, entry)
  end
end

local lost = {}
for i, lease in ipairs(take_leases(arguments(FIRST + 4, 1))) do
  if lease then
    release(lease)
  else
    lost[#lost + 1] = i
  end
end
return answered('release', lost)
