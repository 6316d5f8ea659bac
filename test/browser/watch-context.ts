import type { BrowserContext, Page } from 'playwright-core';
import { failureReports } from '../support/failure-reports';

/** The problems and requests of a browser context. */
export interface ContextLog {
  /** Console errors and warnings, uncaught errors, CSP violations, dialogs, and scripts injected through data. */
  problems: string[];
  /** URLs of all requests, including failed ones. */
  requests: string[];
  takeOrigins(): string[];
}

const initScript = `
  addEventListener('securitypolicyviolation', (event) => console.error('violation', event.violatedDirective, event.blockedURI));
  Object.defineProperty(window, '__pwned', { set: () => console.error('a script ran'), get: () => () => console.error('a script ran') });
`;

/** How many answers and letters the report of a failed test shows. */
const [maxAnswers, maxLetters] = [20, 3000];

export async function watchContext(context: BrowserContext): Promise<ContextLog> {
  const problems: string[] = [];
  const requests: string[] = [];
  const answers: string[] = [];
  const note = (answer: string): void => {
    answers.push(answer);
    if (answers.length > maxAnswers) answers.shift();
  };
  const report = async (): Promise<string> => {
    const pages = await Promise.all(context.pages().map(textOf));
    return [...pages, `Last answers:\n${answers.join('\n')}`, `Problems:\n${problems.join('\n')}`].join('\n\n');
  };
  failureReports.add(report);
  context.on('close', () => failureReports.delete(report));
  context.on('request', (request) => requests.push(request.url()));
  context.on('response', (response) => note(`${response.status()} ${response.request().method()} ${response.url()}`));
  context.on('requestfailed', (request) =>
    note(`${request.failure()?.errorText} ${request.method()} ${request.url()}`),
  );
  context.on('console', (message) => {
    // A browser with a window refuses the second mail program of a page that nobody has touched.
    if (message.text().startsWith("Not allowed to launch 'mailto:")) return;
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
  });
  context.on('weberror', (error) => problems.push(String(error.error())));
  context.on('dialog', (dialog) => {
    problems.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  await context.addInitScript(initScript);
  return {
    problems,
    requests,
    takeOrigins: () => [...new Set(requests.splice(0).map((address) => new URL(address).origin))].sort(),
  };
}

async function textOf(page: Page): Promise<string> {
  const text = await page
    .locator('body')
    .innerText({ timeout: 2000 })
    .catch(() => 'nothing that could be read');
  return `${page.url()} showed:\n${text.slice(0, maxLetters)}`;
}

/** Answers requests to other ports with an empty page, so that links to stores stay on this machine. */
export async function fakeOtherSites(context: BrowserContext, port: number): Promise<void> {
  await context.route(
    (url) => url.port !== String(port),
    (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>elsewhere</title>' }),
  );
}
