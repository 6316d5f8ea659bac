import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { createSecureContext, TLSSocket } from 'node:tls';
import { openDatabase } from '../../../src/platform/schema/open-database';
import { Log } from '../../../src/platform/observability/log';
import { aTemporaryFolder } from '../../support/temporary-folder';

const directory = aTemporaryFolder();

const openssl = (...given: string[]): void => void execFileSync('openssl', given, { cwd: directory, stdio: 'ignore' });
const request = (name: string) => ['req', '-newkey', 'rsa:2048', '-nodes', '-subj', `/CN=${name}`];

beforeAll(() => {
  for (const [name, host] of Object.entries({ own: 'localhost', other: 'other.example' })) {
    const files = ['-keyout', `${name}.key`, '-out', `${name}.crt`];
    openssl(...request('test'), '-x509', ...files, '-addext', `subjectAltName=DNS:${host}`);
  }
  openssl(...request('localhost'), '-keyout', 'signed.key', '-out', 'signed.csr');
  const sign = ['x509', '-req', '-in', 'signed.csr', '-CA', 'own.crt', '-CAkey', 'own.key', '-CAcreateserial'];
  openssl(...sign, '-out', 'signed.crt', '-days', '9');
  openssl(...sign, '-out', 'expired.crt', '-days', '-1');
});

/** Answers the request for TLS as PostgreSQL does, and then begins it. Without a name it refuses. */
function serverWith(name: string | null, key: string): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write(name === null ? 'N' : 'S');
      if (name === null) return;
      const read = (file: string) => readFileSync(join(directory, file));
      const secureContext = createSecureContext({ cert: read(`${name}.crt`), key: read(`${key}.key`) });
      new TLSSocket(socket, { isServer: true, secureContext }).on('error', () => {});
    });
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

const noVerify = 'sslmode=no-verify';
const verifyWith = (certificate: string) => `verify-full&sslrootcert=${join(directory, certificate)}`;

test.each<[fault: string, name: string | null, key: string, mode: string, message: string, remedies: string[]]>([
  ['a self-signed certificate', 'own', 'own', 'require', 'self-signed certificate', ['sslrootcert', noVerify]],
  ['a self-signed certificate', 'own', 'own', 'prefer', 'self-signed certificate', ['sslrootcert', noVerify]],
  ['an unknown authority', 'signed', 'signed', 'verify-ca', 'unable to verify', ['sslrootcert', noVerify]],
  ['another host name', 'other', 'other', verifyWith('other.crt'), 'does not match', ['host name', noVerify]],
  ['an expired certificate', 'expired', 'signed', verifyWith('own.crt'), 'expired', ['Renew', noVerify]],
  ['a server without TLS', null, '', 'require', 'does not support SSL', ['sslmode=disable']],
])('a start with %s names the setting and the remedy (%#)', async (_, name, key, mode, message, remedies) => {
  const warnings = jest.spyOn(process, 'emitWarning');
  const server = await serverWith(name, key);
  const databaseUrl = `postgres://app@localhost:${(server.address() as AddressInfo).port}/app?sslmode=${mode}`;
  try {
    const opened = openDatabase({ databaseUrl, databaseDirectUrl: undefined, dataDir: '' }, new Log('silent'));
    const error = await opened.then(
      () => null,
      (reason: Error) => reason,
    );
    expect(error?.message).toMatch(/^DATABASE_URL: /);
    for (const part of [message, ...remedies]) expect(error?.message).toContain(part);
    // Jest has many listeners.
    expect(warnings.mock.calls.filter(([warning]) => !String(warning).includes('MaxListeners'))).toEqual([]);
  } finally {
    server.close();
    warnings.mockRestore();
  }
});
