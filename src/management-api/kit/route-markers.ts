import { SetMetadata } from '@nestjs/common';

export const publicRoute = 'signpost:public';
export const signedInOnly = 'signpost:signed-in-only';
export const anyQuery = 'signpost:any-query';
export const notCounted = 'signpost:not-counted';

/** Opens a route to callers without an API key or a token. */
export const Public = () => SetMetadata(publicRoute, true);

/** Restricts a route to signed-in users; API keys get 401 AUTH_REQUIRED. */
export const SignedInOnly = () => SetMetadata(signedInOnly, true);

/** Exempts a controller from the rate limit and its headers. */
export const NotCounted = () => SetMetadata(notCounted, true);

/** Lets a controller ignore unknown query parameters, which all others refuse. */
export const AnyQuery = () => SetMetadata(anyQuery, true);
