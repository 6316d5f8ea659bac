import { SetMetadata } from '@nestjs/common';

export const allowsUnknownQuery = 'signpost:allows-unknown-query';
export const skipsRateLimit = 'signpost:skips-rate-limit';
export const readsCurrentProject = 'signpost:reads-current-project';
export const maxBytesOfBody = 'signpost:max-bytes-of-body';
export const operationsOfBody = 'signpost:operations-of-body';

/** Lets an operation take a larger body than others. */
export const TakesLargeBody = (maxBytes: number) => SetMetadata(maxBytesOfBody, maxBytes);

/** Counts a request for the rate limit by the operations that its body asks for. The body is not validated yet. */
export const CountsOperations = (operationsOf: (body: object) => number) => SetMetadata(operationsOfBody, operationsOf);

/** Exempts a controller of public routes from the rate limit, its headers and the look-up of the caller. */
export const SkipRateLimit = () => SetMetadata(skipsRateLimit, true);

/** Gives a controller the project in the path as it is in the database now, not as a cache has it. */
export const ReadsCurrentProject = () => SetMetadata(readsCurrentProject, true);

/** Lets a controller ignore unknown query parameters, which all others refuse. */
export const AllowUnknownQuery = () => SetMetadata(allowsUnknownQuery, true);
