// An OpenID provider with one client, which accepts any password. It is a process, because the package is an ES module.
// People log in with the id of their account as their name. Arguments: the port, the address of the console's host, and the audience.
import { generateKeyPairSync } from 'node:crypto';
import Provider from 'oidc-provider';

const [port, consoleHost, audience] = process.argv.slice(2);
const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const issuer = `http://127.0.0.1:${port}`;

const provider = new Provider(issuer, {
  clients: [
    {
      client_id: 'console',
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code'],
      response_types: ['code'],
      redirect_uris: [`${consoleHost}/console/`, `${consoleHost}/console/silent-renew.html`],
      post_logout_redirect_uris: [`${consoleHost}/console/`],
    },
  ],
  clientBasedCORS: () => true,
  cookies: { keys: ['for tests only'] },
  extraTokenClaims: (_, token) => ({ account_id: token.accountId }),
  features: {
    devInteractions: { enabled: true },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => audience,
      useGrantedResource: () => true,
      getResourceServerInfo: () => ({ scope: '', audience, accessTokenFormat: 'jwt', accessTokenTTL: 300 }),
    },
  },
  findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub }) }),
  jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'test' }] },
  pkce: { required: () => true },
});

provider.listen(Number(port), '127.0.0.1', () => process.stdout.write('listening\n'));
