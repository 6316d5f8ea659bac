import { listOf } from './rule';
import { text } from './text';

/** Reads an origin as browsers send it (RFC 6454, section 6.2), without a default port. */
const origin = text({
  min: 8,
  max: 260,
  pattern: /^https?:\/\/[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?(?::[1-9][0-9]{0,4})?$/,
  patternSays: 'be an origin such as https://shop.example.com, in lower case and without a path',
});

export const pageOrigins = listOf(origin, { minItems: 1, maxItems: 20 });
