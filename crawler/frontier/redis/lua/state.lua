-- Set the state, which says whether leases are handed out. ARGV: the state.

-- When out of memory, Redis rejects a script at its first write, unless that removes something.
redis.call('HDEL', KEYS[1], 'state')
redis.call('HSET', KEYS[1], 'state', ARGV[FIRST])
