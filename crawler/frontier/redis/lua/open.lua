-- Start the job, or join it. The policy and scope of the last worker hold for all.
-- ARGV: version; a key for digests, in case the job is new; a digest of the scope, or '' to leave it
-- unchanged; names and values of the policy.
-- Returns the version; the key; the number of the last change of the limits per host, or 0 if all
-- hosts have been reopened since; and if the scope has changed, how many URLs are not done yet.

local version, secret, scope = ARGV[FIRST], ARGV[FIRST + 1], ARGV[FIRST + 2]
-- Version 2 lacks only fields that begin with 0.
if job.version and job.version ~= tonumber(version) and job.version ~= 2 then
  return { job.version, '', 0, 0 }
end
if not job.version then
  redis.call('HSET', KEYS[1], 'version', version, 'key', secret, 'state', 'running', 'began',
    digits(NOW), 'buckets', 1)
  for _, name in ipairs({ 'added', 'refused', 'queued', 'waiting', 'stranded', 'leased', 'done',
    'dead', 'purged', 'charged', 'received', 'token', 'letters', 'changes', 'reopened' }) do
    job[name] = 0
    redis.call('HSET', KEYS[1], name, 0)
  end
end
redis.call('HSET', KEYS[1], 'version', version)
local left = 0
if scope ~= '' then
  if job.scope and job.scope ~= scope then
    left = job.queued + job.waiting + job.leased
  end
  redis.call('HSET', KEYS[1], 'scope', scope)
end
local visits, pages, share = job.visits_per_host, job.pages_per_host, job.share
for i = FIRST + 3, #ARGV, 2 do
  job[ARGV[i]] = tonumber(ARGV[i + 1])
  redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1])
end
local is_same = visits == job.visits_per_host and pages == job.pages_per_host
if visits and not (is_same and share == job.share) then
  count_job('changes', 1)
end
write_job()
local change = job.changes > job.reopened and job.changes or 0
return { tonumber(version), redis.call('HGET', KEYS[1], 'key'), change, left }
