/** The settings that the service writes into the page. A separate deployment edits `index.html`. */
export interface ConsoleSettings {
  apiBaseUrl: string;
  provider: { issuer: string; clientId: string; scope: string; audience: string } | null;
  /** The link hosts, from which the page loads uploaded pictures, such as `https://*.example.com`. Empty: none. */
  pictures: string;
}

const metaContent = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '{}';

export const settings: ConsoleSettings = {
  apiBaseUrl: '/api/v1',
  provider: null,
  pictures: '',
  ...(JSON.parse(metaContent('signpost-settings')) as Partial<ConsoleSettings>),
};

export const styleNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
