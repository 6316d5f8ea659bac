import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const build = join(__dirname, '../../build');

/** Returns the packages that a program loads for the compiled files. */
function packagesOf(...files: string[]): Set<string> {
  const script = `
    for (const file of process.argv.slice(1)) require(file);
    console.log(JSON.stringify(Object.keys(require.cache)));`;
  const output = execFileSync(process.execPath, ['-e', script, ...files.map((file) => join(build, file))], {
    encoding: 'utf8',
  });
  const loaded = JSON.parse(output) as string[];
  return new Set(loaded.flatMap((path) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? []));
}

test('link traffic loads neither Nest nor TypeORM, nor what only some of its processes use', () => {
  const packages = packagesOf('app/serve.js', 'app/traffic-process.js');
  expect(packages).toContain('pg');
  const unused = /^(?:@nestjs\/|typeorm$|rxjs$|class-|express$|ioredis$|@clickhouse\/|prom-client$)|opentelemetry/;
  expect([...packages].filter((name) => unused.test(name))).toEqual([]);
});

test('a start without pending migrations loads no role before the configuration is known', () => {
  const packages = packagesOf('app/settings/config.js', 'app/serve.js');
  expect([...packages].filter((name) => /^(?:@nestjs\/|typeorm$)/.test(name))).toEqual([]);
});
