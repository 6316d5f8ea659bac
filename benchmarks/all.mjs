// npm run --silent bench > report.md runs all benchmarks one after another and prints a Markdown report. QUICK=1 takes a few minutes instead
// of an hour; its figures show that the benchmarks run, and little more. ONLY=api,lists selects benchmarks. Progress goes to standard error.
import { spawn, execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { checkout } from './programs.mjs';

/** Environment of a quick run. Each benchmark reads the variables that it knows. */
const quickly = {
  QUICK: '1',
  ROUNDS: '1',
  SECONDS: '1',
  PAIRS: '2',
  PAIR_SECONDS: '1',
  LINKS: '20000',
  CLICKS: '200000',
  SUSTAINED: '10',
};
/** A full run does without 30,000,000 links, which take 30 GB of disk. */
const fully = { SIZES: '1000000,3000000' };
const only = process.env.ONLY?.split(',');

/** The scripts `bench:…` of package.json, except the one that needs another checkout. */
function benchmarks() {
  const { scripts } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));
  return Object.entries(scripts)
    .filter(([name]) => name.startsWith('bench:') && name !== 'bench:compare')
    .map(([name, script]) => ({ name: name.slice(6), file: /benchmarks\/[\w-]+\.mjs/.exec(script)[0] }))
    .filter(({ name }) => !only || only.includes(name));
}

/** Runs a benchmark as its script does, and returns what it printed. */
function run(file) {
  const startedAt = performance.now();
  const environment = { ...(process.env.QUICK === '1' ? quickly : fully), ...process.env };
  const child = spawn(process.execPath, [join(checkout, file)], {
    cwd: checkout,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
      process.stderr.write(chunk);
    });
    child.on('error', reject);
    child.on('close', (code) =>
      resolve({ code, output: output.trimEnd(), minutes: (performance.now() - startedAt) / 60_000 }),
    );
  });
}

/** Returns the comment at the beginning of a benchmark. */
const descriptionOf = (file) =>
  readFileSync(join(checkout, file), 'utf8')
    .split('\n')
    .filter((_, at, lines) => lines.slice(0, at + 1).every((line) => line.startsWith('// ')))
    .map((line) => line.slice(3))
    .join(' ');

function revision() {
  try {
    return execFileSync('git', ['describe', '--always', '--dirty'], { cwd: checkout, encoding: 'utf8' }).trim();
  } catch {
    return 'unknown';
  }
}

const selected = benchmarks();
if (selected.length === 0) throw new Error(`ONLY=${process.env.ONLY} names no benchmark; use names such as api,lists`);
const [processor] = cpus();
console.log(`# Benchmarks of ${revision()}

| | |
|---|---|
| date | ${new Date().toISOString()} |
| Node | ${process.versions.node} |
| processor | ${cpus().length} × ${processor.model} |
| memory | ${(totalmem() / 2 ** 30).toFixed(0)} GiB |
| mode | ${process.env.QUICK === '1' ? 'quick' : 'full'} |
`);
for (const { name, file } of selected) {
  process.stderr.write(`\n${name}\n`);
  const { code, output, minutes } = await run(file);
  console.log(
    `## ${name}\n\n${descriptionOf(file)}\n\n\`\`\`text\n${output}\n\`\`\`\n\n${minutes.toFixed(1)} minutes${code === 0 ? '' : `; **failed** with exit code ${code}`}\n`,
  );
  if (code !== 0) process.exitCode = 1;
}
