import { createPublicKey, createSecretKey, type JsonWebKey } from 'node:crypto';
import { eventually } from '../../support/eventually';
import {
  aProviderKey,
  compact,
  encoded,
  hmacWith,
  IdentityProvider,
  type ProviderKey,
  signedBy,
} from '../../support/identity-provider';
import { sendRequest } from '../../support/raw-http';
import { type TestService, withService } from '../../support/service';
import { fixture, serviceFixture } from '../../support/fixtures';

type Json = Record<string, unknown>;
const rsa = aProviderKey('RS256');
/** Published without the algorithm that it is for. */
const anyRsa = aProviderKey('RS256', { use: 'sig' });
const provider = fixture(() => IdentityProvider.start());
beforeAll(() => void (provider.others = [rsa, anyRsa, shared]));
const on = serviceFixture(() => provider.environment);
beforeAll(() => void (provider.now = () => on.clock.now()));
const account = fixture(() => on.anAccount());

// No token expires or becomes valid while a busy machine stands still.
beforeEach(() => on.clock.stop());
afterEach(() => on.clock.goOn());

/** No provider should publish such a one, and it is worth nothing if one does. */
const shared = {
  kid: 'shared',
  alg: 'HS256',
  privateKey: createSecretKey(Buffer.alloc(32)),
  jwk: { kid: 'shared', kty: 'oct', alg: 'HS256', k: Buffer.alloc(32).toString('base64url') },
};

const projects = (token: string, service: TestService = on) => service.api('get', '/projects', token);

/** A token as `provider.token` makes it, but for what is named. */
const token = (claims: Json = {}, header: Json = {}) => provider.token(account.accountId, claims, header);

/** Its claims are right; header and signature are what is given. */
const made = (header: unknown, by: (input: string) => Buffer | string): string =>
  compact(header, provider.claims({ account_id: account.accountId }), by);

const now = () => Math.floor(provider.now() / 1000);

describe('a token is accepted', () => {
  test.each<[string, () => string]>([
    ['as providers make them', () => token()],
    ['without a type', () => token({}, { typ: undefined })],
    ['as an access token of RFC 9068', () => token({}, { typ: 'at+jwt' })],
    ['with a type in any letter case', () => token({}, { typ: 'application/AT+JWT' })],
    ['for several audiences, one of them this', () => token({ aud: ['https://other.example.com', provider.audience] })],
    ['without the time it was issued at', () => token({ iat: undefined })],
    ['valid since now', () => token({ nbf: now() })],
    ['not yet valid, within the clock skew', () => token({ nbf: now() + 25 })],
    ['expired, within the clock skew', () => token({ exp: now() - 25 })],
    ['that expires at a fraction of a second', () => token({ exp: now() + 10.5 })],
    ['with its account in capitals', () => token({ account_id: account.accountId.toUpperCase() })],
    ['with a subject of 255 characters', () => token({ sub: 'ä'.repeat(255) })],
    ['of 8192 characters', () => padded(8192)],
    ['without a kid, where one key fits', () => token({}, { kid: undefined })],
    ['with another of the published keys', () => made({ alg: 'RS256', kid: rsa.kid }, signedBy(rsa))],
    [
      'for that alg, whatever keys its header brings along',
      () => token({}, { jku: 'http://x', jwk: rsa.jwk, x5c: ['x'] }),
    ],
  ])('%s', async (_, make) => {
    await projects(make()).expect(200);
  });

  test('in a header with the scheme in any letter case', async () => {
    const { status } = await sendRequest(on.url, 'GET /api/v1/projects', { Authorization: `bEARER  ${token()}` });
    expect(status).toBe(200);
  });

  test('signed with any algorithm that is allowed', async () => {
    const algorithms = ['RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES384', 'ES512', 'EdDSA', 'Ed25519'];
    const other = await IdentityProvider.start();
    other.others = algorithms.map((alg) => aProviderKey(alg));
    const environment = { ...other.environment, DASHBOARD_ALGORITHMS: algorithms.join(', ') };
    await withService(environment, on.database, async (service) => {
      for (const key of other.others) {
        other.key = key;
        await projects(other.token(account.accountId), service).expect(200);
      }
    });
    await other.stop();
  });
});

/** A good token of so many characters: padding of one more or fewer bytes in base64url makes up for each length but one in four. */
function padded(length: number): string {
  for (let padding = length / 2; ; padding++) {
    const long = token({ padding: 'x'.repeat(padding) });
    if (long.length === length) return long;
    if (long.length > length) throw new Error('no token has exactly that length');
  }
}

describe('a token is refused', () => {
  const nobodys = aProviderKey();

  // The reasons in the log, below, have one token each too.
  test.each<[string, () => string]>([
    // Its signature.
    ['signed by nobody: alg none', () => made({ alg: 'none', typ: 'JWT' }, () => '')],
    ['alg none with a signature', () => made({ ...provider.header, alg: 'none' }, signedBy(provider.key))],
    ['an HMAC under the public key', () => made({ alg: 'HS256', kid: rsa.kid, typ: 'JWT' }, hmacWith(pem(rsa)))],
    ['another key than its kid says', () => made(provider.header, signedBy(nobodys))],
    ['a kid of a key for another algorithm', () => made({ alg: 'ES256', kid: rsa.kid }, signedBy(provider.key))],
    ['an algorithm that its key is not for', () => madeWith('PS256', rsa)],
    ['an algorithm that is not allowed', () => madeWith('RS384', rsa)],
    ['an algorithm that is not allowed, by a key for any', () => madeWith('RS384', anyRsa)],
    ['an HMAC under a key that is published', () => made({ alg: 'HS256', kid: 'shared' }, hmacWith(Buffer.alloc(32)))],
    ['no kid, where several keys fit', () => made({ alg: 'RS256' }, signedBy(rsa))],
    ['no algorithm', () => made({ kid: provider.key.kid }, signedBy(provider.key))],
    ['an unknown kid', () => made({ alg: 'ES256', kid: 'unknown' }, signedBy(nobodys))],
    ['a kid that is no text', () => made({ alg: 'ES256', kid: [provider.key.kid] }, signedBy(provider.key))],
    ['its own key in jwk', () => made({ alg: 'ES256', jwk: nobodys.jwk }, signedBy(nobodys))],
    ['its own key in jwk, and a kid of ours', () => made({ ...provider.header, jwk: nobodys.jwk }, signedBy(nobodys))],
    ['its own key set in jku', () => ofNobody({ jku: `${provider.url}?evil` })],
    ['its own certificate in x5u', () => ofNobody({ x5u: provider.url })],
    ['no signature', () => token().replace(/[^.]+$/, '')],
    ['the signature of another token', () => `${token({ sub: 'eve' }).replace(/[^.]+$/, '')}${token().split('.')[2]}`],
    ['its claims changed', () => tampered(1, { account_id: account.accountId, sub: 'eve' })],
    ['its header changed', () => tampered(0, { ...provider.header, typ: 'at+jwt' })],
    // Its header.
    ['an unknown critical header', () => token({}, { crit: ['exp-policy'], 'exp-policy': 'x' })],
    ['an unencoded payload', () => token({}, { crit: ['b64'], b64: false })],
    ['the type of a proof of possession', () => token({}, { typ: 'dpop+jwt' })],
    ['a header that is no object', () => made([], signedBy(provider.key))],
    ['a header that is no JSON', () => made('x', signedBy(provider.key))],
    // Its claims.
    ['an issuer with a slash more', () => token({ iss: `${provider.issuer}/` })],
    ['a list of issuers', () => token({ iss: [provider.issuer] })],
    ['no issuer', () => token({ iss: undefined })],
    ['several other audiences', () => token({ aud: ['a', `${provider.audience}x`] })],
    ['no audience', () => token({ aud: undefined })],
    ['expired', () => token({ exp: now() - 31 })],
    ['no expiry', () => token({ exp: undefined })],
    ['an expiry that is text', () => token({ exp: String(now() + 300) })],
    ['an expiry that is null', () => token({ exp: null })],
    ['not yet valid', () => token({ nbf: now() + 40 })],
    ['a beginning that is text', () => token({ nbf: 'now' })],
    ['no account', () => token({ account_id: undefined })],
    ['an account that is no UUID', () => token({ account_id: 'acme' })],
    ['an account in braces', () => token({ account_id: `{${account.accountId}}` })],
    ['a list of accounts', () => token({ account_id: [account.accountId] })],
    ['an account that is a number', () => token({ account_id: 1 })],
    ['an unknown account', () => token({ account_id: '0198c0de-7e57-7000-8000-00000000dead' })],
    ['no subject', () => token({ sub: undefined })],
    ['an empty subject', () => token({ sub: '' })],
    ['a subject of white space', () => token({ sub: ' \t' })],
    ['a subject that is a list', () => token({ sub: ['ann'] })],
    ['a subject with NUL', () => token({ sub: 'ann\0' })],
    ['a subject with a lone surrogate', () => token({ sub: 'ann\ud800' })],
    ['a subject of 256 characters', () => token({ sub: 'a'.repeat(256) })],
    ['claims that are no object', () => compact(provider.header, [provider.claims()], signedBy(provider.key))],
    ['claims that are no JSON', () => compact(provider.header, 'x', signedBy(provider.key))],
    // Its form; test/tenancy/identity-provider/token-verifier.spec.ts has more.
    ['longer than 8192 characters', () => `${padded(8192)}A`],
    ['five parts: an encrypted token', () => ['e30', 'e30', 'e30', 'e30', 'e30'].join('.')],
    ['a token in quotes', () => `"${token()}"`],
    ['a key of ours in its middle', () => `${account.key}.x.x`],
  ])('with %s', async (_, make) => {
    const answer = await projects(make());
    expect(answer).toBeRefusedWith('UNAUTHORIZED');
    expect(answer.headers['www-authenticate']).toBe('Bearer');
    expect(answer.text).not.toMatch(/jwt|jose|jwks|claim|signature|expired/i);
  });

  test('that comes twice, or with something behind it', async () => {
    for (const authorization of [`Bearer ${token()} ${token()}`, `Bearer ${token()},`, `JWT ${token()}`, token()]) {
      const answer = await sendRequest(on.url, 'GET /api/v1/projects', { Authorization: authorization });
      expect(answer).toBeRefusedWith('UNAUTHORIZED');
    }
    const twice: [string, string][] = [
      ['Authorization', `Bearer ${token()}`],
      ['Authorization', `Bearer ${token()}`],
    ];
    expect(await sendRequest(on.url, 'GET /api/v1/projects', twice)).toBeRefusedWith('UNAUTHORIZED');
  });

  test('in the query, the body or a cookie: the header alone counts', async () => {
    expect(await on.api('get', `/projects?access_token=${token()}`)).toBeRefusedWith('UNAUTHORIZED');
    expect(await on.api('post', '/projects').send({ access_token: token() })).toBeRefusedWith('UNAUTHORIZED');
    const headers = { Cookie: `access_token=${token()}` };
    expect(await sendRequest(on.url, 'GET /api/v1/projects', headers)).toBeRefusedWith('UNAUTHORIZED');
  });

  const pem = ({ jwk }: ProviderKey): string =>
    createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' })
      .export({ type: 'spki', format: 'pem' })
      .toString();
  const madeWith = (alg: string, key: ProviderKey) => made({ alg, kid: key.kid }, signedBy({ ...key, alg }));
  const ofNobody = (header: Json) => made({ alg: 'ES256', kid: nobodys.kid, ...header }, signedBy(nobodys));

  function tampered(part: 0 | 1, value: Json): string {
    const parts = token().split('.');
    parts[part] = encoded(part === 1 ? provider.claims(value) : value);
    return parts.join('.');
  }
});

test('the settings of claims apply together', async () => {
  const settings = {
    DASHBOARD_USER_CLAIM: 'https://example.com/user',
    DASHBOARD_ACCOUNT_CLAIM: 'https://example.com/account',
    DASHBOARD_EMAIL_CLAIM: 'mail',
    DASHBOARD_CLOCK_SKEW_SECONDS: '0',
  };
  const claims = {
    'https://example.com/user': 'bob',
    'https://example.com/account': account.accountId,
    mail: 'bob@example.com',
  };
  const tokenWith = (more: Json) =>
    compact(provider.header, provider.claims({ ...claims, ...more }), signedBy(provider.key));
  await withService({ ...provider.environment, ...settings }, on.database, async (service) => {
    await projects(tokenWith({ sub: 'x' }), service).expect(200);
    const [user] = await on.database.query('SELECT email FROM users WHERE email = $1', ['bob@example.com']);
    expect(user).toBeDefined();
    for (const refused of [token(), tokenWith({ exp: now() - 1 })])
      expect(await projects(refused, service)).toBeRefusedWith('UNAUTHORIZED');
  });
});

test('without an identity provider no token opens anything, and nothing signed-in can be done', () =>
  withService({}, on.database, async (service) => {
    expect(await projects(token(), service)).toBeRefusedWith('UNAUTHORIZED');
    expect(await service.api('get', '/account/api-keys', account.key)).toBeRefusedWith('AUTH_REQUIRED');
  }));

describe('the log', () => {
  const lineOf = (requestId: string) =>
    eventually(
      () =>
        on.logLines.map((line) => JSON.parse(line) as Json).find((line) => line['request_id'] === requestId) ?? false,
    );

  test('names account and person, and no token', async () => {
    const good = token();
    const { headers } = await projects(good).expect(200);
    const line = await lineOf(headers['x-request-id']!);
    expect(line).toMatchObject({ account_id: account.accountId, user_id: expect.any(String) });
    expect(line).not.toHaveProperty('api_key_id');
    expect(line).not.toHaveProperty('token_refused');
    for (const path of [`/api/v1/projects/${good}`, `/${good.slice(0, 280)}`, `/api/v1/${good}?${good}`])
      await sendRequest(on.url, `GET ${path}`, { Authorization: `Bearer ${good}` });
    await eventually(() => on.logLines.some((line) => line.includes('[redacted token]')));
    for (const part of good.split('.').slice(1)) expect(on.logLines.join('')).not.toContain(part.slice(0, 60));
  });

  test.each<[string, () => string]>([
    ['expired', () => token({ exp: 1 })],
    ['claim aud', () => token({ aud: 'x' })],
    ['claim iss', () => token({ iss: 'x' })],
    ['claim nbf', () => token({ nbf: now() + 1000 })],
    ['claim of the account', () => token({ account_id: 'x' })],
    ['claim of the user', () => token({ sub: 1 })],
    ['unknown account', () => token({ account_id: account.userId })],
    ['type', () => token({}, { typ: 'logout+jwt' })],
    ['ERR_JWKS_NO_MATCHING_KEY', () => token({}, { kid: 'x' })],
    ['ERR_JOSE_ALG_NOT_ALLOWED', () => token({}, { alg: 'HS256' })],
    ['ERR_JWS_SIGNATURE_VERIFICATION_FAILED', () => made(provider.header, () => Buffer.alloc(64))],
  ])('says why: %s', async (reason, make) => {
    const { headers } = await projects(make()).expect(401);
    expect(await lineOf(headers['x-request-id']!)).toMatchObject({ token_refused: reason, status: 401 });
  });
});
