import { SetMetadata } from '@nestjs/common';
import type { Feature } from './plan';

export const requiredFeature = 'signpost:feature';

/**
 * Only for plans that include the feature; 403 FORBIDDEN_PLAN otherwise.
 * @public
 */
export const RequiresFeature = (feature: Feature) => SetMetadata(requiredFeature, feature);
