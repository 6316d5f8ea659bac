import type { BrowserContext } from 'playwright-core';

/** The problems and requests of a browser context. */
export interface ContextLog {
  /** Console errors and warnings, uncaught errors, CSP violations, dialogs, and scripts injected through data. */
  problems: string[];
  /** URLs of all requests, including failed ones. */
  requests: string[];
  /** Removes all requests and returns their origins, sorted. */
  takeOrigins(): string[];
}

const initScript = `
  addEventListener('securitypolicyviolation', (event) => console.error('violation', event.violatedDirective, event.blockedURI));
  Object.defineProperty(window, '__pwned', { set: () => console.error('a script ran'), get: () => () => console.error('a script ran') });
`;

export async function watchContext(context: BrowserContext): Promise<ContextLog> {
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
  await context.addInitScript(initScript);
  return {
    problems,
    requests,
    takeOrigins: () => [...new Set(requests.splice(0).map((address) => new URL(address).origin))].sort(),
  };
}

/** Answers requests to other ports with an empty page, so that links to stores stay on this machine. */
export async function fakeOtherSites(context: BrowserContext, port: number): Promise<void> {
  await context.route(
    (url) => url.port !== String(port),
    (route) => route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>elsewhere</title>' }),
  );
}
