require('./typescript.cjs');
const { relative } = require('node:path');
const { howToInstall } = require('../programs.ts');

/** Prints the number of skipped tests and how to run them. In CI it also prints the duration of projects and files. */
module.exports = class Reporter {
  #root;

  constructor({ rootDir }) {
    this.#root = rootDir;
  }

  onRunComplete(_, { testResults, numPendingTests, startTime }) {
    if (process.env.CI) this.#printTimes(testResults, startTime);
    const help = howToInstall();
    if (numPendingTests > 0 && help) console.log(`Skipped ${numPendingTests} tests: ${help}`);
  }

  #printTimes(results, startTime) {
    const seconds = ({ perfStats }) => (perfStats.end - perfStats.start) / 1000;
    const projects = new Map();
    for (const result of results) {
      const name = result.displayName?.name ?? 'none';
      const sum = projects.get(name) ?? { files: 0, tests: 0, assertions: 0, seconds: 0 };
      sum.files += 1;
      sum.tests += result.numPassingTests + result.numFailingTests;
      for (const { numPassingAsserts } of result.testResults) sum.assertions += numPassingAsserts;
      sum.seconds += seconds(result);
      projects.set(name, sum);
    }
    const lines = [...projects].map(
      ([name, { tests, assertions, files, seconds }]) =>
        `  ${name}: ${tests} tests with ${assertions} assertions in ${files} files, ${seconds.toFixed(0)} s of workers`,
    );
    const slowest = [...results].sort((a, b) => seconds(b) - seconds(a)).slice(0, 20);
    console.log(
      [
        `Ran in ${((Date.now() - startTime) / 1000).toFixed(0)} s:`,
        ...lines,
        'Slowest files:',
        ...slowest.map((one) => `  ${seconds(one).toFixed(1).padStart(6)} s ${relative(this.#root, one.testFilePath)}`),
      ].join('\n'),
    );
  }
};
