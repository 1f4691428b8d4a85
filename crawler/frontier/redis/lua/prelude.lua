-- Shared by all scripts: names of keys, the time, the records of the job and of hosts.
--
-- KEYS[1] is the job's record; all other keys have its prefix, and by its hash tag the same slot.
-- ARGV: the time in microseconds, or '' for the server's; the worker; the number of the call; the key
-- of the job's digests.
-- A URL is an entry in exactly one of queue:RANK:HOST, waiting, leases and dead; or it is done, and
-- only its digest remains in seen:BUCKET, unless it is in visits:BUCKET:HOST until it is visited again.
-- An entry is the URL without scheme and host, followed by ' FAILURES LOSSES NOTE' unless all three are
-- empty. Times are microseconds since 1970.

local PREFIX = string.sub(KEYS[1], 1, -#'job' - 1)
local WORKER, CALL, SECRET = ARGV[2], ARGV[3], ARGV[4]
-- Where a script's own arguments begin.
local FIRST = 5
-- How many expired leases and due retries one call returns to the queue at most.
local COLLECTED = 500
-- How far the clock may be behind the last lease, as after a small correction.
local TOLERATED = 1000000

local NOW = tonumber(ARGV[1])
if not NOW then
  local time = redis.call('TIME')
  NOW = tonumber(time[1]) * 1000000 + tonumber(time[2])
end

local function key(name)
  return PREFIX .. name
end

-- The '..' operator would lose digits of integers beyond 10^14.
local function digits(number)
  return string.format('%.0f', number)
end

-- The job's record: the policy, the totals, and the last numbers used.
-- run: the number of the last run. run_at: when it began, in seconds; what was due by then belongs to it.
-- due: how many of these wait. share: their share of visits, in millionths; -1 if URLs are visited once.
-- uncharged: bytes that were received in earlier runs. run_token: the last token of these. The hash
-- outcomes_before has the outcomes from before the run.

local TEXTS = { key = true, scope = true, state = true }
local job, job_changes = {
  ahead = 0, run = 0, run_at = 0, run_token = 0, due = 0, share = -1, uncharged = 0,
}, {}
local record = redis.call('HGETALL', KEYS[1])
for i = 1, #record, 2 do
  job[record[i]] = TEXTS[record[i]] and record[i + 1] or tonumber(record[i + 1])
end

-- If a new job was started under this name, it has another key for its digests.
if CALL ~= 'open' and job.key ~= SECRET then
  return redis.error_reply('NOJOB this Redis no longer has the job')
end

local function count_job(name, by)
  job[name] = job[name] + by
  job_changes[name] = true
end

-- If the clock was set back, time continues from the last lease, whose token is its time, and stays
-- ahead of the clock by that much.
NOW = NOW + job.ahead
if job.token and NOW < job.token - TOLERATED then
  count_job('ahead', job.token - NOW)
  NOW = job.token
end

local function pages_left()
  if job.received - job.uncharged >= job.total_size then
    return 0
  end
  return job.pages - job.charged - job.leased
end

-- The records of hosts: one hash, in which each host is an array. An open host is in the sorted set
-- 'ready', by the time of its next visit and then by its last lease.
-- turn: token of the last lease. pace: the Crawl-delay of its robots.txt. visiting: visits in
-- progress. open: whether it is in 'ready'. stranded: waiting URLs of a host that has reached its
-- limit of pages. charged: done URLs that were pages, which the limits count; in the run of that number.
-- earliest: when its next visit of a known URL is due, in seconds, or 0. credit: of such visits, in
-- millionths. known, buckets: how many wait, and in how many lists; see visits.lua. rest_until: no visit
-- before, whatever was sent. failures: visits in a row that have failed, in the same run.

local NEXT_AT, TURN, PACE, QUEUED, WAITING, LEASED, VISITING, DONE, DEAD, OPEN, STRANDED, CHARGED =
  1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
local RUN, EARLIEST, CREDIT, KNOWN, BUCKETS = 13, 14, 15, 16, 17
local REST_UNTIL, FAILURES = 18, 19
local COUNTED = {
  { 'queued', QUEUED }, { 'waiting', WAITING }, { 'leased', LEASED }, { 'done', DONE },
  { 'dead', DEAD }, { 'stranded', STRANDED }, { 'charged', CHARGED },
}
local NEW_HOST = cmsgpack.pack({ 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0 })

-- The record; those of older versions are shorter, and pages of an earlier run no longer count.
local function record_of(packed)
  local host = cmsgpack.unpack(packed)
  for field = #host + 1, FAILURES do
    host[field] = 0
  end
  if host[RUN] ~= job.run then
    host[RUN], host[CHARGED], host[FAILURES] = job.run, 0, 0
  end
  return host
end

-- Records by name: current, and packed as they were read.
local hosts, packed_hosts = {}, {}

-- Read the records that have not been read yet, in one call.
local function read_hosts(names)
  local unread, known = {}, {}
  for _, name in ipairs(names) do
    if not hosts[name] and not known[name] then
      known[name] = true
      unread[#unread + 1] = name
    end
  end
  if #unread == 0 then
    return
  end
  for i, packed in ipairs(redis.call('HMGET', key('hosts'), unpack(unread))) do
    packed_hosts[unread[i]] = packed or NEW_HOST
    hosts[unread[i]] = record_of(packed or NEW_HOST)
  end
end

local function host_of(name)
  if not hosts[name] then
    read_hosts({ name })
  end
  return hosts[name]
end

local function ready_member(turn, name)
  return string.format('%016.0f %s', turn, name)
end

local function is_full(host)
  return host[CHARGED] >= job.pages_per_host
end

-- Whether known URLs of the host are to be visited again in this run.
local function is_due(host)
  return job.share >= 0 and host[EARLIEST] > 0 and host[EARLIEST] <= job.run_at
end

local function is_open(host)
  return (host[QUEUED] > 0 or is_due(host))
    and host[VISITING] < job.visits_per_host
    and host[CHARGED] + host[LEASED] < job.pages_per_host
end

-- The delay between two visits.
local function delay_of(host)
  return math.max(job.delay, math.min(host[PACE], job.longest_pace))
end

-- Leave a host alone until that time.
local function rest(host, time)
  host[NEXT_AT] = math.max(host[NEXT_AT], time)
  host[REST_UNTIL] = math.max(host[REST_UNTIL], time)
end

-- Append a host's changes to ``changes``.
local function note_host(name, host, changes)
  local was = record_of(packed_hosts[name])
  host[OPEN] = is_open(host) and 1 or 0
  host[STRANDED] = is_full(host) and host[WAITING] or 0
  for _, counted in ipairs(COUNTED) do
    local by = host[counted[2]] - was[counted[2]]
    if by ~= 0 then
      count_job(counted[1], by)
    end
  end
  local moved = host[TURN] ~= was[TURN]
  if was[OPEN] == 1 and (host[OPEN] == 0 or moved) then
    table.insert(changes.closed, ready_member(was[TURN], name))
  end
  if host[OPEN] == 1 and (was[OPEN] == 0 or moved or host[NEXT_AT] ~= was[NEXT_AT]) then
    table.insert(changes.ready, host[NEXT_AT])
    table.insert(changes.ready, ready_member(host[TURN], name))
  end
  if host[QUEUED] == 0 and was[QUEUED] > 0 then
    table.insert(changes.empty, key('ranks:' .. name))
  end
  table.insert(changes.hosts, name)
  table.insert(changes.hosts, cmsgpack.pack(host))
end

-- Write all changes of hosts, so that later commands see them.
local function write_hosts()
  local changes = { closed = {}, ready = {}, empty = {}, hosts = {} }
  for name, host in pairs(hosts) do
    note_host(name, host, changes)
  end
  if #changes.hosts > 0 then
    redis.call('HSET', key('hosts'), unpack(changes.hosts))
  end
  if #changes.empty > 0 then
    redis.call('DEL', unpack(changes.empty))
  end
  if #changes.closed > 0 then
    redis.call('ZREM', key('ready'), unpack(changes.closed))
  end
  if #changes.ready > 0 then
    redis.call('ZADD', key('ready'), unpack(changes.ready))
  end
  hosts, packed_hosts = {}, {}
end

local function write_job()
  local changes = {}
  for name in pairs(job_changes) do
    changes[#changes + 1] = name
    changes[#changes + 1] = digits(job[name])
  end
  if #changes > 0 then
    redis.call('HSET', KEYS[1], unpack(changes))
  end
end

-- The reply to a call is kept until the worker's next call of the same script, so that a call which
-- is retried because its reply was lost takes effect only once.

local function previous_reply(kind)
  local kept = redis.call('HGET', key('calls:' .. WORKER), kind)
  local call, text = string.match(kept or '', '^(%S+) (.*)$')
  return call == CALL and text or nil
end

-- Write all changes, and return the reply as JSON: one string is parsed faster than many.
local function reply(kind, values)
  write_hosts()
  write_job()
  local calls = key('calls:' .. WORKER)
  local text = #values == 0 and '[]' or cjson.encode(values)
  redis.call('HSET', calls, kind, CALL .. ' ' .. text)
  -- Longer than a worker may retry the call.
  redis.call('EXPIRE', calls, 7200)
  return text
end

-- The queue: a list for each host and rank, which is priority and depth in one number.

local function queue_of(name, rank)
  return key('queue:' .. rank .. ':' .. name)
end

-- Append entries to their queue, in order.
local function append(name, rank, entries)
  local length = redis.call('RPUSH', queue_of(name, rank), unpack(entries))
  if length == #entries then
    redis.call('ZADD', key('ranks:' .. name), rank, rank)
  end
end

-- Put an entry back at the head of its queue, where it was taken from.
local function put_back(name, rank, entry)
  if redis.call('LPUSH', queue_of(name, rank), entry) == 1 then
    redis.call('ZADD', key('ranks:' .. name), rank, rank)
  end
  local host = host_of(name)
  host[QUEUED] = host[QUEUED] + 1
end

-- Remove and return the first entry of a host, and its rank; nil if there is none.
local function take_first(name)
  local ranks = key('ranks:' .. name)
  while true do
    local rank = redis.call('ZRANGE', ranks, 0, 0)[1]
    if not rank then
      return nil
    end
    local entry = redis.call('LPOP', queue_of(name, rank))
    if entry then
      return entry, rank
    end
    -- Empty ranks are only removed here.
    redis.call('ZREM', ranks, rank)
  end
end

-- Leases: token to 'v WORKER HOST RANK ENTRY', with '-' for 'v' once the visit is over.

local function end_visit(host)
  host[VISITING] = host[VISITING] - 1
  -- If a host may have several visits at a time, only their starts are spaced.
  if job.visits_per_host == 1 then
    host[NEXT_AT] = math.max(host[NEXT_AT], NOW + delay_of(host))
  end
end

-- Nothing was sent, so the host has its turn back, unless another visit has begun since.
local function end_unsent(host, token)
  host[VISITING] = host[VISITING] - 1
  if host[TURN] == tonumber(token) then
    host[NEXT_AT] = math.max(host[REST_UNTIL], math.min(host[NEXT_AT], NOW))
  end
end

-- Remove leases. Returns for each its host, rank and entry, or false if it was lost.
-- sent: for each, '0' if nothing was sent to its host; nil if something was for all.
local function take_leases(tokens, sent)
  local taken, names, found = {}, {}, {}
  if #tokens == 0 then
    return taken
  end
  for i, lease in ipairs(redis.call('HMGET', key('leases'), unpack(tokens))) do
    taken[i] = false
    if lease and not found[tokens[i]] then
      found[tokens[i]] = true
      local visit, name, rank, entry = string.match(lease, '^(.) %S+ (%S+) (%S+) (.*)$')
      taken[i] = { name = name, rank = rank, entry = entry, visits = visit == 'v' }
      names[#names + 1] = name
    end
  end
  if #names > 0 then
    redis.call('HDEL', key('leases'), unpack(tokens))
    redis.call('ZREM', key('deadlines'), unpack(tokens))
  end
  read_hosts(names)
  for i, lease in ipairs(taken) do
    if lease then
      local host = host_of(lease.name)
      host[LEASED] = host[LEASED] - 1
      if lease.visits and sent and sent[i] == '0' then
        end_unsent(host, tokens[i])
      elseif lease.visits then
        end_visit(host)
      end
    end
  end
  return taken
end

-- Every ``step``-th argument, beginning with number ``from``.
local function arguments(from, step)
  local values = {}
  for i = from, #ARGV, step do
    values[#values + 1] = ARGV[i]
  end
  return values
end

-- Linear hashing

-- The last 15 digits of a digest are random enough, and exact in a double.
local function number_of(digest)
  return math.abs(tonumber(string.sub(digest, -15)))
end

-- Half of the smallest power of two that is not less than the number of buckets.
local function half_of(buckets)
  local half = 1
  while 2 * half < buckets do
    half = 2 * half
  end
  return half
end

local function bucket_of(number, buckets)
  local half = half_of(buckets)
  local bucket = number % (2 * half)
  return bucket < buckets and bucket or bucket - half
end

-- Failures

-- The entry with increased failures and losses, and both counts.
local function with_counts(entry, failed, lost)
  local url, failures, losses, note = string.match(entry, '^(%S+) (%d+) (%d+) ?(.*)$')
  failures, losses = (failures or 0) + failed, (losses or 0) + lost
  return string.format('%s %d %d %s', url or entry, failures, losses, note or ''), failures, losses
end

local function bury(name, rank, entry, reason)
  count_job('letters', 1)
  local letter = cjson.encode({ name, rank, entry, reason, digits(NOW), digits(job.letters) })
  redis.call('ZADD', key('dead'), job.letters, letter)
  local host = host_of(name)
  host[DEAD] = host[DEAD] + 1
end
