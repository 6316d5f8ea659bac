import { readFileSync } from 'node:fs';
import type { Tab } from './open-console';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];

/** Returns the faults that axe reports at WCAG 2.2 AA. The debugger adds the script, because the page's policy refuses it. */
export async function axeFaults({ page }: Pick<Tab, 'page'>): Promise<string[]> {
  const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
  const debug = await page.context().newCDPSession(page);
  await debug.send('Runtime.evaluate', { expression: axe });
  return page.evaluate(async (values) => {
    interface Result {
      violations: { id: string; nodes: { html: string }[] }[];
    }
    const { axe } = globalThis as unknown as { axe: { run: (options: object) => Promise<Result> } };
    const { violations } = await axe.run({ runOnly: values });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
  }, rules);
}
