// The service of `npm run dev`: loads packages, waits for a line on stdin, and runs the sources. It ends with stdin, and so with the
// process that started it, also if that one is killed. `process.send` is absent, because the service is not a child of another one.
const hook = require.resolve('../test/support/jest/typescript.cjs');
const { sourceMaps } = require(hook);
const { readFileSync } = require('node:fs');
const { SourceMap } = require('node:module');
const { dependencies } = require('../package.json');

const main = require.resolve('../src/main.ts');
// The process of imports runs the same program with the same options.
process.argv[1] = main;
process.execArgv.push('--require', hook);
let isRunning = false;

const readMap = (file) => new SourceMap(JSON.parse(readFileSync(file, 'utf8')));
/** Names the line of the source. Node itself would read all maps at the start, which takes a fifth of its time. */
function placeOf(frame) {
  const map = sourceMaps.get(frame.getFileName());
  if (!map) return `    at ${frame}`;
  const { lineNumber, columnNumber } = readMap(map).findOrigin(frame.getLineNumber(), frame.getColumnNumber());
  return `    at ${frame}`.replace(/:\d+:\d+(?=\)?$)/, `:${lineNumber}:${columnNumber}`);
}
Error.prepareStackTrace = (error, frames) => [String(error), ...frames.map(placeOf)].join('\n');

process.stdin.once('data', () => {
  isRunning = true;
  if (process.env.DEV_INSPECT) require('node:inspector').open(Number(process.env.DEV_INSPECT));
  const { pictureThread } = require('../src/links/pictures/picture-thread.ts');
  Object.assign(pictureThread, { file: require.resolve('../src/picture-worker.ts'), execArgv: ['--require', hook] });
  require(main);
});
process.stdin.on('end', () => (isRunning ? process.kill(process.pid, 'SIGTERM') : process.exit()));

const rarelyUsed = /^(@opentelemetry|@clickhouse|swagger-ui-dist|ioredis)/;
for (const name of Object.keys(dependencies).filter((name) => !rarelyUsed.test(name))) require(name);
