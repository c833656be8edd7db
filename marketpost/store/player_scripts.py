"""Lua scripts for players, addresses, codes and tokens: each is one atomic step in Redis."""

# REGISTER: claim an address for a player.
# KEYS: the address. ARGV: player. Result: the player who owns the address.
# Atomic. Race: two requests register the same address; the first owns it, the second gets that owner.
REGISTER = """
local owner = redis.call('GET', KEYS[1])
if owner then return owner end
redis.call('SET', KEYS[1], ARGV[1])
return ARGV[1]
"""

# RELEASE: delete a key that still has a value: the address of a player, or a profile as it was read.
# KEYS: the key. ARGV: the value. Result: 1, or 0 if it has another value.
# Atomic. Race: somebody else claims the address, or changes the profile, in the same moment; what they wrote stays.
RELEASE = """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call('DEL', KEYS[1])
"""

# CHANGE: replace a player who is still as they were read.
# KEYS: the player. ARGV: as read, the new value. Result: 1, or 0 if somebody changed or erased the player: the caller reads again.
# Atomic, so that of two changes neither is lost and an erased player is not written back.
CHANGE = """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2])
return 1
"""

# USE_CODE: sign in with a mailed code.
# KEYS: the code of an address. ARGV: request and network of whoever has the code, hash of the secret that it is used for, seconds for
# which the same secret may use it again. Result: 1, or 0 for a code that is unknown, used, expired or was asked for by somebody else.
# Atomic, so that requests at once do not use a code twice.
USE_CODE = """
local request, network, by = unpack(redis.call('HMGET', KEYS[1], 'request', 'network', 'by'))
if not request then return 0 end
if ARGV[1] ~= '' and request ~= '' and request ~= ARGV[1] then return 0 end
if ARGV[1] == '' and network ~= '' and network ~= ARGV[2] then return 0 end
if by and by ~= ARGV[3] then return 0 end
redis.call('HSET', KEYS[1], 'by', ARGV[3])
if not by then redis.call('EXPIRE', KEYS[1], ARGV[4]) end
return 1
"""

# TOUCH: replace a token that is still as it was read.
# KEYS: the token. ARGV: as read, the new value. Result: 1, or 0 if it was revoked or touched meanwhile: the caller ignores it.
# Atomic. Race: a player revokes the token while a request uses it; it is not written back. Its expiry stays.
TOUCH = """
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
return 1
"""
