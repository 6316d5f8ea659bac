import { listOf, oneOf } from './rule';
import { text } from './text';

/** Which of the visitor's parameters a destination gets. */
export const queryForwardings = ['all', 'none', 'listed'] as const;
export type QueryForwarding = (typeof queryForwardings)[number];

export const queryForwarding = oneOf(queryForwardings);

/** Names of parameters, percent-decoded, for `listed`. */
export const forwardedParams = listOf(text({ min: 1, max: 100 }), { maxItems: 50 });
