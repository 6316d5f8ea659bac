/** @needs tools */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, parseDocument } from 'yaml';
import { root } from '../support/chart-tools';
import { jestProjects } from '../support/jest-projects';

interface Step {
  uses?: string;
  run?: string;
}
interface Workflow {
  permissions: Record<string, string>;
  concurrency: object;
  jobs: Record<string, { 'timeout-minutes'?: number; steps: Step[]; strategy: { matrix: { part: string[] } } }>;
}

const readText = (path: string): string => readFileSync(join(root, path), 'utf8');
const read = (path: string): unknown => {
  const text = readText(path);
  expect(parseDocument(text, { uniqueKeys: true }).errors).toEqual([]);
  return parse(text);
};

function lint(...files: string[]): { status: number | null; stderr: string } {
  return spawnSync(process.execPath, [join(root, 'tools/check-workflows.mjs'), ...files], { encoding: 'utf8' });
}

/** Returns the parts that a script in `.ci` runs without arguments. */
const partsOf = (script: string): string[] =>
  /; then parts=\(([a-z ]+)\)/.exec(readText(`.ci/${script}`))![1]!.split(' ');

describe('workflows of GitHub Actions', () => {
  const names = readdirSync(join(root, '.github/workflows'));

  it.each(names)('%s has few permissions, time limits and pinned actions', (name) => {
    const { permissions, concurrency, jobs } = read(`.github/workflows/${name}`) as Workflow;
    expect(permissions).toEqual({ contents: 'read' });
    expect(concurrency).toBeDefined();
    for (const job of Object.values(jobs)) {
      expect(job['timeout-minutes']).toBeGreaterThan(0);
      for (const { uses } of job.steps) if (uses) expect(uses).toMatch(/^[\w-]+\/[\w/-]+@[0-9a-f]{40}$/);
    }
  });

  it.each([
    ['ci', 'run'],
    ['nightly', 'nightly'],
  ])('%s.yml runs each part of .ci/%s', (workflow, script) => {
    const { jobs } = read(`.github/workflows/${workflow}.yml`) as Workflow;
    expect(jobs['run']!.strategy.matrix.part).toEqual(partsOf(script));
  });

  it('run every Jest project', () => {
    const projects = jestProjects.map(({ displayName }) => displayName);
    expect(projects).toContain('abuse');
    expect(['check', ...projects].toSorted()).toEqual(
      [...new Set([...partsOf('run'), ...partsOf('nightly')])].toSorted(),
    );
    // Nightly repeats at full size what `npm test` runs.
    const { scripts } = JSON.parse(readText('package.json')) as { scripts: { test: string } };
    const both = partsOf('run').filter((part) => partsOf('nightly').includes(part));
    expect(scripts.test).toBe(`jest --selectProjects ${both.join(' ')}`);
  });

  it('run on the Node of the image', () => {
    const [, version] = /^ARG NODE_IMAGE=node:([\d.]+)-/m.exec(readText('Dockerfile'))!;
    for (const name of names)
      expect(readText(`.github/workflows/${name}`)).toContain(`image: node:${version}-bookworm\n`);
  });

  it('pass the linter, which detects errors', () => {
    expect(lint()).toMatchObject({ status: 0, stderr: '' });
    const folder = mkdtempSync(join(tmpdir(), 'signpost-workflows-'));
    try {
      const file = join(folder, 'ci.yml');
      const sound = readText('.github/workflows/ci.yml');
      for (const [from, to, kind] of [
        ['timeout-minutes', 'timeout-minuts', 'syntax-check'],
        ['matrix.part }}\n    runs-on', 'matrix.parts }}\n    runs-on', 'expression'],
        ['ubuntu-24.04', 'ubuntu-24.4', 'runner-label'],
      ] as const) {
        expect(sound).toContain(from);
        writeFileSync(file, sound.replace(from, to));
        const { status, stderr } = lint(file);
        expect([status, stderr]).toEqual([1, expect.stringContaining(`[${kind}]`)]);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
