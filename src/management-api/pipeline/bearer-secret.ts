import type { ApiRequest } from './api-request';

/** Returns the secret of `Authorization: Bearer`; undefined without one. */
export const bearerSecretOf = (request: ApiRequest): string | undefined =>
  /^Bearer +(\S+)$/i.exec(onlyAuthorization(request))?.[1];

/** Ignores several Authorization fields, because Node keeps the first and a proxy may have read another. */
function onlyAuthorization({ headers, rawHeaders }: ApiRequest): string {
  let fields = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (name.length === 13 && name.toLowerCase() === 'authorization') fields++;
  }
  return fields === 1 ? (headers.authorization ?? '') : '';
}
