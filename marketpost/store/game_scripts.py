"""Lua scripts on the keys of one game: each runs atomically in Redis."""

# ACCEPT: store a move, once for each idempotency key.
# KEYS: pending, moves, keys, compact, numbers, log. ARGV: id ('' for a new one), the move, hash of what it asks, salt, name of its key.
# Result: the move's id and the hash that the key was first used with; 'compact' if the game must be restored first; 'away' if it is in
# an archive, where a move would wait until it is restored.
# Atomic, so that of two requests with the same key one finds the move of the other. An id follows from its number and a salt.
ACCEPT = """
local pending, moves, keys, compact, numbers, log = unpack(KEYS)
local move, data, body, salt, key = unpack(ARGV)
local seen = key and redis.call('HGET', keys, key)
if seen then return seen end
if redis.call('EXISTS', compact) == 1 then return 'compact' end
if redis.call('EXISTS', log) == 0 then return 'away' end
if move == '' then
  redis.call('HSETNX', numbers, 'salt', salt)
  move = string.sub(redis.sha1hex(redis.call('HGET', numbers, 'salt') .. ' ' .. redis.call('HINCRBY', numbers, 'last', 1)), 1, 12)
  data = '{"id":"' .. move .. string.sub(data, 8)
end
if key then redis.call('HSET', keys, key, move .. ' ' .. body) end
redis.call('HSET', moves, move, data)
redis.call('RPUSH', pending, move)
return move .. ' ' .. body
"""

# COMMIT: append changes that follow one another, each with its entries, notices and outcome.
# KEYS: log, moves, pending, outcomes, outbox, head, compact. ARGV: version and hash of its entry that the judge saw ('' if unknown), then
# for each change: move, outcome, hash of its last entry, number of entries, number of notices, the entries, the notices.
# Result: for each change 'done', 'decided' (the move has an outcome) or 'grown' (the log differs from what was judged), up to the first
# that was not written; {'compact'} if the game must be restored first.
# Atomic. Race: two workers may judge the same move. The log must still end with the very entry that was judged on, so the second
# finds 'decided' or 'grown' and judges again. Comparing the hash and not only the version also covers a store restored from a backup.
COMMIT = """
local log, moves, pending, outcomes, outbox, head = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
if redis.call('EXISTS', KEYS[7]) == 1 then return {'compact'} end
local last = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)
local found = last[1] and tonumber(string.match(last[1][1], '%d+')) or 0
local version, place, became, head_now = tonumber(ARGV[1]), 3, {}, nil
local kept = redis.call('GET', head) or ''
local is_as_judged = found == version and (ARGV[2] == '' or kept == '' or kept == ARGV[2])
while place <= #ARGV and (#became == 0 or became[#became] == 'done') do
  local move, outcome, hash = ARGV[place], ARGV[place + 1], ARGV[place + 2]
  local notices = place + 5 + tonumber(ARGV[place + 3])
  local behind = notices + tonumber(ARGV[place + 4])
  if move ~= '' and redis.call('HEXISTS', outcomes, move) == 1 then
    became[#became + 1] = 'decided'
  elseif not is_as_judged then
    became[#became + 1] = 'grown'
  else
    for number = place + 5, notices - 1 do
      version, head_now = version + 1, hash
      redis.call('XADD', log, version .. '-0', 'e', ARGV[number])
    end
    for number = notices, behind - 1 do redis.call('RPUSH', outbox, ARGV[number]) end
    if move ~= '' then redis.call('HSET', outcomes, move, outcome) end
    became[#became + 1] = 'done'
  end
  if move ~= '' and became[#became] ~= 'grown' then
    redis.call('HDEL', moves, move)
    redis.call('LREM', pending, 0, move)
  end
  place = behind
end
if head_now then redis.call('SET', head, head_now) end
return became
"""

# SETTLE_AHEAD: use up or drop a player's orders ahead.
# KEYS: ahead, pending, moves, numbers, outbox, log. ARGV: player, the orders as they were read, version that was judged, the move that they
# make ('' if none), salt, the notice that this answers ('' if none), the notice that takes its place ('' if none).
# Result: 1, or 0 if the orders are not as they were read or the log has grown.
# Atomic. Race: the worker that plays the orders and their player, who takes them back or writes others. Whoever comes first counts: if
# the player did, the worker finds other orders and nothing is played; if the worker did, the player finds none to take back.
SETTLE_AHEAD = """
local ahead, pending, moves, numbers, outbox, log = unpack(KEYS)
local player, orders, version, data, salt, answered, told = unpack(ARGV)
local last = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)
if redis.call('HGET', ahead, player) ~= orders then return 0 end
if not last[1] or string.match(last[1][1], '%d+') ~= version then return 0 end
redis.call('HDEL', ahead, player)
if data ~= '' then
  redis.call('HSETNX', numbers, 'salt', salt)
  local move = string.sub(redis.sha1hex(redis.call('HGET', numbers, 'salt') .. ' ' .. redis.call('HINCRBY', numbers, 'last', 1)), 1, 12)
  redis.call('HSET', moves, move, '{"id":"' .. move .. string.sub(data, 8))
  redis.call('RPUSH', pending, move)
end
if answered ~= '' then redis.call('LREM', outbox, 1, answered) end
if told ~= '' then redis.call('RPUSH', outbox, told) end
return 1
"""

# OPEN: begin a log with its secret and first notices.
# KEYS: log, secret, outbox, head, compact, archived. ARGV: secret, hash of the last entry, number of entries, the entries, the notices.
# Result: 1, or 0 if the game exists or is archived. Atomic, so that of two requests that open the same id one finds the other's game.
OPEN = """
if redis.call('EXISTS', KEYS[1], KEYS[5], KEYS[6]) > 0 then return 0 end
redis.call('SET', KEYS[2], ARGV[1])
redis.call('SET', KEYS[4], ARGV[2])
local entries = tonumber(ARGV[3])
for number = 1, entries do
  redis.call('XADD', KEYS[1], number .. '-0', 'e', ARGV[3 + number])
end
for number = 4 + entries, #ARGV do
  redis.call('RPUSH', KEYS[3], ARGV[number])
end
return 1
"""

# SAY: store a message of the table talk with its notices.
# KEYS: said, outbox, log, compact. ARGV: id, message, the notices. Result: 1, or 0 if the game is archived.
# Atomic, so that a message is never stored without its notices; the first message with an id stays.
SAY = """
local said, outbox, log, compact = unpack(KEYS)
if redis.call('EXISTS', log, compact) == 0 then return 0 end
redis.call('HSETNX', said, ARGV[1], ARGV[2])
for number = 3, #ARGV do redis.call('RPUSH', outbox, ARGV[number]) end
return 1
"""

# WORK: read what waits in a game and, if anything does, its log from an entry on.
# KEYS: pending, moves, outbox, log. ARGV: index of the last move to read, id of the first entry to read.
# Result: ids of moves, the moves, notices, entries. Atomic, so that the log is of the same moment as the moves that are judged on it.
WORK = """
local ids, outbox = redis.call('LRANGE', KEYS[1], 0, ARGV[1]), redis.call('LRANGE', KEYS[3], 0, -1)
if #ids + #outbox == 0 then return {{}, {}, {}, {}} end
local moves = #ids > 0 and redis.call('HMGET', KEYS[2], unpack(ids)) or {}
local news = redis.pcall('XRANGE', KEYS[4], ARGV[2], '+')
return {ids, moves, outbox, news.err and {} or news}
"""

# COMPACT: replace a log and its outcomes by a blob.
# KEYS: log, compact, outcomes, keys, moves, standing, numbers, pending, outbox, ahead. ARGV: version, blob, how many outcomes were read,
# seconds for which idempotency keys are still known. Result: 1, or 0 if the game is not as it was read or something waits in it.
# Atomic, so that no move is accepted or decided between the reading and the deleting.
COMPACT = """
local log, compact, outcomes, keys, moves, standing, numbers, pending, outbox, ahead = unpack(KEYS)
local last = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)
if not last[1] or tonumber(string.match(last[1][1], '%d+')) ~= tonumber(ARGV[1]) then return 0 end
if redis.call('EXISTS', pending, outbox) > 0 or redis.call('HLEN', outcomes) ~= tonumber(ARGV[3]) then return 0 end
redis.call('SET', compact, ARGV[2])
redis.call('EXPIRE', keys, ARGV[4])
redis.call('DEL', log, outcomes, moves, standing, numbers, ahead)
return 1
"""

# RESTORE: replace a blob by the log and the outcomes.
# KEYS: log, compact, outcomes, keys. ARGV: blob, how many entries, the entries, then ids and outcomes in turn.
# Result: 1, or 0 if the blob is not the one that was read. Atomic, so that of two workers that restore a game the second changes nothing.
RESTORE = """
local log, compact, outcomes, keys = unpack(KEYS)
if redis.call('GET', compact) ~= ARGV[1] then return 0 end
local entries = tonumber(ARGV[2])
for number = 1, entries do redis.call('XADD', log, number .. '-0', 'e', ARGV[2 + number]) end
for place = 3 + entries, #ARGV, 2 do redis.call('HSET', outcomes, ARGV[place], ARGV[place + 1]) end
redis.call('PERSIST', keys)
redis.call('DEL', compact)
return 1
"""
