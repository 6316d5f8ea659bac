import { randomBytes } from 'node:crypto';
import supertest from 'supertest';
import type { TestService } from '../support/service';

/** Sends the request of an app that a link has opened. */
export function openLink(
  on: TestService,
  subdomain: string,
  path: string,
  fields: object = {},
  headers: Record<string, string> = {},
): supertest.Test {
  const host = `${subdomain}.localhost`;
  const app = { bundle_id: 'com.acme.app', version: '3.2.1' };
  return supertest(on.url)
    .post('/links/open')
    .set({ Host: host, ...headers })
    .send({ url: `https://${host}${path}`, app, open_id: randomBytes(16).toString('base64url'), ...fields });
}
