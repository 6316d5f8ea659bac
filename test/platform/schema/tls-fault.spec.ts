import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext, TLSSocket } from 'node:tls';
import { openDatabase } from '../../../src/platform/schema/open-database';
import { Log } from '../../../src/platform/observability/log';

const directory = mkdtempSync(join(tmpdir(), 'tls-'));
afterAll(() => rmSync(directory, { recursive: true }));

const openssl = (...given: string[]): void => void execFileSync('openssl', given, { cwd: directory, stdio: 'ignore' });
const selfSigned = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=test'];

beforeAll(() => {
  openssl(...selfSigned, '-keyout', 'own.key', '-out', 'own.crt', '-addext', 'subjectAltName=DNS:localhost');
  openssl(...selfSigned, '-keyout', 'other.key', '-out', 'other.crt', '-addext', 'subjectAltName=DNS:other.example');
  openssl(
    'req',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-subj',
    '/CN=localhost',
    '-keyout',
    'signed.key',
    '-out',
    'signed.csr',
  );
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
test.each<[fault: string, name: string | null, key: string, parameters: string, message: string, remedies: string[]]>([
  ['a self-signed certificate', 'own', 'own', 'sslmode=require', 'self-signed certificate', ['sslrootcert', noVerify]],
  ['a self-signed certificate', 'own', 'own', 'sslmode=prefer', 'self-signed certificate', ['sslrootcert', noVerify]],
  ['an unknown authority', 'signed', 'signed', 'sslmode=verify-ca', 'unable to verify', ['sslrootcert', noVerify]],
  [
    'another host name',
    'other',
    'other',
    'sslmode=verify-full&sslrootcert=other.crt',
    'does not match',
    ['host name', noVerify],
  ],
  [
    'an expired certificate',
    'expired',
    'signed',
    'sslmode=verify-full&sslrootcert=own.crt',
    'expired',
    ['Renew', noVerify],
  ],
  ['a server without TLS', null, '', 'sslmode=require', 'does not support SSL', ['sslmode=disable']],
])('a start with %s names the setting and the remedy (%#)', async (_, name, key, parameters, message, remedies) => {
  const warnings = jest.spyOn(process, 'emitWarning');
  const server = await serverWith(name, key);
  const query = parameters.replace('sslrootcert=', `sslrootcert=${directory}/`);
  const databaseUrl = `postgres://app@localhost:${(server.address() as AddressInfo).port}/app?${query}`;
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
