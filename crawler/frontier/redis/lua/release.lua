-- Give back URLs that are not done. Returns the indexes, from 1, of lost leases.
-- ARGV: '1', or '2' for the last try, and the reason to count a failed try, otherwise '' and '';
-- microseconds until they are retried, or '' for a backoff; a random number from 0 to 1; 1 if anything was
-- sent to the hosts, otherwise 0; tokens.

local previous = previous_reply('release')
if previous then
  return previous
end

local failed, is_final, reason = ARGV[FIRST] ~= '', ARGV[FIRST] == '2', ARGV[FIRST + 1]
local asked, chance = tonumber(ARGV[FIRST + 2]), tonumber(ARGV[FIRST + 3])

local function wait_after(failures)
  if asked or not failed then
    return asked or 0
  end
  -- 2^60 exceeds any limit.
  local full = job.first_backoff * 2 ^ math.min(failures - 1, 60)
  return math.floor(math.min(full, job.longest_backoff) * (0.5 + chance / 2))
end

local function release(lease)
  local name, rank, entry, failures = lease.name, lease.rank, lease.entry, 0
  if failed then
    entry, failures = with_counts(entry, 1, 0)
    if is_final or failures >= job.tries then
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

local lost, sent, tokens = {}, {}, arguments(FIRST + 5, 1)
for i = 1, #tokens do
  sent[i] = ARGV[FIRST + 4]
end
for i, lease in ipairs(take_leases(tokens, sent)) do
  if lease then
    release(lease)
  else
    lost[#lost + 1] = i
  end
end
return reply('release', lost)
