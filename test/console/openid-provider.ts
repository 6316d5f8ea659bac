import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { freePort } from '../support/free-port';

const audience = 'https://api.example.com';

export interface OpenidProvider {
  issuer: string;
  /** Settings of the two services whose consoles the provider knows. The second one gets refresh tokens. */
  settings: Record<string, string>[];
  stop(): void;
}

/** Starts a provider that signs everybody in. Services read its keys when they start. */
export async function startProvider(): Promise<OpenidProvider> {
  const [providerPort, ...ports] = [await freePort(), await freePort(), await freePort()].map(String);
  const issuer = `http://127.0.0.1:${providerPort}`;
  const hosts = ports.map((port) => `http://127.0.0.1:${port}`);
  const script = join(__dirname, 'openid-provider/server.mjs');
  const provider = spawn(process.execPath, [script, providerPort!, audience, ...hosts], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(provider.stdout, 'data');
  const settings = ports.map((port, at) => ({
    DASHBOARD_ISSUER: issuer,
    DASHBOARD_JWKS_URL: `${issuer}/jwks`,
    DASHBOARD_AUDIENCE: audience,
    PORT: port,
    CONSOLE_CLIENT_ID: ['console', 'refreshing'][at]!,
  }));
  return { issuer, settings, stop: () => void provider.kill() };
}

export const signInButton = (page: Page) => page.getByRole('button', { name: 'Sign in with your organization' });

/** Signs in at the provider, by the id of an account at the end of the name. */
export async function logIn(page: Page, name: string): Promise<void> {
  await signInButton(page).click();
  await page.locator('input[name=login]').fill(name);
  await page.locator('input[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  await page.getByRole('button', { name: 'Continue' }).click();
}
