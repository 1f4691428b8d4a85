-- forget
-- Mark URLs as seen, and call off their visits. It may be repeated, so no reply is kept.
-- ARGV: host and digest of each.

read_hosts(arguments(FIRST, 2))
for i = FIRST, #ARGV, 2 do
  local name, digest = ARGV[i], ARGV[i + 1]
  if mark_seen(digest) then
    count_job('purged', 1)
  else
    local bucket, entries, place = find_visit(name, digest)
    if bucket then
      remove_visit(name, bucket, entries, place)
    end
  end
end
write_hosts()
write_job()
