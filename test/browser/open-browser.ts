import { type Browser, chromium } from 'playwright-core';
import { programPath } from '../support/programs';

/** A browser that finds nothing but loopback: `*.localhost` by itself, which is a secure context, and `*.example`, which is none. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: programPath('chromium')!,
    args: [
      '--host-resolver-rules=MAP *.example 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE *.localhost, EXCLUDE 127.0.0.1',
      // Chromium's sandbox does not start as root.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  });
}
