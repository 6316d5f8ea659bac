import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { Test } from 'supertest';
import { fillDemo } from '../../src/app/demo-data';
import type { Project } from '../../src/links/projects/project';
import { unlimitedRights } from '../../src/api-kit/policy/rights';
import type { Subdomain } from '../../src/links/projects/subdomain';
import { ProjectsService } from '../../src/links/projects/projects.service';
import { type ContextLog, watchContext } from '../browser/watch-context';
import { openBrowser } from '../browser/open-browser';
import { root } from '../support/chart-tools';
import { aService, type TestAccount, type TestService } from '../support/service';

type Method = 'get' | 'post' | 'put' | 'delete';

export interface Console {
  on: TestService;
  account: TestAccount;
  project: Project;
  browser: Browser;
  inProject(path: string): string;
  /** Sends a request of the project's API, without the console. */
  api(method: Method, path: string): Test;
  list<T>(path: string): Promise<T[]>;
  create<T = { id: string }>(path: string, fields: object): Promise<T>;
  /** Opens a tab that is signed in by a link, as `npm start` prints it. */
  signedIn(path?: string, options?: BrowserContextOptions): Promise<Tab>;
  /** Opens the page of the link that a search finds. */
  openLink<T extends { id: string }>(search: string): Promise<Tab & { link: T; now: () => Promise<T> }>;
  stop(): Promise<void>;
}

export interface Tab {
  page: Page;
  context: BrowserContext;
  log: ContextLog;
  /** Requests of the API since the last call, as method and path with its query. */
  takeRequests(): string[];
  open(path: string): Promise<void>;
}

/**
 * Keeps notices open as the pointer of a reader does, because a busy machine may look at the page after they close.
 * A page whose `globalThis.closesNotices` is true closes them as usual.
 */
const holdNotices = `
  const selector = '.mantine-Notification-root';
  const hold = (notice) => {
    if (notice && !globalThis.closesNotices) notice.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
  };
  new MutationObserver((records) => {
    for (const node of records.flatMap(({ addedNodes }) => [...addedNodes]))
      if (node instanceof Element) [node.closest(selector), ...node.querySelectorAll(selector)].forEach(hold);
  }).observe(document, { subtree: true, childList: true });
  // The real pointer leaves a notice too.
  addEventListener('mouseout', ({ target }) => hold(target.closest?.(selector)));
`;

/** Contexts that the running test has opened. */
const contexts: BrowserContext[] = [];

/** Closes the tabs of each test. Those of `beforeAll` stay until the browser ends. */
export function useTabs(): void {
  beforeEach(() => void contexts.splice(0));
  afterEach(() => Promise.all(contexts.splice(0).map((context) => context.close())));
}

/** Opens a console for the tests of a file, with the demo project. */
export function useConsole(environment = (): Record<string, string> => ({})): Console {
  const opened = {} as Console;
  beforeAll(async () => void Object.assign(opened, await aConsole(environment())));
  afterAll(() => (opened as Partial<Console>).stop?.());
  useTabs();
  return opened;
}

async function aConsole(environment: Record<string, string>): Promise<Console> {
  if (!existsSync(join(root, 'dist/console/index.html')))
    throw new Error('The console is not built; run npm run build.');
  const [on, browser] = await Promise.all([aService(environment), openBrowser()]);
  const account = await on.anAccount();
  const { app } = on.service;
  const caller = { ...account, plan: 'pro' as const, rights: unlimitedRights, stopped: null };
  const fields = { name: 'Demo', subdomain: 'demo' as Subdomain, longLinkDestinations: [] };
  const project = await app.get(ProjectsService).create(caller, fields);
  await fillDemo(app, project, caller);
  const inProject = (path: string): string => `/projects/${project.id}${path}`;
  const api = (method: Method, path: string): Test => on.api(method, inProject(path), account.key);
  const signedIn = async (path = '/', options: BrowserContextOptions = {}): Promise<Tab> => {
    const tab = await aTab(on, browser, options);
    await tab.page.goto(`${on.url}/console${path}#key=${account.key}`);
    await tab.page.locator('h1').first().waitFor();
    return tab;
  };
  const list = async <T>(path: string): Promise<T[]> => (await api('get', path).expect(200)).body.data;
  return {
    on,
    account,
    project,
    browser,
    inProject,
    api,
    list,
    create: async (path, fields) => (await api('post', path).send(fields).expect(201)).body.data,
    signedIn,
    openLink: async <T extends { id: string }>(search: string) => {
      const now = async () => (await list<T>(`/links?search=${search}`))[0]!;
      const link = await now();
      return { ...(await signedIn(inProject(`/links/${link.id}`))), link, now };
    },
    stop: async () => {
      await browser.close();
      await on.stop();
    },
  };
}

export async function aTab(on: TestService, browser: Browser, options: BrowserContextOptions = {}): Promise<Tab> {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    locale: 'en-GB',
    // A dialog that still appears has too little contrast.
    reducedMotion: 'reduce',
    ...options,
  });
  contexts.push(context);
  const log = await watchContext(context);
  await context.addInitScript(holdNotices);
  const page = await context.newPage();
  let requests: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (pathname.startsWith('/api/v1/')) requests.push(`${request.method()} ${pathname}${search}`);
  });
  return {
    page,
    context,
    log,
    takeRequests: () => requests.splice(0),
    open: async (path) => {
      requests = [];
      await page.goto(`${on.url}/console${path}`);
      await page.locator('h1').first().waitFor();
      await page.waitForLoadState('networkidle');
    },
  };
}

export const saveButton = (page: Page) => page.getByRole('button', { name: 'Save', exact: true });

/** Saves the form of a page. */
export async function save(page: Page): Promise<void> {
  await saveButton(page).click();
  await page.getByText('Saved', { exact: true }).first().waitFor();
}
