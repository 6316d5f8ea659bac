import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DockerfileParser } from 'dockerfile-ast';
import { root } from '../support/chart-tools';

const text = readFileSync(join(root, 'Dockerfile'), 'utf8');
const dockerfile = DockerfileParser.parse(text);
const stages = dockerfile.getFROMs();
/** Returns the instructions of one stage, in order. */
const stage = (name: string) => {
  const from = stages.find((one) => one.getBuildStage() === name)!.getRange().start.line;
  const next = stages.map((one) => one.getRange().start.line).find((line) => line > from) ?? Infinity;
  return dockerfile.getInstructions().filter((one) => {
    const { line } = one.getRange().start;
    return line > from && line < next;
  });
};
const argumentsOf = (name: string, keyword: string): string[] =>
  stage(name)
    .filter((one) => one.getKeyword() === keyword)
    .map((one) => one.getRawArgumentsContent() ?? '');

/** container.image.spec.ts has what the image contains and how it runs. */
describe('the Dockerfile', () => {
  it('builds all stages from one replaceable base, an exact version of Node 24', () => {
    expect(stages.map((one) => [one.getImage(), one.getBuildStage()])).toEqual([
      ['${NODE_IMAGE}', 'build'],
      ['${NODE_IMAGE}', 'packages'],
      ['${NODE_IMAGE}', 'production'],
    ]);
    const [base] = dockerfile.getInitialARGs().map((one) => one.getProperty()!);
    expect(base!.getName()).toBe('NODE_IMAGE');
    expect(base!.getValue()).toMatch(/^node:24\.\d+\.\d+-bookworm-slim$/);
    expect(text).toContain(`base.name="docker.io/library/${base!.getValue()}"`);
  });

  it('installs from the lock file; production has no development tools and no embedded PostgreSQL', () => {
    for (const run of [...argumentsOf('build', 'RUN'), ...argumentsOf('packages', 'RUN')])
      expect(run).not.toMatch(/npm (install|i)\b/);
    expect(argumentsOf('build', 'RUN').some((run) => run.includes('npm run build'))).toBe(true);
    expect(argumentsOf('packages', 'RUN')).toEqual([
      expect.stringMatching(/^npm ci --omit=dev --omit=optional --workspaces=false /),
    ]);
  });

  it('copies only existing files that .dockerignore allows', () => {
    const lines = readFileSync(join(root, '.dockerignore'), 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    expect(lines[0]).toBe('*');
    const allowed = lines.slice(1).flatMap((line) => /^!(.+)/.exec(line)?.[1] ?? []);
    expect(lines.slice(1).filter((line) => !line.startsWith('!'))).toEqual(['console/node_modules']);
    const sources = dockerfile
      .getCOPYs()
      .filter((one) => !one.getFromFlag())
      .flatMap((one) => one.getArguments().slice(0, -1))
      .map((one) => one.getValue());
    // The list of the console's packages is copied before the rest of its folder.
    const folders = new Set(sources.filter((source) => source !== 'console/package.json'));
    expect([...folders].sort()).toEqual([...allowed].sort());
    for (const source of sources) expect([source, existsSync(join(root, source))]).toEqual([source, true]);
  });

  it('contains no secret', () => {
    expect(text).not.toMatch(/PEPPER|PASSWORD|TOKEN|DATABASE_URL=/);
  });
});
