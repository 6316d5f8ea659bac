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
export type CustomDomain = Schemas['CustomDomain'];
export type Pagination = Schemas['Pagination'];
export type ErrorResponse = Schemas['ErrorResponse'];
export type ErrorCode = Schemas['ErrorCode'];

export type SignpostClient = Client<paths>;

export interface SignpostClientOptions extends Omit<ClientOptions, 'baseUrl'> {
  /** The management API's base address, `/api/v1` included: `https://api.example.com/api/v1`. */
  baseUrl: string;
  /** An API key, or a short-lived token of a signed-in person. */
  token: string;
}

/**
 * A client whose methods know every path, parameter, body and answer of the API. It never throws for an answer of the
 * service: look at `error`, and at `response.status`.
 */
export function createClient({ token, headers, ...options }: SignpostClientOptions): SignpostClient {
  return createFetchClient<paths>({
    ...options,
    headers: { Authorization: `Bearer ${token}`, ...(headers as object) },
  });
}
