-- More bytes were received. ARGV: how many. Returns nothing.

local said = answer_before('received')
if said then
  return said
end

count_job('received', tonumber(ARGV[FIRST]))
return answered('received', {})
