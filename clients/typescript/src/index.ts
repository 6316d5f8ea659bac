import createFetchClient, { type Client, type ClientOptions } from 'openapi-fetch';
import type { components, paths } from './schema.js';

export type { components, operations, paths } from './schema.js';

type Schemas = components['schemas'];
export type Project = Schemas['Project'];
export type ListedProject = Schemas['ListedProject'];
export type DynamicLink = Schemas['DynamicLink'];
export type DynamicLinkWithApps = Schemas['DynamicLinkWithApps'];
export type ShortLink = Schemas['ShortLink'];
export type IosApp = Schemas['IosApp'];
export type AndroidApp = Schemas['AndroidApp'];
export type Account = Schemas['Account'];
export type ApiKey = Schemas['ApiKey'];
export type CreatedApiKey = Schemas['CreatedApiKey'];
export type Analytics = Schemas['Analytics'];
export type CustomDomain = Schemas['CustomDomain'];
export type Pagination = Schemas['Pagination'];
export type ErrorResponse = Schemas['ErrorResponse'];
export type ErrorCode = Schemas['ErrorCode'];

export type SignpostClient = Client<paths>;

export interface SignpostClientOptions extends Omit<ClientOptions, 'baseUrl'> {
  /** The management API's base address, `/api/v1` included: `https://api.example.com/api/v1`. */
  baseUrl: string;
  /**
   * An API key, or what gives the token of the person who is signed in: it is asked for each request, since tokens are
   * short-lived.
   */
  token: string | (() => string | Promise<string>);
}

/**
 * A client whose methods know every path, parameter, body and answer of the API. It never throws for an answer of the
 * service: look at `error`, and at `response.status`.
 */
export function createClient({ token, ...options }: SignpostClientOptions): SignpostClient {
  const client = createFetchClient<paths>(options);
  client.use({
    async onRequest({ request }) {
      request.headers.set('Authorization', `Bearer ${typeof token === 'string' ? token : await token()}`);
      return request;
    },
  });
  return client;
}
