import { SetMetadata } from '@nestjs/common';
import type { Feature } from './plan';

export const requiredFeature = 'signpost:feature';

/**
 * Restricts a route to plans that include the feature; other plans get 403 FORBIDDEN_PLAN.
 * @public
 */
export const RequiresFeature = (feature: Feature) => SetMetadata(requiredFeature, feature);
