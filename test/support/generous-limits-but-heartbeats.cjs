// Programs of tests about changes that must be visible within a second load this first.
require('./multiply-limits.cjs')(['heartbeat', 'heartbeatValid']);
delete require.cache[require.resolve('./generous-limits-but-heartbeats.cjs')];
