// The service of `npm run dev`: loads packages, waits for a line on stdin, and runs the sources. It ends with stdin, and so with the
// process that started it, also if that one is killed. `process.send` is absent, because the service is not a child of another one.
const hook = require.resolve('../test/support/jest/typescript.cjs');
require(hook);
const { dependencies } = require('../package.json');

const main = require.resolve('../src/main.ts');
// The process of imports runs the same program with the same options.
process.argv[1] = main;
process.execArgv.push('--require', hook);
let isRunning = false;

process.stdin.once('data', () => {
  isRunning = true;
  if (process.env.DEV_INSPECT) require('node:inspector').open(Number(process.env.DEV_INSPECT));
  require(main);
});
process.stdin.on('end', () => (isRunning ? process.kill(process.pid, 'SIGTERM') : process.exit()));

const rarelyUsed = /^(@opentelemetry|@clickhouse|swagger-ui-dist|ioredis)/;
for (const name of Object.keys(dependencies).filter((name) => !rarelyUsed.test(name))) require(name);
