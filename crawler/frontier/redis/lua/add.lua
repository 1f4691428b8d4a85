-- Mark URLs as seen and queue the new ones; known ones that are said to have changed since their last
-- visit are due now. Returns how many were new.
-- ARGV: the number of refused candidates; then for each host its name, the number of its URLs, and
-- for each of these 'RANK DIGEST CHANGED ENTRY'; CHANGED is in microseconds, or '-'.

local previous = previous_reply('add')
if previous then
  return previous
end

-- The known URLs that are said to have changed.
local hints = {}

-- The new entries of a host by rank, and their number.
local function unseen(name, from, count)
  local fresh, new = {}, 0
  for i = from, from + count - 1 do
    local rank, digest, changed, entry = string.match(ARGV[i], '^(%S+) (%S+) (%S+) (.*)$')
    if mark_seen(digest) then
      new = new + 1
      fresh[rank] = fresh[rank] or {}
      table.insert(fresh[rank], entry)
    elseif changed ~= '-' then
      table.insert(hints, { name = name, digest = digest, changed = tonumber(changed) + job.ahead })
    end
  end
  return fresh, new
end

local function follow(hint)
  local bucket, entries, place = find_visit(hint.name, hint.digest)
  if not bucket or hint.changed > NOW then
    return
  end
  local due, visited = struct.unpack(HEAD, entries[place])
  if due > job.run_at and visited * 1000000 < hint.changed then
    local rank, url, note = string.match(
      string.sub(entries[place], HEAD_SIZE + 1), '^(%S+) (%S+) .(.*)$')
    local text = string.format('%s %s ', rank, url) .. HINTED .. note
    change_visit(hint.name, bucket, entries, place, job.run_at, text)
  end
end

count_job('refused', tonumber(ARGV[FIRST]))
local found, names, added, at = {}, {}, 0, FIRST + 1
while at < #ARGV do
  local name, count = ARGV[at], tonumber(ARGV[at + 1])
  local fresh, new = unseen(name, at + 2, count)
  -- Most links of a page are known: leave the records of their hosts alone.
  if new > 0 then
    names[#names + 1] = name
    found[name] = { fresh = fresh, new = new }
  end
  added = added + new
  at = at + 2 + count
end
local hinted = {}
for i, hint in ipairs(hints) do
  hinted[i] = hint.name
end
read_hosts(names)
read_hosts(hinted)
for _, name in ipairs(names) do
  for rank, entries in pairs(found[name].fresh) do
    append(name, rank, entries)
  end
  hosts[name][QUEUED] = hosts[name][QUEUED] + found[name].new
end
for _, hint in ipairs(hints) do
  follow(hint)
end
return reply('add', { added })
