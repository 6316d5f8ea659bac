// An OpenID provider that accepts any password. It is a process, because the package is an ES module. People log in with the id of
// their account as their name, or with a name and the id. Arguments: the port, the audience, and the hosts of two consoles. The second
// gets refresh tokens.
import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import Provider from 'oidc-provider';

const [port, audience, consoleHost, refreshingHost] = process.argv.slice(2);
// As text first: test/support/identity-provider.ts says why.
const generated = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});
const privateKey = createPrivateKey(generated.privateKey);
const issuer = `http://127.0.0.1:${port}`;

const clientOf = (id, host, grants) => ({
  client_id: id,
  token_endpoint_auth_method: 'none',
  grant_types: grants,
  response_types: ['code'],
  redirect_uris: [`${host}/console/`, `${host}/console/silent-renew.html`],
  post_logout_redirect_uris: [`${host}/console/`],
});

const provider = new Provider(issuer, {
  clients: [
    clientOf('console', consoleHost, ['authorization_code']),
    clientOf('refreshing', refreshingHost, ['authorization_code', 'refresh_token']),
  ],
  clientBasedCORS: () => true,
  cookies: { keys: ['for tests only'] },
  extraTokenClaims: (_, token) => ({ account_id: token.accountId.split(' ').at(-1) }),
  features: {
    devInteractions: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => audience,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({ scope: '', audience, accessTokenFormat: 'jwt', accessTokenTTL: 300 }),
    },
  },
  issueRefreshToken: (_, client) => client.grantTypeAllowed('refresh_token'),
  findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'test' }] },
  pkce: { required: () => true },
});

provider.listen(Number(port), '127.0.0.1', () => process.stdout.write('listening\n'));
