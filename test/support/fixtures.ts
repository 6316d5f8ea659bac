import type { Plan } from '../../src/tenancy/accounts/plan';
import { aProject, type ProjectBody } from './builders';
import type { TestDatabase } from './database';
import { DnsServer } from './dns-server';
import { atEndOfTest } from './end-of-test';
import { IdentityProvider } from './identity-provider';
import { aService, type TestAccount, type TestService } from './service';

type Awaitable<T> = T | Promise<T>;

/** Methods that end an object, of which it has one at most. */
const endings = ['stop', 'drop', 'kill', 'remove', 'close'] as const;

function endOf(created: Partial<Record<string, unknown>>): unknown {
  const name = endings.find((one) => typeof created[one] === 'function');
  return name && (created[name] as () => unknown).call(created);
}

/** Returns a stand-in for an object that does not exist yet. */
const standIn = <T extends object>(current: () => T): T =>
  new Proxy({} as T, {
    get: (_, name) => {
      const value: unknown = Reflect.get(current(), name);
      return typeof value === 'function' ? (value.bind(current()) as unknown) : value;
    },
    set: (_, name, value) => Reflect.set(current(), name, value),
    ownKeys: () => Reflect.ownKeys(current()),
    getOwnPropertyDescriptor: (_, name) => Object.getOwnPropertyDescriptor(current(), name),
  });

/** Ends what was created, the latest last. */
const ends: (() => unknown)[] = [];

/**
 * Creates an object before the tests of a file or block, and ends it after them, the latest first.
 * @returns a stand-in for it, which tests and later hooks can use
 */
export function fixture<T extends object>(create: () => Awaitable<T>, end: (created: T) => unknown = endOf): T {
  let created: T | undefined;
  beforeAll(async () => {
    ends.push(() => created && end(created));
    created = await create();
  });
  // A hook returns nothing but a promise.
  afterAll(async () => void (await ends.pop()!()));
  return standIn(() => created!);
}

/** Creates an object before each test of a file or block, and ends it after the test, the latest first. */
export function fixtureOfEach<T extends object>(create: () => Awaitable<T>): T {
  let created: T | undefined;
  beforeEach(async () => {
    const one = await create();
    atEndOfTest(() => endOf(one));
    created = one;
  });
  return standIn(() => created!);
}

/** Starts a service before the tests, with a separate database unless one is passed, and stops it after them. */
export const serviceFixture = (
  environment: Record<string, string> | (() => Awaitable<Record<string, string>>) = {},
  database: () => TestDatabase | undefined = () => undefined,
): TestService =>
  fixture(async () => aService(typeof environment === 'function' ? await environment() : environment, database()));

export const accountFixture = (on: TestService, plan: Plan = 'enterprise'): TestAccount =>
  fixture(() => on.anAccount(plan));

export const projectFixture = (
  on: TestService,
  account: TestAccount,
  fields: Record<string, unknown> = {},
): ProjectBody => fixture(() => aProject(on, account.key, fields));

export const dnsFixture = (): DnsServer => fixture(() => DnsServer.start());

export const providerFixture = (): IdentityProvider => fixture(() => IdentityProvider.start());

/** Starts a service that stops at the end of the test. */
export async function aServiceOfTest(environment: Record<string, string>, on?: TestDatabase): Promise<TestService> {
  const service = await aService(environment, on);
  atEndOfTest(() => service.stop());
  return service;
}
