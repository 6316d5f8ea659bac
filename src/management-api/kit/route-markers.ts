import { SetMetadata } from '@nestjs/common';

export const publicRoute = 'signpost:public';
export const signedInOnly = 'signpost:signed-in-only';
export const anyQuery = 'signpost:any-query';
export const notCounted = 'signpost:not-counted';

/** Needs neither key nor token. Every other route needs one of them. */
export const Public = () => SetMetadata(publicRoute, true);

/** Serves signed-in people; 401 AUTH_REQUIRED for API keys. */
export const SignedInOnly = () => SetMetadata(signedInOnly, true);

/** For controllers: their requests are not counted for the rate limit, and their answers say nothing of it. */
export const NotCounted = () => SetMetadata(notCounted, true);

/** For controllers: query parameters are none of their business. All others refuse those that they do not know. */
export const AnyQuery = () => SetMetadata(anyQuery, true);
