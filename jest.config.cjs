// Nest 12 and a few of its dependencies are ESM only. swc compiles them, with our sources, to CommonJS, so that tests run in
// the module system that production runs in.
const compiledPackages = [
  '@nestjs',
  'iterare',
  'uid',
  '@standard-schema',
  'uuid',
  'lru-cache',
  '@borewit',
  'file-type',
  'strtok3',
  'token-types',
  'uint8array-extras',
  '@tokenizer',
  'openapi-fetch',
  'jose',
];

const swc = {
  jsc: {
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
    target: 'es2023',
    keepClassNames: true,
  },
  module: { type: 'commonjs' },
};

/** @type {import('jest').Config} */
module.exports = {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.spec.ts'],
  transform: { '^.+\\.(ts|m?js)$': ['@swc/jest', swc] },
  transformIgnorePatterns: [`/node_modules/(?!(${compiledPackages.join('|')})/)`],
  globalSetup: '<rootDir>/test/support/start-postgres.ts',
  globalTeardown: '<rootDir>/test/support/stop-postgres.ts',
  setupFilesAfterEnv: ['<rootDir>/test/support/matchers.ts'],
  testTimeout: 30_000,
  maxWorkers: 2,
  // What specs leave in a worker's memory makes each later one slower.
  workerIdleMemoryLimit: '1GB',
};
