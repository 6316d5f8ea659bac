import { commonTokens, declareClassPlugin, PluginKind, tokens } from '@stryker-mutator/api/plugin';
import {
  determineHitLimitReached,
  DryRunStatus,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import { readFileSync } from 'node:fs';
import Module, { createRequire } from 'node:module';
import { resolve, sep } from 'node:path';
import { jestExpect } from '@jest/expect';
import { transformSync } from '@swc/core';
import { ModuleMocker } from 'jest-mock';

// The ES module of jest-circus does not export the functions that a runner needs.
const require = createRequire(import.meta.url);
const circus = require('jest-circus');

const swc = {
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    target: 'es2023',
    keepClassNames: true,
  },
  module: { type: 'commonjs' },
  sourceMaps: false,
};

/**
 * Runs specs with `jest-circus` and Jest's `expect` in this process. It loads sources and specs again for each spec file and
 * mutant, but packages only once. Stryker's Jest runner loads packages every time.
 */
class CircusRunner {
  static inject = tokens(commonTokens.options);

  #specs;
  #excludedTests;
  #root = process.cwd() + sep;
  /** The source files that each spec loads. */
  #loadedBy = new Map();
  #mocker = new ModuleMocker(globalThis);
  #coverage = (globalThis.__stryker__ ??= {});

  constructor(options) {
    this.#specs = options.circus.specs;
    this.#excludedTests = options.circus.excludedTests;
  }

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init() {
    this.#compileTypeScript();
    Object.assign(globalThis, circus.default, {
      expect: jestExpect,
      jest: {
        setTimeout: (timeoutMs) => (circus.getState().testTimeout = timeoutMs),
        spyOn: (...args) => this.#mocker.spyOn(...args),
        replaceProperty: (...args) => this.#mocker.replaceProperty(...args),
        restoreAllMocks: () => this.#mocker.restoreAllMocks(),
      },
    });
    process.env['NODE_ENV'] = 'test';
    process.on('uncaughtException', (error) => {
      const test = circus.getState().currentlyRunningTest;
      if (test) test.errors.push([error, error]);
      else this.strayError ??= error;
    });
  }

  async dryRun() {
    delete this.#coverage.activeMutant;
    const tests = [];
    for (const spec of this.#specs) {
      let outcome = await this.#runSpec(spec, { bail: false, perTest: true });
      // On a busy machine a test over HTTP may fail once.
      for (let again = 0; again < 2 && hasFailed(outcome); again++)
        outcome = await this.#runSpec(spec, { bail: false, perTest: true });
      if (outcome.error) return { status: DryRunStatus.Error, errorMessage: `${spec}: ${causeOf(outcome)}` };
      tests.push(...outcome.tests);
    }
    return { status: DryRunStatus.Complete, tests, mutantCoverage: this.#coverage.mutantCoverage };
  }

  async mutantRun({ activeMutant, testFilter, sandboxFileName, hitLimit, disableBail }) {
    this.#coverage.activeMutant = activeMutant.id;
    this.#coverage.hitCount = hitLimit ? 0 : undefined;
    this.#coverage.hitLimit = hitLimit;
    const wanted = testFilter && new Set(testFilter);
    const tests = [];
    try {
      for (const spec of this.#specs) {
        if (testFilter && !testFilter.some((id) => id.startsWith(`${spec}: `))) continue;
        if (this.#loadedBy.get(spec)?.has(resolve(sandboxFileName)) === false) continue;
        let outcome = await this.#runSpec(spec, { wanted, bail: !disableBail });
        // The second run decides, because a test can fail on a busy machine.
        if (hasFailed(outcome)) outcome = await this.#runSpec(spec, { wanted, bail: !disableBail });
        tests.push(...outcome.tests);
        // A module that throws while it loads stops the program, so the mutant is detected.
        if (outcome.error) tests.push(failure(spec, outcome.error));
        const reached = determineHitLimitReached(this.#coverage.hitCount, this.#coverage.hitLimit);
        if (reached) return reached;
        if (!disableBail && tests.some(({ status }) => status === TestStatus.Failed)) break;
      }
    } finally {
      delete this.#coverage.activeMutant;
    }
    return toMutantRunResult({ status: DryRunStatus.Complete, tests }, disableBail);
  }

  async #runSpec(spec, { wanted, bail, perTest = false }) {
    const tests = [];
    const seen = new Map();
    let failed = false;
    const idOf = (test) => {
      if (!seen.has(test)) {
        const path = [];
        for (let block = test; block.parent; block = block.parent) path.unshift(block.name);
        const id = `${spec}: ${path.join(' > ')}`;
        const before = [...seen.values()].filter((other) => other === id || other.startsWith(`${id} #`)).length;
        seen.set(test, before ? `${id} #${before + 1}` : id);
      }
      return seen.get(test);
    };
    const onEvent = ({ name, test }) => {
      if (name === 'test_start') {
        const id = idOf(test);
        const isUnwanted = (wanted && !wanted.has(id)) || this.#excludedTests.some((name) => id.includes(name));
        if (isUnwanted || (bail && failed)) test.mode = 'skip';
        if (perTest) this.#coverage.currentTestId = id;
      }
      if (name === 'test_done' || name === 'test_skip') {
        if (perTest) this.#coverage.currentTestId = undefined;
        const id = idOf(test);
        const [error] = test.errors.flat().filter(Boolean);
        const fileName = resolve(spec);
        const common = { id, name: id, fileName, timeSpentMs: test.duration ?? 0 };
        if (name === 'test_skip') tests.push({ ...common, status: TestStatus.Skipped });
        else if (!error) tests.push({ ...common, status: TestStatus.Success });
        else tests.push({ ...common, status: TestStatus.Failed, failureMessage: String(error.message ?? error) });
        failed ||= error !== undefined && name === 'test_done';
      }
    };
    const environment = { ...process.env };
    circus.resetState();
    circus.getState().testTimeout = 30_000;
    circus.addEventHandler(onEvent);
    let error = null;
    this.strayError = null;
    const loader = this.#freshLoader();
    try {
      loader.require(resolve('test/support/set-up.ts'));
      loader.require(resolve(spec));
      const { unhandledErrors } = await circus.run();
      // After the run, because the service loads the modules of its role when it starts.
      if (!this.#loadedBy.has(spec)) this.#loadedBy.set(spec, new Set(this.#ownModules()));
      if (unhandledErrors.length > 0) error = new Error(unhandledErrors[0]);
      error ??= this.strayError;
    } catch (thrown) {
      error = thrown;
    } finally {
      circus.removeEventHandler(onEvent);
      this.#mocker.restoreAllMocks();
      for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name];
      Object.assign(process.env, environment);
    }
    return { tests, error };
  }

  #ownModules() {
    return Object.keys(Module._cache).filter(
      (path) => path.startsWith(this.#root) && !path.includes(`${sep}node_modules${sep}`),
    );
  }

  #freshLoader() {
    for (const path of this.#ownModules()) delete Module._cache[path];
    const loader = new Module(resolve('specs.js'));
    loader.filename = loader.id;
    loader.paths = Module._nodeModulePaths(process.cwd());
    return loader;
  }

  #compileTypeScript() {
    const compiled = new Map();
    const resolveFilename = Module._resolveFilename;
    // Sources that are loaded when they are needed are named as they are compiled.
    Module._resolveFilename = (name, parent, ...rest) => {
      const isCompiledName = /^\.{1,2}\/.*\.js$/.test(name) && parent?.filename?.endsWith('.ts');
      return resolveFilename(isCompiledName ? name.slice(0, -'.js'.length) : name, parent, ...rest);
    };
    Module._extensions['.ts'] = (module, filename) => {
      if (!compiled.has(filename))
        compiled.set(filename, transformSync(readFileSync(filename, 'utf8'), { ...swc, filename }).code);
      module._compile(compiled.get(filename), filename);
    };
  }
}

const hasFailed = ({ tests, error }) => error !== null || tests.some(({ status }) => status === TestStatus.Failed);

/** Returns the message of the first failed test, because an error of a clean-up often follows from it. */
const causeOf = ({ tests, error }) => tests.find(({ failureMessage }) => failureMessage)?.failureMessage ?? error.stack;

const failure = (spec, error) => ({
  id: `${spec}: loading`,
  name: `${spec}: loading`,
  timeSpentMs: 0,
  status: TestStatus.Failed,
  failureMessage: String(error?.message ?? error),
});

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'circus', CircusRunner)];
