import type { Plan } from '../../src/tenancy/accounts/plan';
import { aProject, type ProjectBody } from './builders';
import type { TestDatabase } from './database';
import { DnsServer } from './dns-server';
import { atEndOfTest } from './end-of-test';
import { IdentityProvider } from './identity-provider';
import { aService, type TestAccount, type TestService } from './service';

type Awaitable<T> = T | Promise<T>;

interface Started {
  end: () => unknown;
}

/** The started objects that have not ended, in the order of their start. */
const running: Started[] = [];

/** Ends what was started after this, the latest first, and then this, because the later one may use it. */
async function endFrom(started: Started): Promise<void> {
  const at = running.indexOf(started);
  if (at >= 0) for (const { end } of running.splice(at).reverse()) await end();
}

/** Creates an object before the tests of a file or block, which is empty until then, and ends it after all tests. */
export function fixture<T extends object>(create: () => Awaitable<T>, end: (created: T) => unknown = () => {}): T {
  const created = {} as T;
  startedFixture(
    async () => Object.assign(created, await create()),
    () => end(created),
  );
  return created;
}

function startedFixture(start: () => Promise<unknown>, end: () => unknown): void {
  const started = { end };
  beforeAll(async () => {
    await start();
    running.push(started);
  });
  afterAll(() => endFrom(started));
}

/** Creates an object before each test of a file or block. */
export function fixtureOfEach<T extends object>(create: () => Awaitable<T>): T {
  const created = {} as T;
  beforeEach(async () => void Object.assign(created, await create()));
  return created;
}

/** Starts a service before the tests, with a separate database unless one is passed, and stops it after them. */
export const serviceFixture = (
  environment: Record<string, string> | (() => Awaitable<Record<string, string>>) = {},
  database: () => TestDatabase | undefined = () => undefined,
): TestService =>
  fixture(
    async () => aService(typeof environment === 'function' ? await environment() : environment, database()),
    ({ stop }) => stop(),
  );

export const accountFixture = (on: TestService, plan: Plan = 'enterprise'): TestAccount =>
  fixture(() => on.anAccount(plan));

export const projectFixture = (
  on: TestService,
  account: TestAccount,
  fields: Record<string, unknown> = {},
): ProjectBody => fixture(() => aProject(on, account.key, fields));

export function dnsFixture(): DnsServer {
  const dns = new DnsServer();
  startedFixture(
    () => dns.listen(),
    () => dns.stop(),
  );
  return dns;
}

export function providerFixture(): IdentityProvider {
  const provider = new IdentityProvider();
  startedFixture(
    () => provider.comeBack(),
    () => provider.stop(),
  );
  return provider;
}

/** Starts a service that stops at the end of the test. */
export async function aServiceOfTest(environment: Record<string, string>, on?: TestDatabase): Promise<TestService> {
  const service = await aService(environment, on);
  atEndOfTest(() => service.stop());
  return service;
}
