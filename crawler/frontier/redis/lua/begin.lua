-- Begin a run, unless the last one is not finished. Returns 1 if it has begun, otherwise 0; and the
-- number of the last change after which hosts have not been reopened, or 0.

local previous = previous_reply('begin')
if previous then
  return previous
end

local left = redis.call('ZCARD', key('ready')) > 0 or job.waiting > job.stranded
local is_finished = job.leased == 0
  and job.changes == job.reopened
  and (pages_left() <= 0 or not left)
if is_finished then
  count_job('run', 1)
  count_job('changes', 1)
  count_job('charged', -job.charged)
  count_job('uncharged', job.received - job.uncharged)
  count_job('run_token', job.token - job.run_token)
  redis.call('COPY', key('outcomes'), key('outcomes_before'), 'REPLACE')
  count_job('run_at', math.max(0, math.floor(NOW / 1000000) - job.run_at))
  local dues = redis.call('HGETALL', key('dues'))
  for i = 1, #dues, 2 do
    if tonumber(dues[i]) <= job.run_at then
      redis.call('HDEL', key('dues'), dues[i])
      count_job('due', tonumber(dues[i + 1]))
    end
  end
end
local change = job.changes > job.reopened and job.changes or 0
return reply('begin', { is_finished and 1 or 0, change })
