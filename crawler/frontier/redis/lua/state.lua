-- Whether leases are given out. ARGV: the state.

-- A full memory refuses a script only at its first write, and none that removes something.
redis.call('HDEL', KEYS[1], 'state')
redis.call('HSET', KEYS[1], 'state', ARGV[FIRST])
