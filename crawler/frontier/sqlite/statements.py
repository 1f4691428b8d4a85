"""The embedded frontier's tables and statements. Times are microseconds since 1970.

A URL is a row in exactly one of ``queue``, ``waiting``, ``leases`` and ``dead``; or it is done, and
is a row in ``visits`` until it is visited again, or only its digest remains. Its digest is in
``visits`` or in ``seen``. ``queue`` is stored in the order in which URLs are leased.
``seen`` is stored by host: most links of a page stay on its host, so they change few pages of the
file. Every statement of a lease or an addition is a search in one B-tree.
"""

# ruff: noqa: S608  # only constants of this file are put into statements

from __future__ import annotations

VERSION = 6
# "GFRT", in the header of the file.
APPLICATION_ID = 0x47465254

# What version 3 added to version 2.
SITES = (
    # number: of the worker's last change of outcomes.
    "CREATE TABLE recounts (worker TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID",
    # key: of the page. marks: what is remembered of it.
    """CREATE TABLE sites (
        host TEXT NOT NULL, key BLOB NOT NULL, marks BLOB NOT NULL, UNIQUE (host, key))""",
)

# What version 4 added to version 3.
REVISITS = (
    # run_at: when the last run began, in seconds; what was due by then belongs to it. due: how many
    # of these wait. share: of visits, in millionths; -1 if URLs are visited once. uncharged: bytes
    # that were received in earlier runs. time: of the last change.
    "ALTER TABLE job ADD COLUMN run_at INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE job ADD COLUMN due INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE job ADD COLUMN share INTEGER NOT NULL DEFAULT -1",
    "ALTER TABLE job ADD COLUMN uncharged INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE job ADD COLUMN time INTEGER NOT NULL DEFAULT 0",
    # credit: of revisits, in millionths of a visit.
    "ALTER TABLE hosts ADD COLUMN due INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE hosts ADD COLUMN credit INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE leases ADD COLUMN leased_at INTEGER NOT NULL DEFAULT 0",
    # due, visited: in seconds since 1970. url: see ``encoding.short_url``.
    """CREATE TABLE visits (
        host INTEGER NOT NULL, due INTEGER NOT NULL, digest INTEGER NOT NULL,
        visited INTEGER NOT NULL, rank INTEGER NOT NULL, url TEXT NOT NULL, note TEXT NOT NULL,
        PRIMARY KEY (host, due, digest)) WITHOUT ROWID""",
    "CREATE UNIQUE INDEX visits_digest ON visits (host, digest)",
    """CREATE TABLE counts (
        host INTEGER NOT NULL, name TEXT NOT NULL, amount REAL NOT NULL,
        PRIMARY KEY (host, name)) WITHOUT ROWID""",
)

# What version 5 added to version 4.
RUNS = (
    # run_token: the last token of earlier runs. before: pages of earlier runs.
    "ALTER TABLE job ADD COLUMN run_token INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE outcomes ADD COLUMN before INTEGER NOT NULL DEFAULT 0",
)

# What version 6 added to version 5.
HOSTS = (
    # rest_until: no visit before, whatever was sent. failures: visits in a row that have failed.
    "ALTER TABLE hosts ADD COLUMN rest_until INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE hosts ADD COLUMN failures INTEGER NOT NULL DEFAULT 0",
)

SCHEMA = (
    # One row: the totals, the last number and token, and the limits that ``hosts.open`` depends on.
    """CREATE TABLE job (
        key BLOB NOT NULL,
        visits_per_host INTEGER NOT NULL, pages_per_host INTEGER NOT NULL,
        number INTEGER NOT NULL DEFAULT 0, token INTEGER NOT NULL DEFAULT 0,
        queued INTEGER NOT NULL DEFAULT 0, waiting INTEGER NOT NULL DEFAULT 0,
        leased INTEGER NOT NULL DEFAULT 0, done INTEGER NOT NULL DEFAULT 0,
        dead INTEGER NOT NULL DEFAULT 0, purged INTEGER NOT NULL DEFAULT 0,
        refused INTEGER NOT NULL DEFAULT 0, hosts INTEGER NOT NULL DEFAULT 0,
        charged INTEGER NOT NULL DEFAULT 0, received INTEGER NOT NULL DEFAULT 0)""",
    # visiting: visits in progress. open: the host may be visited once next_at has come.
    # charged: done URLs that were pages, which the limits count.
    # turn: the token of the last lease, which orders hosts with the same next_at.
    """CREATE TABLE hosts (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE,
        next_at INTEGER NOT NULL DEFAULT 0, turn INTEGER NOT NULL DEFAULT 0,
        pace INTEGER NOT NULL DEFAULT 0, open INTEGER NOT NULL DEFAULT 0,
        queued INTEGER NOT NULL DEFAULT 0, waiting INTEGER NOT NULL DEFAULT 0,
        leased INTEGER NOT NULL DEFAULT 0, visiting INTEGER NOT NULL DEFAULT 0,
        done INTEGER NOT NULL DEFAULT 0, dead INTEGER NOT NULL DEFAULT 0,
        charged INTEGER NOT NULL DEFAULT 0)""",
    "CREATE INDEX hosts_open ON hosts (next_at, turn) WHERE open",
    """CREATE TABLE seen (
        host INTEGER NOT NULL, digest INTEGER NOT NULL,
        PRIMARY KEY (host, digest)) WITHOUT ROWID""",
    # rank: priority and depth in one number, lowest first. number: the order of addition.
    """CREATE TABLE queue (
        host INTEGER NOT NULL, rank INTEGER NOT NULL, number INTEGER NOT NULL,
        url TEXT NOT NULL, failures INTEGER NOT NULL, losses INTEGER NOT NULL, note TEXT NOT NULL,
        PRIMARY KEY (host, rank, number)) WITHOUT ROWID""",
    """CREATE TABLE waiting (
        host INTEGER NOT NULL, rank INTEGER NOT NULL, number INTEGER NOT NULL,
        url TEXT NOT NULL, failures INTEGER NOT NULL, losses INTEGER NOT NULL, note TEXT NOT NULL,
        due INTEGER NOT NULL, PRIMARY KEY (due, number)) WITHOUT ROWID""",
    """CREATE TABLE leases (
        host INTEGER NOT NULL, rank INTEGER NOT NULL, number INTEGER NOT NULL,
        url TEXT NOT NULL, failures INTEGER NOT NULL, losses INTEGER NOT NULL, note TEXT NOT NULL,
        token INTEGER PRIMARY KEY, deadline INTEGER NOT NULL, visiting INTEGER NOT NULL)""",
    "CREATE INDEX leases_deadline ON leases (deadline)",
    """CREATE TABLE dead (
        host INTEGER NOT NULL, rank INTEGER NOT NULL, number INTEGER PRIMARY KEY,
        url TEXT NOT NULL, failures INTEGER NOT NULL, losses INTEGER NOT NULL, note TEXT NOT NULL,
        reason TEXT NOT NULL, died_at INTEGER NOT NULL)""",
    "CREATE TABLE outcomes (outcome TEXT PRIMARY KEY, pages INTEGER NOT NULL) WITHOUT ROWID",
    *SITES,
    *REVISITS,
    *RUNS,
    *HOSTS,
)

# By the version of an older file, what it lacks.
MISSING = {
    2: (*SITES, *REVISITS, *RUNS, *HOSTS),
    3: (*REVISITS, *RUNS, *HOSTS),
    4: (*RUNS, *HOSTS),
    5: HOSTS,
}

# Not in the schema, because files without an owner have the same version.
OWNER_TABLE = "CREATE TABLE IF NOT EXISTS owner (job TEXT NOT NULL)"
OWNER = "SELECT job FROM owner"
SET_OWNER = "INSERT INTO owner (job) VALUES (?)"

BEGIN_JOB = "INSERT INTO job (key, visits_per_host, pages_per_host) VALUES (?, 1, 1)"
JOB = "SELECT * FROM job"
SET_LIMITS = "UPDATE job SET visits_per_host = :visits, pages_per_host = :pages, share = :share"

# Whether a host may be visited, once its time has come.
_OPEN = """queued + due * (SELECT share >= 0 FROM job) > 0
    AND visiting < (SELECT visits_per_host FROM job)
    AND charged + leased < (SELECT pages_per_host FROM job)"""
REOPEN_HOSTS = f"""UPDATE hosts SET open = ({_OPEN}), next_at = min(next_at, :latest),
    rest_until = min(rest_until, :latest)
    WHERE open != ({_OPEN}) OR next_at > :latest"""
CUT_WAITING = "UPDATE waiting SET due = :latest WHERE due > :latest"

# Adding
FIND_HOST = "SELECT id FROM hosts WHERE name = ?"
ADD_HOST = "INSERT INTO hosts (name) VALUES (?)"
MARK_SEEN = """INSERT OR IGNORE INTO seen (host, digest) SELECT :host, :digest
    WHERE NOT EXISTS (SELECT 1 FROM visits WHERE host = :host AND digest = :digest)"""
UNMARK_SEEN = "DELETE FROM seen WHERE host = ? AND digest = ?"

# Moving a URL between tables; what is moved is always (host, rank, number, url, …, note).
_MOVED = "host, rank, number, url, failures, losses, note"
ENQUEUE = f"INSERT INTO queue ({_MOVED}) VALUES (?, ?, ?, ?, ?, ?, ?)"
PUT_OFF = f"INSERT INTO waiting ({_MOVED}, due) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
LEASE = f"""INSERT INTO leases ({_MOVED}, token, deadline, leased_at, visiting)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)"""
BURY = f"INSERT INTO dead ({_MOVED}, reason, died_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
TAKE_FIRST = f"""DELETE FROM queue WHERE host = :host AND (rank, number) =
    (SELECT rank, number FROM queue WHERE host = :host ORDER BY rank, number LIMIT 1)
    RETURNING {_MOVED}"""
TAKE_DUE = f"""DELETE FROM waiting WHERE (due, number) IN
    (SELECT due, number FROM waiting WHERE due <= :now ORDER BY due LIMIT :limit)
    RETURNING {_MOVED}"""
TAKE_LEASE = f"DELETE FROM leases WHERE token = ? RETURNING {_MOVED}, leased_at, visiting"

# Leasing
OPEN_HOSTS = """SELECT id, name, queued, due, credit, failures FROM hosts
    WHERE open AND next_at <= :now ORDER BY next_at, turn LIMIT :limit"""
EXPIRED = "SELECT token FROM leases WHERE deadline <= :now ORDER BY deadline LIMIT :limit"
ALL_LEASES = "SELECT token FROM leases"
RENEW = "UPDATE leases SET deadline = ? WHERE token = ?"
END_VISIT = "UPDATE leases SET visiting = 0 WHERE token = ? AND visiting RETURNING host"
NEXT_OPEN = "SELECT next_at FROM hosts WHERE open ORDER BY next_at LIMIT 1"
NEXT_DUE = "SELECT due FROM waiting ORDER BY due LIMIT 1"
NEXT_DEADLINE = "SELECT deadline FROM leases ORDER BY deadline LIMIT 1"
# A waiting URL does not keep the crawl alive if its host has reached its limit of pages.
ANY_WAITING = """SELECT 1 FROM waiting JOIN hosts ON hosts.id = waiting.host
    WHERE hosts.charged < (SELECT pages_per_host FROM job) LIMIT 1"""

# Counting. Expressions on the right-hand side see the values from before the update. After a visit
# in which nothing was sent, the host has its turn back, unless another visit has begun since.
COUNT_HOST = """UPDATE hosts SET
    queued = queued + :queued, waiting = waiting + :waiting, leased = leased + :leased,
    visiting = visiting + :visiting, done = done + :done, dead = dead + :dead,
    charged = charged + :charged, due = due + :due, credit = credit + :credit,
    turn = max(turn, :turn),
    next_at = max(
        CASE WHEN :unsent > 0 AND turn = :unsent
            THEN max(rest_until, min(next_at, :now)) ELSE next_at END,
        CASE WHEN :visited THEN :now + max(:delay, min(pace, :longest_pace)) ELSE 0 END),
    open = queued + :queued + (due + :due) * (SELECT share >= 0 FROM job) > 0
        AND visiting + :visiting < (SELECT visits_per_host FROM job)
        AND charged + :charged + leased + :leased < (SELECT pages_per_host FROM job)
    WHERE id = :host"""
COUNT_JOB = """UPDATE job SET
    queued = queued + :queued, waiting = waiting + :waiting, leased = leased + :leased,
    done = done + :done, dead = dead + :dead, purged = purged + :purged,
    refused = refused + :refused, hosts = hosts + :hosts,
    charged = charged + :charged, received = received + :received, due = due + :due,
    number = number + :number, token = token + :token, time = max(time, :now)"""
COUNT_OUTCOME = """INSERT INTO outcomes (outcome, pages) VALUES (?, ?)
    ON CONFLICT (outcome) DO UPDATE SET pages = pages + excluded.pages"""
# Changes a row, and so returns one, only for a number that is greater than the last.
RECOUNT = """INSERT INTO recounts (worker, number) VALUES (?, ?)
    ON CONFLICT (worker) DO UPDATE SET number = excluded.number WHERE number < excluded.number"""
OUTCOMES = "SELECT outcome, pages, before FROM outcomes"
# Leases past their deadline are over, though no call of ``lease`` has returned them yet.
COUNT_EXPIRED = "SELECT count(*) FROM leases WHERE deadline <= ?"
BUSIEST_HOSTS = """WITH expired AS (
        SELECT host, count(*) AS leases FROM leases WHERE deadline <= :now GROUP BY host)
    SELECT name, queued + waiting + coalesce(leases, 0) AS left, leased - coalesce(leases, 0),
        done, dead, next_at
    FROM hosts LEFT JOIN expired ON expired.host = hosts.id ORDER BY left DESC, name LIMIT :limit"""

# Visiting again. Every visit in the table has a history, so its note begins with a mark.
PLAN = """INSERT OR IGNORE INTO visits (host, due, digest, visited, rank, url, note)
    VALUES (:host, :due, :digest, :visited, :rank, :url, :note)"""
TAKE_VISIT = """DELETE FROM visits WHERE host = :host AND (due, digest) =
    (SELECT due, digest FROM visits WHERE host = :host ORDER BY due, digest LIMIT 1)
    RETURNING digest, rank, url, note"""
HINT = """UPDATE visits SET due = :run_at, note = :mark || substr(note, 2)
    WHERE host = :host AND digest = :digest AND due > :run_at AND visited < :changed"""
FIND_VISIT = "SELECT note FROM visits WHERE host = :host AND digest = :digest"
FIND_NOTE = """SELECT note FROM visits
    WHERE host = (SELECT id FROM hosts WHERE name = ?) AND digest = ?"""
REPLAN = """UPDATE visits SET due = CASE WHEN due > :run_at THEN :due ELSE due END, note = :note
    WHERE host = :host AND digest = :digest"""
CALL_OFF = "DELETE FROM visits WHERE host = :host AND digest = :digest RETURNING due"

# Where the clock was set back
SET_BACK_HOSTS = "UPDATE hosts SET next_at = next_at - :by, rest_until = rest_until - :by"
SET_BACK_WAITING = "UPDATE waiting SET due = due - :by"
SET_BACK_VISITS = "UPDATE visits SET due = due - :by, visited = visited - :by"
SET_BACK_JOB = "UPDATE job SET run_at = run_at - :by, time = :now"

# Runs
BEGIN_RUN = """UPDATE job SET run_at = max(run_at, :now), run_token = token, charged = 0,
    uncharged = received"""
BEGIN_OUTCOMES = "UPDATE outcomes SET before = pages"
FIND_DUE = """UPDATE hosts SET charged = 0, failures = 0, due = (SELECT count(*) FROM visits
    WHERE visits.host = hosts.id AND visits.due <= (SELECT run_at FROM job))"""
COUNT_DUE = "UPDATE job SET due = (SELECT coalesce(sum(due), 0) FROM hosts)"
COUNT = """INSERT INTO counts (host, name, amount) VALUES (?, ?, ?)
    ON CONFLICT (host, name) DO UPDATE SET amount = amount + excluded.amount"""
# What a host has sent, on the day whose number is beside it.
COUNT_SENT = """INSERT INTO counts (host, name, amount) VALUES (:host, 'sent', :size)
    ON CONFLICT (host, name) DO UPDATE SET amount = excluded.amount + amount * coalesce((
        SELECT day.amount = :day FROM counts AS day
        WHERE day.host = :host AND day.name = 'sent-day'), 0)
    RETURNING amount"""
SET_SENT_DAY = """INSERT INTO counts (host, name, amount) VALUES (:host, 'sent-day', :day)
    ON CONFLICT (host, name) DO UPDATE SET amount = excluded.amount"""
COUNTS = """SELECT counts.name, amount FROM counts JOIN hosts ON hosts.id = counts.host
    WHERE hosts.name = ?"""

# Politeness
_REST = "next_at = max(next_at, :until), rest_until = max(rest_until, :until)"
DELAY_HOST = f"UPDATE hosts SET {_REST} WHERE id = :host"
PACE_HOST = f"UPDATE hosts SET pace = :pace, {_REST} WHERE id = :host"

# Failures of hosts
SET_FAILURES = "UPDATE hosts SET failures = :failures WHERE name = :name AND failures = :before"

# Sites
MARKS = "SELECT marks FROM sites WHERE host = ?"
ADD_MARKS = """INSERT INTO sites (host, key, marks) SELECT :host, :key, :marks
    WHERE (SELECT count(*) FROM sites WHERE host = :host) < :capacity
    ON CONFLICT (host, key) DO UPDATE SET marks = excluded.marks"""

# Dead letters: all, or those of one host, or with one reason
_CHOSEN = "(:host IS NULL OR host = :host) AND (:reason IS NULL OR reason = :reason)"
DEAD_LETTERS = """SELECT dead.*, hosts.name FROM dead JOIN hosts ON hosts.id = dead.host
    WHERE number > :after AND (:name IS NULL OR hosts.name = :name)
    ORDER BY number LIMIT :limit"""
DEAD_REASONS = """SELECT reason, count(*) FROM dead
    WHERE :name IS NULL OR host = (SELECT id FROM hosts WHERE name = :name)
    GROUP BY reason ORDER BY count(*) DESC, reason"""
DEAD_BY_HOST = f"SELECT host, count(*) FROM dead WHERE {_CHOSEN} GROUP BY host"
REQUEUE_DEAD = f"""INSERT INTO queue ({_MOVED})
    SELECT host, rank, number, url, 0, 0, note FROM dead WHERE {_CHOSEN}"""
FORGET_FAILURES = f"""UPDATE hosts SET failures = 0
    WHERE id IN (SELECT host FROM dead WHERE {_CHOSEN})"""
DELETE_DEAD = f"DELETE FROM dead WHERE {_CHOSEN}"
