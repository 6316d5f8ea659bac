const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { transformSync, version } = require('@swc/core');

const options = {
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    target: 'es2023',
    keepClassNames: true,
  },
  module: { type: 'commonjs' },
  sourceMaps: true,
};

const cache = join(tmpdir(), `signpost-swc-${process.getuid?.() ?? 0}`);

/** Source map files by source path, in the form that jest reads for stack traces. */
exports.sourceMaps = new Map();

/** Lets `require` load TypeScript. A cache keeps the output between runs, by the hash of the source. */
require.extensions['.ts'] = (module, path) => {
  const source = readFileSync(path, 'utf8');
  const key = createHash('sha1')
    .update([version, JSON.stringify(options), path, source].join('\0'))
    .digest('hex');
  const output = join(cache, `${key}.js`);
  let code;
  try {
    code = readFileSync(output, 'utf8');
  } catch {
    const compiled = transformSync(source, { ...options, filename: path });
    ({ code } = compiled);
    mkdirSync(cache, { recursive: true, mode: 0o700 });
    write(`${output}.map`, compiled.map);
    write(output, code);
  }
  exports.sourceMaps.set(path, `${output}.map`);
  // For debuggers.
  module._compile(`${code}\n//# sourceMappingURL=${pathToFileURL(output)}.map`, path);
};

const resolveFilename = Module._resolveFilename;

/** Resolves `./x.js` in TypeScript to its source, because dynamic imports name the compiled file. */
Module._resolveFilename = function (request, parent, ...rest) {
  const isCompiled = parent?.filename?.endsWith('.ts') && /^\.{1,2}\/.*\.js$/.test(request);
  return resolveFilename.call(this, isCompiled ? request.slice(0, -'.js'.length) : request, parent, ...rest);
};

/** Writes a file atomically by renaming it, because other workers read the cache at the same time. */
function write(path, text) {
  const partial = `${path}.${process.pid}`;
  writeFileSync(partial, text);
  renameSync(partial, path);
}
