import { type Browser, chromium } from 'playwright-core';
import { programPath } from '../support/programs';

/** Starts Chromium with DNS limited to loopback: `*.localhost` is a secure context, `*.example` is not. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: programPath('chromium')!,
    args: [
      '--host-resolver-rules=MAP *.example 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE *.localhost, EXCLUDE 127.0.0.1',
      // The sandbox of Chromium does not start as root.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  });
}
