/** What Redis does in one step when a worker asks whether a request may be sent. */

/**
 * Every limit is kept by GCRA on the clock of Redis: `next` is when the coming request would be due if all came evenly,
 * and up to `burst` may come early. The pace is chosen such that no stretch of one period ever sees more than the limit,
 * bursts included. Nothing is counted before every limit that holds for the request lets it through.
 *
 * Those that have to wait stand in line at the limit that holds them longest, by the moment they were told to come
 * back, and whoever asks is behind all of them. One that is overdue by more than the grace has left.
 *
 * KEYS: the hash of the limits. ARGV: prefix, provider, model ('' for none), ticket, how long it waits at most in ms.
 * Answers {} to let it go, else {ms, limit}.
 */
export const ADMIT = `
local PERIODS = { s = 1000, min = 60000, hour = 3600000, day = 86400000 }
local GRACE = 1000
local prefix, provider, model, ticket, most = ARGV[1], ARGV[2], ARGV[3], ARGV[4], tonumber(ARGV[5])

local rules = redis.call('HGETALL', KEYS[1])
local wide, narrow = nil, nil
for i = 1, #rules, 2 do
  local target = rules[i]
  local count, per = string.match(rules[i + 1], '^(%d+)/(%a+)$')
  if count and PERIODS[per] and tonumber(count) > 0 then
    local rule = { target = target, text = target .. '=' .. rules[i + 1], count = tonumber(count), period = PERIODS[per] }
    local start = provider .. '/'
    if target == provider then
      wide = rule
    elseif model ~= '' and #target > #start and string.sub(start .. model, 1, #target) == target then
      if not narrow or #target > #narrow.target then narrow = rule end
    end
  end
end

local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + tonumber(time[2]) / 1000
local held, found = nil, {}
for _, rule in ipairs({ wide or false, narrow or false }) do
  if rule then
    local burst = math.max(1, math.floor(rule.count / 10))
    rule.every = rule.period / (rule.count - burst + 1)
    rule.key = prefix .. 'rate:' .. rule.target
    rule.line = prefix .. 'waiting:' .. rule.target
    rule.next = math.max(now, tonumber(redis.call('GET', rule.key) or '0'))
    redis.call('ZREMRANGEBYSCORE', rule.line, '-inf', '(' .. string.format('%.3f', now - GRACE))
    local ahead = redis.call('ZRANK', rule.line, ticket) or redis.call('ZCARD', rule.line)
    rule.free = rule.next + (ahead - burst + 1) * rule.every
    if rule.free > now and (not held or rule.free > held.free) then held = rule end
    table.insert(found, rule)
  end
end

for _, rule in ipairs(found) do
  redis.call('ZREM', rule.line, ticket)
  if not held then
    local next = rule.next + rule.every
    redis.call('SET', rule.key, string.format('%.3f', next), 'PX', math.ceil(next - now + rule.period))
  end
end
if not held then return {} end
local wait = math.ceil(held.free - now)
if wait <= most then
  redis.call('ZADD', held.line, string.format('%.3f', held.free), ticket)
  redis.call('PEXPIRE', held.line, math.ceil(wait + held.period + GRACE))
end
return { wait, held.text }
`;

/**
 * A pause is kept for those who start later and told to those who listen. A shorter one does not end a longer one.
 * KEYS: of the pause. ARGV: ms, status, channel, message.
 */
export const PAUSE = `
if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[1]) then
  redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[1])
end
return redis.call('PUBLISH', ARGV[3], ARGV[4])
`;
