-- Lease URLs of hosts that may be visited now; hosts take turns. ARGV: how many at most.
-- Returns the deadline, the lifetime of a lease, the job's scope and, for each lease, its token, host,
-- rank and entry, and how many visits of the host in a row have failed.

local previous = previous_reply('lease')
if previous then
  return previous
end

local function collect_due()
  local due = redis.call('ZRANGEBYSCORE', key('waiting'), '-inf', NOW, 'LIMIT', 0, COLLECTED)
  if #due == 0 then
    return
  end
  redis.call('ZREM', key('waiting'), unpack(due))
  -- In reverse order, because each is put at the head of its queue.
  for i = #due, 1, -1 do
    local name, rank, entry = string.match(due[i], '^(%S+) (%S+) (.*)$')
    local host = host_of(name)
    host[WAITING] = host[WAITING] - 1
    put_back(name, rank, entry)
  end
end

collect_due()
collect_lost()
write_hosts()

local deadline = NOW + job.lease
local answer = { digits(deadline), digits(job.lease), job.scope or '' }
local leases, deadlines = {}, {}
local held = 'v ' .. WORKER .. ' '

-- Whether the next visit of a host goes to a URL that is due again. Such URLs have a credit, in
-- millionths of a visit, which grows by their share whenever others wait as well.
local function is_again(host)
  if not is_due(host) or host[QUEUED] == 0 then
    return is_due(host)
  end
  host[CREDIT] = host[CREDIT] + job.share
  if host[CREDIT] < 1000000 then
    return false
  end
  host[CREDIT] = host[CREDIT] - 1000000
  return true
end

local function visit(name)
  local host = host_of(name)
  local again = is_again(host)
  local entry, rank = (again and take_due or take_first)(name)
  if not entry then
    -- Only if Redis has lost keys: the host must not stay in 'ready' for ever.
    host[again and EARLIEST or QUEUED] = 0
    return
  end
  -- Greater than every earlier token, even if Redis has lost its last second of writes.
  local token = math.max(job.token + 1, NOW)
  count_job('token', token - job.token)
  local from = again and DONE or QUEUED
  host[from] = host[from] - 1
  host[LEASED] = host[LEASED] + 1
  host[VISITING] = host[VISITING] + 1
  host[TURN] = token
  host[NEXT_AT] = NOW + delay_of(host)
  token = digits(token)
  leases[#leases + 1] = token
  leases[#leases + 1] = held .. name .. ' ' .. rank .. ' ' .. entry
  deadlines[#deadlines + 1] = answer[1]
  deadlines[#deadlines + 1] = token
  local at = #answer
  answer[at + 1], answer[at + 2], answer[at + 3], answer[at + 4] = token, name, rank, entry
  answer[at + 5] = host[FAILURES]
end

local room = job.state == 'running' and math.min(tonumber(ARGV[FIRST]), pages_left()) or 0
while #leases / 2 < room do
  local left = room - #leases / 2
  local members = redis.call('ZRANGEBYSCORE', key('ready'), '-inf', NOW, 'LIMIT', 0, left)
  if #members == 0 then
    break
  end
  for i, member in ipairs(members) do
    members[i] = string.sub(member, 18)
  end
  read_hosts(members)
  for _, name in ipairs(members) do
    visit(name)
  end
  write_hosts()
end
if #leases > 0 then
  redis.call('HSET', key('leases'), unpack(leases))
  redis.call('ZADD', key('deadlines'), unpack(deadlines))
end
return reply('lease', answer)
