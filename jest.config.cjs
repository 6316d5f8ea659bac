const { availableParallelism } = require('node:os');

const postgres = {
  globalSetup: '<rootDir>/test/support/start-postgres.ts',
  globalTeardown: '<rootDir>/test/support/stop-postgres.ts',
};

/** Selects specs by the last word of their names: `x.http.spec.ts` needs PostgreSQL. A pure spec has no such word. */
const project = (displayName, suffix, options = {}) => ({
  displayName,
  roots: ['<rootDir>/test'],
  testMatch: [`**/*.${suffix}.spec.ts`],
  testEnvironment: '<rootDir>/test/support/jest/environment.cjs',
  runtime: '<rootDir>/test/support/jest/runtime.cjs',
  setupFilesAfterEnv: ['<rootDir>/test/support/set-up.ts'],
  transform: { '^.+\\.ts$': '@swc/jest' },
  ...options,
});

const suffixes = ['http', 'process', 'fault', 'browser', 'deployment', 'image', 'abuse', 'clickhouse'];

/** @type {import('jest').Config} */
module.exports = {
  projects: [
    project('pure', '*', {
      testMatch: ['**/*.spec.ts'],
      testPathIgnorePatterns: ['/node_modules/', `\\.(${suffixes.join('|')})\\.spec\\.ts$`],
    }),
    project('http', 'http', postgres),
    project('processes', 'process', postgres),
    project('faults', 'fault', postgres),
    project('browser', 'browser', postgres),
    project('deployment', 'deployment', postgres),
    project('image', 'image', postgres),
    // Needs ClickHouse, which has 546 MB, so that `npm test` leaves it out.
    project('clickhouse', 'clickhouse', postgres),
    // Looks at what clients feel, so each file runs alone.
    project('abuse', 'abuse', postgres),
  ],
  reporters: ['default', '<rootDir>/test/support/jest/reporter.cjs'],
  // Guards against a hang. No test measures time by it, and a slow machine needs ten times the usual time.
  testTimeout: 600_000,
  // A worker with a large heap ends slowly on a busy machine.
  workerGracefulExitTimeout: 60_000,
  // Specs of processes wait more than they compute.
  maxWorkers: availableParallelism() * 2,
};
