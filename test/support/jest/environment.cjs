require('./typescript.cjs');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');
const { readFailureReports } = require('../failure-reports.ts');
const { openDatabases } = require('../open-databases.ts');
const { missingOf } = require('../programs.ts');

/**
 * Runs specs in the global scope of the worker. Jest's default creates a new scope for each spec file, which loads every module
 * again.
 */
module.exports = class SharedGlobalEnvironment {
  #console = globalThis.console;
  #exit = process.exit;
  #skips;

  constructor({ projectConfig }, { docblockPragmas }) {
    this.#skips = missingOf([docblockPragmas.needs ?? []].flat()).length > 0;
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers = null;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {}

  /** Skips a file whose docblock names a missing program in `@needs`. Prints what a failed test saw, before it is closed. */
  async handleTestEvent({ name, test }, state) {
    if (this.#skips && name === 'run_start') skip(state.rootDescribeBlock);
    if (name === 'test_fn_failure')
      for (const report of await readFailureReports()) console.error(`${test.name}\n${report}`);
  }

  async teardown() {
    const left = [...openDatabases];
    openDatabases.clear();
    this.fakeTimersModern.dispose();
    // Jest replaces both for each file.
    globalThis.console = this.#console;
    process.exit = this.#exit;
    if (left.length > 0)
      throw new Error(`The spec left ${left.join(', ')} open. Drop each database in afterAll or finally.`);
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }
};

function skip(block) {
  for (const child of block.children) {
    if (child.type === 'describeBlock') skip(child);
    else child.mode = 'skip';
  }
}
