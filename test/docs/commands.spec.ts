import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/chart-tools';
import { pages } from '../support/documentation';

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
