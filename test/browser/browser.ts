import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** Debian's, unless the environment names another. */
export function chromiumPath(environment: Record<string, string | undefined>): string {
  const path = environment['CHROMIUM_PATH'] || '/usr/bin/chromium';
  if (existsSync(path)) return path;
  throw new Error(
    `These tests look at pages in Chromium, and there is none at ${path}. Install it with "apt-get install chromium", or ` +
      'say where it is in the variable CHROMIUM_PATH.',
  );
}

/** A browser that finds nothing but loopback: `*.localhost` by itself, which is a secure context, and `*.example`, which is none. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumPath(process.env),
    args: [
      '--host-resolver-rules=MAP *.example 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE *.localhost, EXCLUDE 127.0.0.1',
      // Chromium's sandbox does not start as root.
      ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    ],
  });
}
