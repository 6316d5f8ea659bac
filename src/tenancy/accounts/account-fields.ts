import type { Field } from '../../shared/field-table';
import { jsonBoolean, jsonInteger } from '../../shared/rule';

export const accountFields = {
  frozen: {
    rule: jsonBoolean,
    default: false,
    description:
      'Whether all changes of the account are refused, except for this field. Reads and link traffic continue, and running imports wait.',
    example: false,
  },
  max_key_age_days: {
    rule: jsonInteger({ minimum: 1, maximum: 3650 }),
    default: null,
    description:
      'Days from its creation after which an API key is refused. New keys expire then at the latest. Null: keys without an expiry stay valid.',
    example: 90,
  },
  approval_required: {
    rule: jsonBoolean,
    default: false,
    description:
      'Whether another person must approve the deletion of a project, the removal of a domain, changes of roles, and the end of this ' +
      'setting. It needs two owners who have signed in.',
    example: false,
  },
} as const satisfies Record<string, Field>;

export type AccountFields = typeof accountFields;
