import { scopes } from '../../api-kit/policy/policy';
import type { Field } from '../../shared/field-table';
import { uuid } from '../../shared/id';
import { jsonInteger, listOf, oneOf } from '../../shared/rule';
import { displayName, text } from '../../shared/text';
import { destinationHost, maxDestinationHosts } from '../../shared/destination-host';
import { allowedNetworks } from './allowed-networks';

/** Reads an origin as browsers send it (RFC 6454, section 6.2), without a default port. */
const origin = text({
  min: 8,
  max: 260,
  pattern: /^https?:\/\/[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?(?::[1-9][0-9]{0,4})?$/,
  patternSays: 'be an origin such as https://shop.example.com, in lower case and without a path',
});

/** Links that a publishable key creates in a day, unless it has another limit. */
export const defaultLinksPerDay = 1000;

/** The fields of an API key that callers set and change. A key without limits may do all that keys can do. */
export const apiKeyFields = {
  name: {
    rule: displayName,
    required: true,
    answer: { maxLength: displayName.schema.maxLength },
    description: 'Display name that helps users to distinguish their keys.',
    example: 'CI',
  },
  scopes: {
    rule: listOf(oneOf(scopes), { minItems: 1, maxItems: scopes.length }),
    default: null,
    description: 'Operations that the key may call. Null: all, also those of later versions.',
    example: ['links:create'],
  },
  project_ids: {
    rule: listOf(uuid, { minItems: 1, maxItems: 50 }),
    default: null,
    description:
      'Projects that the key may use. It sees no others, and creates none. Null: all projects of the account.',
    example: ['0198c0de-7e57-7000-8000-000000000001'],
  },
  allowed_networks: {
    rule: allowedNetworks,
    default: null,
    description: 'Addresses and networks (CIDR) from which the key may be used. Null: all.',
    example: ['192.0.2.0/24', '2001:db8::/32'],
  },
  destination_hosts: {
    rule: listOf(destinationHost, { minItems: 1, maxItems: maxDestinationHosts }),
    default: null,
    description:
      'Hosts to which links that the key writes may lead: `shop.example.com`, or `*.example.com` for all hosts below it. Such a key cannot ' +
      'import, and cannot change the lists of a project that allow destinations. Null: all that the project allows.',
    example: ['shop.example.com', '*.example.org'],
  },
  allowed_origins: {
    rule: listOf(origin, { minItems: 1, maxItems: 20 }),
    default: null,
    description: 'Origins of the pages that use the key, if it is publishable. Null for other keys.',
    example: ['https://shop.example.com'],
  },
  links_per_day: {
    rule: jsonInteger({ minimum: 1, maximum: 1_000_000 }),
    default: null,
    description: `Links and short links that a publishable key creates in a day (UTC). Null: ${defaultLinksPerDay}.`,
    example: 500,
  },
} as const satisfies Record<string, Field>;

export type ApiKeyFields = typeof apiKeyFields;
