import { excludedTests, groups } from './groups.mjs';

const [group, part] = process.env['MUTATION_PART'].split('.');
const { mutate, specs } = groups[group][Number(part)];

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions & { circus: { specs: string[], excludedTests: string[] } }} */
export default {
  mutate,
  plugins: ['./test/mutation/circus-runner.mjs'],
  testRunner: 'circus',
  circus: { specs, excludedTests },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  // A new process releases the resources that failing specs leave open.
  maxTestRunnerReuse: 100,
  timeoutMS: 20_000,
  dryRunTimeoutMinutes: 10,
  checkers: [],
  // Without tsconfig.json, Stryker needs no TypeScript. The specs do not read it.
  ignorePatterns: ['/build', '/dist', '/.data', '/coverage', '/reports', '/docs', '/deploy', '/tsconfig*.json'],
  tempDirName: 'reports/mutation/sandbox',
  reporters: ['json'],
  jsonReporter: { fileName: `reports/mutation/${group}.${part}.json` },
  allowConsoleColors: false,
  logLevel: 'warn',
  warnings: { unknownOptions: false, slow: false },
};
