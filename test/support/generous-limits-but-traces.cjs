// Programs of tests about a stop without a collector load this first.
require('./multiply-limits.cjs')(['traceFlush']);
delete require.cache[require.resolve('./generous-limits-but-traces.cjs')];
