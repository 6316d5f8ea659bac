const { availableParallelism } = require('node:os');

const project = (displayName, options) => ({
  displayName,
  roots: ['<rootDir>/test'],
  testEnvironment: '<rootDir>/test/support/jest/environment.cjs',
  runtime: '<rootDir>/test/support/jest/runtime.cjs',
  setupFilesAfterEnv: ['<rootDir>/test/support/set-up.ts'],
  transform: { '^.+\\.ts$': '@swc/jest' },
  ...options,
});

/** The last word of the names of a project's specs: `x.http.spec.ts` is in `http`. A pure spec has no such word. */
const words = {
  // `npm test`, with `pure`
  http: 'http',
  // `.ci/run`, with those above
  journeys: 'journey',
  deployment: 'deployment',
  image: 'image',
  // `.ci/nightly`, with `pure` and `http` at full size
  long: 'long',
  races: 'race',
  processes: 'process',
  browser: 'browser',
  faults: 'fault',
  clickhouse: 'clickhouse',
  // Looks at what clients feel, so each file runs alone.
  abuse: 'abuse',
};

/** @type {import('jest').Config} */
module.exports = {
  projects: [
    project('pure', {
      testMatch: ['**/*.spec.ts'],
      testPathIgnorePatterns: ['/node_modules/', `\\.(${Object.values(words).join('|')})\\.spec\\.ts$`],
    }),
    ...Object.entries(words).map(([name, word]) =>
      project(name, {
        testMatch: [`**/*.${word}.spec.ts`],
        globalSetup: '<rootDir>/test/support/start-postgres.ts',
        globalTeardown: '<rootDir>/test/support/stop-postgres.ts',
      }),
    ),
  ],
  testSequencer: '<rootDir>/test/support/jest/sequencer.cjs',
  reporters: ['default', '<rootDir>/test/support/jest/reporter.cjs'],
  // Guards against a hang. No test measures time by it, and a slow machine needs ten times the usual time.
  testTimeout: 600_000,
  // A worker with a large heap ends slowly on a busy machine.
  workerGracefulExitTimeout: 60_000,
  // Specs wait more than they compute.
  maxWorkers: availableParallelism() * 2,
};
