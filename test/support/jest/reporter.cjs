require('./typescript.cjs');
const { appendFileSync } = require('node:fs');
const { relative } = require('node:path');
const { howToInstall } = require('../programs.ts');

/** Runs of more files print their duration. */
const fewFiles = 20;

/**
 * Prints the number of skipped tests and how to run them, and the duration of projects and files. Adds the duration of files to the file
 * that `SPEC_TIMES` names, from which `.ci/run` prints the slowest.
 */
module.exports = class Reporter {
  #root;

  constructor({ rootDir }) {
    this.#root = rootDir;
  }

  onRunComplete(_, { testResults, numPendingTests, startTime }) {
    const list = process.env.SPEC_TIMES;
    const times = testResults.map((result) => this.#lineOf(result));
    if (list) appendFileSync(list, times.map((line) => `${line}\n`).join(''));
    if (testResults.length > fewFiles) {
      const seconds = Math.round((Date.now() - startTime) / 1000);
      console.log([`Ran in ${seconds} s:`, ...projectLines(testResults)].join('\n'));
      if (!list) console.log(['Slowest files:', ...times.sort().slice(-fewFiles).reverse()].join('\n'));
    }
    const help = howToInstall();
    if (numPendingTests > 0 && help) console.log(`Skipped ${numPendingTests} tests: ${help}`);
  }

  #lineOf(result) {
    return `${secondsOf(result).toFixed(1).padStart(8)} s ${relative(this.#root, result.testFilePath)}`;
  }
};

const secondsOf = ({ perfStats }) => (perfStats.end - perfStats.start) / 1000;

function projectLines(results) {
  const projects = new Map();
  for (const result of results) {
    const name = result.displayName?.name ?? 'none';
    const sum = projects.get(name) ?? { files: 0, tests: 0, assertions: 0, seconds: 0 };
    sum.files += 1;
    sum.tests += result.numPassingTests + result.numFailingTests;
    for (const { numPassingAsserts } of result.testResults) sum.assertions += numPassingAsserts;
    sum.seconds += secondsOf(result);
    projects.set(name, sum);
  }
  return [...projects].map(
    ([name, { tests, assertions, files, seconds }]) =>
      `  ${name}: ${tests} tests with ${assertions} assertions in ${files} files, ${seconds.toFixed(0)} s of workers`,
  );
}
