-- Begin the job, or join it; the policy of whoever came last holds for all.
-- ARGV: version; a key for digests, should the job be new; names and values of the policy.
-- Returns the version and the key, and whether the limits that hosts are open by have changed.

local version, secret = ARGV[FIRST], ARGV[FIRST + 1]
if job.version and job.version ~= tonumber(version) then
  return { job.version, '', 0 }
end
if not job.version then
  redis.call('HSET', KEYS[1], 'version', version, 'key', secret, 'state', 'running', 'began',
    digits(NOW), 'buckets', 1)
  for _, name in ipairs({ 'added', 'refused', 'queued', 'waiting', 'stranded', 'leased', 'done',
    'dead', 'purged', 'token', 'letters' }) do
    redis.call('HSET', KEYS[1], name, 0)
  end
end
local visits, pages = job.visits_per_host, job.pages_per_host
for i = FIRST + 2, #ARGV, 2 do
  job[ARGV[i]] = tonumber(ARGV[i + 1])
  redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1])
end
local changed = visits and (visits ~= job.visits_per_host or pages ~= job.pages_per_host)
return { tonumber(version), redis.call('HGET', KEYS[1], 'key'), changed and 1 or 0 }
