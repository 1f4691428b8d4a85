-- End the visits of leases, which stay leased. ARGV: tokens.

local changes, names = {}, {}
for i, lease in ipairs(redis.call('HMGET', key('leases'), unpack(arguments(FIRST, 1)))) do
  -- A repeated token counts once.
  local token = ARGV[FIRST + i - 1]
  if lease and string.sub(lease, 1, 1) == 'v' and not changes[token] then
    changes[token] = '-' .. string.sub(lease, 2)
    names[#names + 1] = string.match(lease, '^. %S+ (%S+)')
  end
end
read_hosts(names)
for _, name in ipairs(names) do
  end_visit(host_of(name))
end
local leases = {}
for token, lease in pairs(changes) do
  leases[#leases + 1] = token
  leases[#leases + 1] = lease
end
if #leases > 0 then
  redis.call('HSET', key('leases'), unpack(leases))
end
write_hosts()
write_job()
