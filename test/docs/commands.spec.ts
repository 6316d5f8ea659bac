import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { chart, root } from '../support/chart-tools';
import { pages } from '../support/documentation';
import { codeIn, withoutBlocks } from '../support/pages';

/** Returns the commands of all pages that begin with the given program, each on one line. */
const commandsOf = (program: string): { page: string; command: string }[] =>
  pages.flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/^( *)```sh\n([^]*?)^\1```$/gm)]
      .flatMap(([, , commands]) => commands!.replaceAll(/\\\n\s*/g, '').split('\n'))
      .map((command) => command.trim())
      .filter((command) => command.startsWith(`${program} `))
      .map((command) => ({ page, command })),
  );

// With a selector, kubectl shows the last ten lines of each pod.
test('each command that reads logs by a selector says how many lines', () => {
  const commands = commandsOf('kubectl').filter(({ command }) => / logs .*(?:--selector|-l)\b/.test(command));
  expect(commands.length).toBeGreaterThanOrEqual(2);
  expect(commands.filter(({ command }) => !/ --tail=-?\d+/.test(command))).toEqual([]);
});

// Helm gives up after five minutes otherwise, and another upgrade deletes the job that still works.
test('each helm command that runs the migration waits longer than its job may take', () => {
  const { migrations } = parse(readFileSync(join(chart, 'values.yaml'), 'utf8')) as {
    migrations: { activeDeadlineSeconds: number };
  };
  const commands = commandsOf('helm').filter(({ command }) => /\b(?:install|upgrade) /.test(command));
  expect(commands.length).toBeGreaterThanOrEqual(3);
  for (const { page, command } of commands) {
    const [, minutes] = / --timeout (\d+)m(?: |$)/.exec(command) ?? [];
    expect([page, Number(minutes) * 60 > migrations.activeDeadlineSeconds]).toEqual([page, true]);
  }
});

// A reader can find out what a variable holds.
describe('each variable in a command', () => {
  const blocksOf = (page: string): string =>
    [...page.matchAll(/^( *)```sh\n([^]*?)^\1```$/gm)].map(([, , commands]) => commands).join('');
  const assigned = (commands: string): string[] =>
    [...commands.matchAll(/(?:^|[\s;])([A-Z][A-Z_]*)=/g)].map(([, name]) => name!);
  const ofTutorial = assigned(blocksOf(readFileSync(join(root, 'docs/tutorial.md'), 'utf8')));
  /** Variables of the service, of its command and of PostgreSQL. */
  const known = ['DATABASE_URL', 'SIGNPOST_API_KEY', 'PGDATA'];

  test.each(pages)('of %s is assigned or named on the page, or one of the tutorial', (path) => {
    const page = readFileSync(join(root, path), 'utf8');
    const commands = blocksOf(page);
    const prose = withoutBlocks(page);
    const explained = [
      ...known,
      ...assigned(commands),
      ...codeIn(prose).flatMap((code) => code.match(/\b[A-Z][A-Z_]*\b/g) ?? []),
      ...(/names of\s+the\s+\[tutorial\]/.test(prose) ? ofTutorial : []),
    ];
    const used = [...commands.matchAll(/\$\{?([A-Z][A-Z_]*)/g)].map(([, name]) => name!);
    expect(used.filter((name) => !explained.includes(name))).toEqual([]);
  });
});
