-- What a worker that got no lease wants to know. Changes nothing.
-- Returns state, leases, pages left, waiting URLs that the limits allow, and in how many
-- microseconds the next host is ready, the next failure has waited and the next lease ends, or ''.

local function next_in(name)
  local first = redis.call('ZRANGE', key(name), 0, 0, 'WITHSCORES')
  return first[2] and digits(tonumber(first[2]) - NOW) or ''
end

return {
  job.state, job.leased, digits(pages_left()), job.waiting - job.stranded,
  next_in('ready'), next_in('waiting'), next_in('deadlines'),
}
