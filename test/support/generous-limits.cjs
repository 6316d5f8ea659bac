// Programs of tests load this first.
require('./multiply-limits.cjs')();
delete require.cache[require.resolve('./generous-limits.cjs')];
