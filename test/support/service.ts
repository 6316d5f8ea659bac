import 'reflect-metadata';
import { Agent } from 'node:http';
import supertest from 'supertest';
import { AccountsService } from '../../src/tenancy/accounts/accounts.service';
import type { Plan } from '../../src/tenancy/accounts/plan';
import { ApiKeysService } from '../../src/tenancy/api-keys/api-keys.service';
import { readConfig } from '../../src/app/settings/config';
import type { NestProcess } from '../../src/app/nest-process';
import type { TrafficProcess } from '../../src/app/traffic-process';
import { startProcess } from '../../src/app/start-process';
import { Clock } from '../../src/shared/clock';
import { Log } from '../../src/platform/observability/log';
import { streamTimes } from '../../src/management-api/live-feed/event-stream';
import { ChangeListener } from '../../src/platform/change-notifications/change-listener';
import { readAfterWrite } from './read-after-write';
import { createDatabase, type TestDatabase } from './database';

/** A clock that is `ahead` milliseconds ahead of the system clock. */
export class MovableClock extends Clock {
  ahead = 0;
  #stoppedAt: number | null = null;

  override now(): number {
    return (this.#stoppedAt ?? Date.now()) + this.ahead;
  }

  stop(): void {
    this.#stoppedAt = Date.now();
  }

  goOn(): void {
    this.#stoppedAt = null;
  }
}

export interface TestAccount {
  accountId: string;
  userId: string;
  apiKeyId: string;
  key: string;
}

export interface TestService {
  url: string;
  database: TestDatabase;
  service: NestProcess;
  clock: MovableClock;
  /** Every log line, unparsed. */
  logLines: string[];
  anAccount(plan?: Plan): Promise<TestAccount>;
  /** Creates another key of the account and returns its secret. */
  anotherKey(accountId: string): Promise<string>;
  setPlan(accountId: string, plan: Plan): Promise<void>;
  /** Makes the next read wait for the notification of a write that is neither a request nor a query of the test. */
  noteWrite(): void;
  /** Creates a management API request. `path` is relative to /api/v1. Without `key` it has no Authorization header. */
  api(
    method: 'get' | 'post' | 'put' | 'delete' | 'patch' | 'head' | 'options',
    path: string,
    key?: string,
  ): supertest.Test;
  /** Creates a link visit on `<subdomain>.localhost` that does not follow redirects. */
  visit(subdomain: string, path: string, headers?: Record<string, string>): supertest.Test;
  stop(): Promise<void>;
}

/**
 * Starts the service in this process, as `main.ts` does, on a free port.
 * @param environment of the program; by default the rate limit is too high to matter
 * @param on a shared database; by default the service gets a new one
 */
export async function aService(environment: Record<string, string> = {}, on?: TestDatabase): Promise<TestService> {
  const database = on ?? (await createDatabase());
  // Specs request every operation. The stream of events ends last.
  Object.assign(streamTimes, { lookIntervalMs: 50, maxMs: 200 });
  const config = readConfig({
    PORT: '0',
    HOST: '127.0.0.1',
    RATE_LIMIT_PER_MINUTE: '1000000',
    PERSON_RATE_LIMIT_PER_MINUTE: '1000000',
    // Specs have clicks of fixed days.
    CLICK_RETENTION_MONTHS: '120',
    LINK_BASE_URL: 'http://localhost:3000',
    API_BASE_URL: 'http://localhost:3000',
    ...environment,
  });
  const logLines: string[] = [];
  const log = new Log('debug', { write: (line) => void logLines.push(line) });
  const clock = new MovableClock();
  const started = await startProcess({
    config,
    database: { url: database.url, directUrl: database.url },
    log,
    clock,
  });
  const url = `http://127.0.0.1:${started.port}`;
  const [server, listener] =
    'app' in started
      ? [started.app.getHttpServer(), started.app.get(ChangeListener)]
      : [(started as TrafficProcess).server, (started as TrafficProcess).changeListener];
  const { database: watchedDatabase, noteWrite } = readAfterWrite(server, listener, database);
  // A process of link traffic alone has no app, and its tests use none.
  const service = started as NestProcess;
  const { app } = service;
  // A connection for each request takes a fifth of the processor time of specs. Idle ones end long before the server ends them.
  const agent = new Agent({ keepAlive: true, timeout: 5_000 });
  return {
    url,
    database: watchedDatabase,
    service,
    clock,
    logLines,
    anAccount: async (plan = 'pro') => {
      const { account, user } = await app.get(AccountsService).create(`Account on ${plan}`, plan, null);
      const key = await app.get(ApiKeysService).create(account.id, 'Test', null);
      return { accountId: account.id, userId: user.id, apiKeyId: key.id, key: key.secret };
    },
    anotherKey: async (accountId) => (await app.get(ApiKeysService).create(accountId, 'Another', null)).secret,
    setPlan: async (accountId, plan) => {
      await app.get(AccountsService).update(accountId, { plan });
      noteWrite();
    },
    noteWrite,
    api: (method, path, key) => {
      const request = supertest(url)[method](`/api/v1${path}`).agent(agent);
      return key ? request.set('Authorization', `Bearer ${key}`) : request;
    },
    visit: (subdomain, path, headers = {}) =>
      supertest(url)
        .get(path)
        .agent(agent)
        .redirects(0)
        .set({ Host: `${subdomain}.localhost`, ...headers }),
    stop: async () => {
      agent.destroy();
      await service.stop();
      if (!on) await database.drop();
    },
  };
}

/** Runs `work` with another service on the database, and stops the service. */
export async function withService<T>(
  environment: Record<string, string>,
  database: TestDatabase,
  work: (service: TestService) => Promise<T>,
): Promise<T> {
  const service = await aService(environment, database);
  try {
    return await work(service);
  } finally {
    await service.stop();
  }
}
