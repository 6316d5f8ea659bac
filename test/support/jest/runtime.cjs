const { sep } = require('node:path');
const Runtime = require('jest-runtime').default;
const { sourceMaps } = require('./typescript.cjs');

const circus = `${sep}jest-circus${sep}`;
const eventHandlers = Symbol.for('EVENT_HANDLERS');

/**
 * Loads modules once per worker with Node's own loader, not once per spec file. ES modules in packages load as they do in
 * production. Spec files of a worker share the state of all other modules; modules cannot be mocked.
 */
module.exports = class SharedModulesRuntime extends Runtime {
  #path;

  constructor(...args) {
    super(...args);
    this.#path = args[6];
    // jest-circus keeps the tests of one spec file in its modules.
    delete globalThis[eventHandlers];
    for (const path of Object.keys(require.cache)) if (path.includes(circus)) delete require.cache[path];
  }

  requireInternalModule(from, to) {
    return require(to ?? from);
  }

  /**
   * Loads a set-up file or a spec. Imports go past it. `process.getBuiltinModule`, which jest replaces, calls it with a name:
   * without this case the calling spec is loaded a second time.
   */
  requireModule(path, name) {
    if (name !== undefined) return require(name);
    globalThis.jest = this.requireModuleOrMock(path, '@jest/globals').jest;
    // Both register hooks and tests each time.
    delete require.cache[path];
    return require(path);
  }

  getSourceMaps() {
    return sourceMaps;
  }

  teardown() {
    delete require.cache[this.#path];
    for (const symbol of Object.getOwnPropertySymbols(globalThis))
      if (symbol.description === 'JEST_STATE_SYMBOL') delete globalThis[symbol];
    super.teardown();
  }
};
