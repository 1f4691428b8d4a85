-- history
-- The note of a visit to come, or '' if there is none. ARGV: its host and its digest. Changes nothing.

local _, entries, place = find_visit(ARGV[FIRST], ARGV[FIRST + 1])
if not place then
  return ''
end
return string.match(string.sub(entries[place], HEAD_SIZE + 1), '^%S+ %S+ (.*)$')
