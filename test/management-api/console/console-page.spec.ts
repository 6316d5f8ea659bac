import { fillPage, policyOf } from '../../../src/management-api/console/console-page';

const provider = {
  issuer: 'https://id.example.com/tenant"><script>',
  clientId: 'console&co',
  scope: 'openid email',
  audience: 'https://api.example.com',
  origins: ['https://id.example.com', 'https://keys.example.com'],
};

const built = `<meta property="csp-nonce" nonce="" />\n<meta name="signpost-settings" content='{"apiBaseUrl":"/other"}' />`;

const pictures = 'https://*.go.example.com';

test('a page gets the nonce and the settings, quoted for HTML', () => {
  const page = fillPage(built, { provider, pictures }, 'abc$&');
  expect(page).toContain('<meta property="csp-nonce" nonce="abc$&"');
  expect(page).not.toContain('<script>"');
  const [, content] = /name="signpost-settings" content="([^"]*)"/.exec(page)!;
  expect(JSON.parse(content!.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))).toEqual({
    apiBaseUrl: '/api/v1',
    provider: { issuer: provider.issuer, clientId: 'console&co', scope: 'openid email', audience: provider.audience },
    pictures,
  });
});

test('without a provider, the page says so', () => {
  expect(fillPage(built, { provider: null, pictures }, 'x')).toContain('&quot;provider&quot;:null');
});

test('the policy allows scripts of the console only, and no origin except link hosts and the provider', () => {
  const policy = policyOf({ provider: null, pictures }, 'n0nce').split('; ');
  expect(policy).toContain("script-src 'self'");
  expect(policy).toContain("style-src 'self' 'nonce-n0nce'");
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("connect-src 'self'");
  expect(policy).toContain(`img-src 'self' blob: data: ${pictures}`);
  expect(policy.join().replace(pictures, '')).not.toMatch(/unsafe|https?:|\*/);
  expect(policyOf({ provider, pictures }, 'n0nce').split('; ')).toEqual(
    expect.arrayContaining([
      "connect-src 'self' https://id.example.com https://keys.example.com",
      "frame-src 'self' https://id.example.com https://keys.example.com",
    ]),
  );
});
