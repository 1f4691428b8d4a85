-- Count received bytes. ARGV: how many. Returns nothing.

local previous = previous_reply('received')
if previous then
  return previous
end

count_job('received', tonumber(ARGV[FIRST]))
return reply('received', {})
