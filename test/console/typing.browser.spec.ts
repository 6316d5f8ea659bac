/** @needs chromium */
import type { Page } from 'playwright-core';
import { aConsole, type Console, type Tab } from './open-console';

let opened: Console;
beforeAll(async () => {
  opened = await aConsole();
});
afterAll(() => opened?.stop());

/** Counts what the page does. It runs before the scripts of the page. */
const counter = `
  globalThis.work = { commits: 0, tableRenders: 0, changed: [] };
  const isInTable = (fiber) => {
    while (fiber && typeof fiber.type !== 'string') fiber = fiber.child;
    return Boolean(fiber?.stateNode.closest('table'));
  };
  // React marks the components that it called. Subtrees that it left alone are the same object as before.
  const countRenders = (fiber, before) => {
    const performedWork = 1;
    if (typeof fiber.type === 'function' && fiber.flags & performedWork && isInTable(fiber)) work.tableRenders++;
    if (fiber.child === before.child) return;
    for (let child = fiber.child; child; child = child.sibling) if (child.alternate) countRenders(child, child.alternate);
  };
  globalThis.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
    supportsFiber: true,
    renderers: new Map(),
    inject: () => 1,
    onCommitFiberRoot: (_, { current }) => {
      work.commits++;
      if (current.alternate) countRenders(current, current.alternate);
    },
    onCommitFiberUnmount: () => {},
    onPostCommitFiberRoot: () => {},
  };
  addEventListener('DOMContentLoaded', () => {
    new MutationObserver((records) => {
      for (const { target } of records) work.changed.push((target.parentElement ?? target).tagName);
    }).observe(document.documentElement, { subtree: true, childList: true, attributes: true, characterData: true });
  });
`;

interface Work {
  commits: number;
  /** Components in a table that React called again. */
  tableRenders: number;
  changed: string[];
}

const takeWork = (page: Page): Promise<Work> =>
  page.evaluate<Work>(`(() => {
    const done = globalThis.work;
    globalThis.work = { commits: 0, tableRenders: 0, changed: [] };
    return done;
  })()`);

const search = (page: Page) => page.getByRole('searchbox');

/** Opens the links with a clock that stands. A search starts after a pause, which does not come. */
async function openWithoutSearches(): Promise<Tab> {
  const tab = await opened.signedIn('/');
  await tab.context.addInitScript(counter);
  await tab.page.clock.install();
  await tab.open(opened.inProject('/links?limit=100'));
  await search(tab.page).focus();
  await tab.page.clock.pauseAt(Date.now() + 60_000);
  return tab;
}

test('a letter in the search of links renders the field once, and no row of the table', async () => {
  const { page, context } = await openWithoutSearches();
  await takeWork(page);
  for (const letter of 'poster') {
    await page.keyboard.press(letter);
    const { commits, tableRenders, changed } = await takeWork(page);
    const others = changed.filter((name) => name !== 'INPUT' && name !== 'DIV');
    expect([letter, commits, tableRenders, others]).toEqual([letter, 1, 0, []]);
  }
  expect(await search(page).inputValue()).toBe('poster');
  // The table renders when the search starts, so the counter works.
  await page.clock.resume();
  await page.getByText('1 link', { exact: true }).waitFor();
  expect((await takeWork(page)).tableRenders).toBeGreaterThan(0);
  await context.close();
});
