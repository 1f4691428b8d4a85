-- What becomes of leases that are past their deadline: their URLs return to the queue, or are dead after
-- too many losses.

-- Returns how many there were, at most COLLECTED.
local function collect_lost()
  local lost = redis.call('ZRANGEBYSCORE', key('deadlines'), '-inf', NOW, 'LIMIT', 0, COLLECTED)
  local taken = take_leases(lost)
  for i = #taken, 1, -1 do
    local lease = taken[i]
    local entry, _, losses = with_counts(lease.entry, 0, 1)
    if losses >= job.losses then
      local reason = 'lease lost %d times: its workers died or stopped responding'
      bury(lease.name, lease.rank, entry, string.format(reason, losses))
    else
      put_back(lease.name, lease.rank, entry)
    end
  end
  return #taken
end
