import { createClient } from 'signpost-client';
import { settings } from '../app/settings';
import { session } from '../session/session';
import { ApiError, errorOf } from './api-error';
import { fetchAcknowledged } from './broken-releases';

export const api = createClient({
  baseUrl: new URL(settings.apiBaseUrl, location.origin).href,
  token,
  fetch: fetchAcknowledged,
});

/** @throws ApiError if the identity provider does not answer, which says nothing about the service */
async function token(): Promise<string> {
  try {
    return await session.token();
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError('NO_TOKEN', 'The identity provider did not renew the sign-in.', 0);
  }
}

interface Sent<D> {
  data?: D;
  error?: unknown;
  response: Response;
}

/** A resource with the version that a change of it names in `If-Match`. */
export interface Versioned<T> {
  value: T;
  etag: string;
}

async function settle<D>(request: Promise<Sent<D>>): Promise<{ data: NonNullable<D>; response: Response }> {
  let sent: Sent<D>;
  try {
    sent = await request;
  } catch (error) {
    if (error instanceof ApiError || (error instanceof DOMException && error.name === 'AbortError')) throw error;
    throw new ApiError('OFFLINE', 'The service did not answer.', 0);
  }
  const { data, error, response } = sent;
  if (!response.ok) {
    if (response.status === 401 && errorOf(response, error).code === 'UNAUTHORIZED') session.expire();
    throw errorOf(response, error);
  }
  session.onAccepted();
  return { data: data!, response };
}

/** Returns the body of a successful answer. @throws ApiError */
export async function answerOf<D>(request: Promise<Sent<D>>): Promise<NonNullable<D>> {
  return (await settle(request)).data;
}

/** Returns the resource of a successful answer, with its version. @throws ApiError */
export async function versionOf<T>(request: Promise<Sent<{ data: T }>>): Promise<Versioned<T>> {
  const { data, response } = await settle(request);
  return { value: data.data, etag: response.headers.get('ETag') ?? '*' };
}
