-- The status for a worker that got no lease. Changes nothing.
-- Returns the state, the number of leases, the pages left, the waiting URLs that the limits allow, and
-- the microseconds until the next host is ready, the next retry is due and the next lease expires,
-- each '' if there is none.

local function next_in(name)
  local first = redis.call('ZRANGE', key(name), 0, 0, 'WITHSCORES')
  return first[2] and digits(tonumber(first[2]) - NOW) or ''
end

return {
  job.state, job.leased, digits(pages_left()), job.waiting - job.stranded,
  next_in('ready'), next_in('waiting'), next_in('deadlines'),
}
