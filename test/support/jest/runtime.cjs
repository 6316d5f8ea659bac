const asyncHooks = require('node:async_hooks');
const { sep } = require('node:path');
const Runtime = require('jest-runtime').default;
const { sourceMaps } = require('./typescript.cjs');

const circus = `${sep}jest-circus${sep}`;
const eventHandlers = Symbol.for('EVENT_HANDLERS');

/**
 * Loads modules once per worker with the loader of Node, not once per spec file. ES modules in packages load as they do in
 * production. Spec files of a worker share the state of all other modules, and modules cannot be mocked.
 */
module.exports = class SharedModulesRuntime extends Runtime {
  #path;
  #storages = [];

  constructor(...args) {
    super(...args);
    this.#path = args[6];
    // jest-circus keeps the tests of one spec file in its modules.
    delete globalThis[eventHandlers];
    for (const path of Object.keys(require.cache)) if (path.includes(circus)) delete require.cache[path];
  }

  requireInternalModule(from, to) {
    const path = to ?? from;
    return path.includes(circus) ? this.#requireCircus(path) : require(path);
  }

  /** Collects the storages of one spec file, because each one that is not disabled makes every promise of the worker slower. */
  #requireCircus(path) {
    const { AsyncLocalStorage } = asyncHooks;
    const storages = this.#storages;
    asyncHooks.AsyncLocalStorage = class extends AsyncLocalStorage {
      constructor(...args) {
        super(...args);
        storages.push(this);
      }
    };
    try {
      return require(path);
    } finally {
      asyncHooks.AsyncLocalStorage = AsyncLocalStorage;
    }
  }

  /**
   * Loads a set-up file or a spec, but not their imports. Jest's `process.getBuiltinModule` calls it with a name. Without this
   * case the calling spec would load twice.
   */
  requireModule(path, name) {
    if (name !== undefined) return require(name);
    globalThis.jest = this.requireModuleOrMock(path, '@jest/globals').jest;
    // Set-up files and specs register hooks and tests on each load.
    delete require.cache[path];
    return require(path);
  }

  getSourceMaps() {
    return sourceMaps;
  }

  teardown() {
    for (const storage of this.#storages) storage.disable();
    delete require.cache[this.#path];
    for (const symbol of Object.getOwnPropertySymbols(globalThis))
      if (symbol.description === 'JEST_STATE_SYMBOL') delete globalThis[symbol];
    super.teardown();
  }
};
