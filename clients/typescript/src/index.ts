import createFetchClient, {
  type Client,
  type ClientOptions,
  type FetchResponse,
  type ParseAs,
  type RequestOptions,
} from 'openapi-fetch';
import type { components, paths } from './schema.js';

export type { components, operations, paths, webhooks } from './schema.js';

type Schemas = components['schemas'];
export type Project = Schemas['Project'];
export type ListedProject = Schemas['ListedProject'];
export type DynamicLink = Schemas['DynamicLink'];
export type DynamicLinkListItem = Schemas['DynamicLinkListItem'];
export type DynamicLinkWithApps = Schemas['DynamicLinkWithApps'];
export type ShortLink = Schemas['ShortLink'];
export type Tag = Schemas['Tag'];
export type LinkTemplate = Schemas['LinkTemplate'];
export type Share = Schemas['Share'];
export type CreatedShare = Schemas['CreatedShare'];
export type Import = Schemas['Import'];
export type ImportRow = Schemas['ImportRow'];
export type IosApp = Schemas['IosApp'];
export type AndroidApp = Schemas['AndroidApp'];
export type IosAppRelease = Schemas['IosAppRelease'];
export type AndroidAppRelease = Schemas['AndroidAppRelease'];
export type Account = Schemas['Account'];
export type AccountProtection = Schemas['AccountProtection'];
export type ApiKey = Schemas['ApiKey'];
export type Approval = Schemas['Approval'];
export type Member = Schemas['Member'];
export type Webhook = Schemas['Webhook'];
export type RevealedWebhook = Schemas['RevealedWebhook'];
export type WebhookDelivery = Schemas['WebhookDelivery'];
export type WebhookTest = Schemas['WebhookTest'];
export type CloudEvent = Schemas['CloudEvent'];
export type User = Schemas['User'];
export type CreatedApiKey = Schemas['CreatedApiKey'];
export type Analytics = Schemas['Analytics'];
export type JournalEntry = Schemas['JournalEntry'];
export type JournalPage = Schemas['JournalPage'];
export type CustomDomain = Schemas['CustomDomain'];
export type FormerSubdomain = Schemas['FormerSubdomain'];
export type Pagination = Schemas['Pagination'];
export type ErrorResponse = Schemas['ErrorResponse'];
export type ErrorCode = Schemas['ErrorCode'];
export type Problem = Schemas['Problem'];
export type FeatureDetails = Schemas['FeatureDetails'];
export type LimitDetails = Schemas['LimitDetails'];
export type VerificationDetails = Schemas['VerificationDetails'];
export type ReferenceDetails = Schemas['ReferenceDetails'];
export type ReleaseDetails = Schemas['ReleaseDetails'];
export type ReasonDetails = Schemas['ReasonDetails'];

type Method = 'get' | 'put' | 'post' | 'delete';

/** The paths that have an operation with the method. */
type PathWith<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, object> ? P : never;
}[keyof paths];

type OperationOf<M extends Method, P extends PathWith<M>> = paths[P][M] & Record<string | number, unknown>;

type RequiredKeys<T> = { [K in keyof T]-?: object extends Pick<T, K> ? never : K }[keyof T];

type WithParams<O> = O extends { parameters: infer Parameters }
  ? [RequiredKeys<Parameters>] extends [never]
    ? { params?: Parameters }
    : { params: Parameters }
  : unknown;

type WithBody<O> = O extends { requestBody: { content: { 'application/json': infer Body } } }
  ? { body: Body }
  : { body?: never };

type OptionsOf<O, As extends ParseAs> = WithParams<O> &
  WithBody<O> & { parseAs?: As } & Omit<RequestOptions<unknown>, 'params' | 'body' | 'parseAs'> &
  Omit<RequestInit, 'body' | 'headers' | 'method'>;

/** The options are optional if no parameter and no body is required. */
type Arguments<Options> = [RequiredKeys<Options>] extends [never] ? [options?: Options] : [options: Options];

/** The media types of the answer. An operation that also answers files is read as JSON unless another form is requested. */
type MediaOf<As extends ParseAs> = As extends 'json' ? 'application/json' : `${string}/${string}`;

/**
 * Sends a request to a path. The methods of openapi-fetch infer the type of their options from the call, so that they accept
 * misspelt fields. The type of these options follows from the path.
 */
type Send<M extends Method> = <P extends PathWith<M>, As extends ParseAs = 'json'>(
  path: P,
  ...options: Arguments<OptionsOf<OperationOf<M, P>, As>>
) => Promise<FetchResponse<OperationOf<M, P>, { parseAs: As }, MediaOf<As>>>;

export interface SignpostClient extends Pick<Client<paths>, 'use' | 'eject'> {
  GET: Send<'get'>;
  PUT: Send<'put'>;
  POST: Send<'post'>;
  DELETE: Send<'delete'>;
}

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
 * Creates a client whose methods know every path, parameter, body and answer of the API. It never throws for an answer of the
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
  return client as unknown as SignpostClient;
}
