import type { BrowserContext } from 'playwright-core';

/** What has happened in a browser context that should not, and what was asked for. */
export interface Witness {
  /** Console errors and warnings, uncaught errors, violations of the policy, dialogs, and scripts that ran from data. */
  problems: string[];
  /** Addresses of all requests, whether they were answered or not. */
  requests: string[];
  /** Origins of `requests` since the last call, sorted. */
  takeOrigins(): string[];
}

const inPage = `
  addEventListener('securitypolicyviolation', (event) => console.error('violation', event.violatedDirective, event.blockedURI));
  Object.defineProperty(window, '__pwned', { set: () => console.error('a script ran'), get: () => () => console.error('a script ran') });
`;

export async function watch(context: BrowserContext): Promise<Witness> {
  const problems: string[] = [];
  const requests: string[] = [];
  context.on('request', (request) => requests.push(request.url()));
  context.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
  });
  context.on('weberror', (error) => problems.push(String(error.error())));
  context.on('dialog', (dialog) => {
    problems.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  await context.addInitScript(inPage);
  return {
    problems,
    requests,
    takeOrigins: () => [...new Set(requests.splice(0).map((address) => new URL(address).origin))].sort(),
  };
}

/** Puts an empty page in place of what is not on this port, so that a store can be reached without leaving the machine. */
export async function pretend(context: BrowserContext, port: number): Promise<void> {
  await context.route(
    (url) => url.port !== String(port),
    (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>elsewhere</title>' }),
  );
}
