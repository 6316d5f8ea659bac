import type { ConsoleSettings } from './console-settings';

type PageSettings = Pick<ConsoleSettings, 'provider' | 'pictures'>;

const nonceTag = /<meta property="csp-nonce" nonce="[^"]*"/;
const settingsTag = /<meta name="signpost-settings" content=(?:"[^"]*"|'[^']*')/;

/** Builds the built page with the settings of this service and the nonce of one response. */
export function fillPage(html: string, { provider, pictures }: PageSettings, nonce: string): string {
  const settings = {
    apiBaseUrl: '/api/v1',
    provider: provider && {
      issuer: provider.issuer,
      clientId: provider.clientId,
      scope: provider.scope,
      audience: provider.audience,
    },
    pictures,
  };
  return html
    .replace(nonceTag, () => `<meta property="csp-nonce" nonce="${nonce}"`)
    .replace(settingsTag, () => `<meta name="signpost-settings" content="${attribute(JSON.stringify(settings))}"`);
}

const attribute = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

/**
 * Returns the `Content-Security-Policy` of a page. Scripts are files of the console only. Style elements need the nonce, because
 * the component library adds some. The provider is reached by requests and, for silent renewal, in a frame.
 */
export function policyOf({ provider, pictures }: PageSettings, nonce: string): string {
  const origins = provider?.origins.map((origin) => ` ${origin}`).join('') ?? '';
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' blob: data: ${pictures}`,
    "font-src 'self'",
    `connect-src 'self'${origins}`,
    `frame-src 'self'${origins}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ');
}
