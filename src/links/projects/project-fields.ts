import { destinationHosts } from '../../shared/destination-host';
import { allowedSchemes, destinationUrl } from '../../shared/destination-url';
import type { Field } from '../../shared/field-table';
import { forwardedParams, queryForwarding } from '../../shared/query-forwarding';
import { jsonBoolean, jsonInteger, limitsOf, oneOf } from '../../shared/rule';
import { displayName, text } from '../../shared/text';
import { releaseGuardModes } from '../../link-paths/release-guard/release-guard-mode';
import { subdomainRule } from './subdomain';

const ownHost =
  'A URL on the visited host, or on the host of its links, is ignored, because the redirect would repeat endlessly.';

/** The name of the parameter that has the click id. Its characters need no percent-encoding. */
export const clickIdParam = text({
  min: 1,
  max: 50,
  pattern: /^[A-Za-z0-9_.-]+$/,
  except: /^(?:_via|deferred_link)$/,
  patternSays: 'have only letters, digits, "_", "-" and ".", and be neither _via nor deferred_link',
});

/** The fields of a project that callers set, in the order of errors. */
export const projectFields = {
  name: {
    rule: displayName,
    required: true,
    answer: { maxLength: displayName.schema.maxLength },
    description: 'Display name.',
    example: 'Summer campaign',
  },
  subdomain: {
    rule: subdomainRule,
    required: true,
    answer: limitsOf(subdomainRule),
    description: 'First label of the host of every link in the project',
    example: 'summer',
  },
  long_link_destinations: {
    rule: destinationHosts,
    default: [],
    answer: { maxItems: destinationHosts.schema.maxItems },
    description:
      'Hosts to which long links of Firebase, `https://host/?link=…`, may lead: `shop.example.com`, or `*.example.com` for all ' +
      'hosts below it. A host without a port allows the default ports. An empty list turns long links off.',
    example: ['shop.example.com', '*.example.org'],
  },
  root_url: {
    rule: destinationUrl,
    default: null,
    description: `Destination of visitors of \`/\`. Null: \`/\` is an unknown path. ${ownHost}`,
    example: 'https://www.example.com/',
  },
  not_found_url: {
    rule: destinationUrl,
    default: null,
    description: `Destination of visitors of paths that no link has. Null: a page with the status 404. ${ownHost}`,
    example: 'https://www.example.com/not-found',
  },
  expired_url: {
    rule: destinationUrl,
    default: null,
    description: `Destination of visitors of links that have ended and have no \`expired_url\`. Null: a page with the status 410. ${ownHost}`,
    example: 'https://www.example.com/ended',
  },
  query_forwarding: {
    rule: queryForwarding,
    default: 'all',
    description:
      "Which of the visitor's parameters destinations get: `all`, `none`, or those that `forwarded_params` lists. A link can have another value.",
    example: 'all',
  },
  forwarded_params: {
    rule: forwardedParams,
    default: [],
    answer: { maxItems: forwardedParams.schema.maxItems },
    description: 'Names of parameters that destinations get if `query_forwarding` is `listed`. Letter case counts.',
    example: ['utm_source', 'gclid'],
  },
  allowed_schemes: {
    rule: allowedSchemes,
    default: [],
    answer: { maxItems: allowedSchemes.schema.maxItems },
    description:
      'Schemes that destinations of links may have beside http and https, such as `mailto`, `tel` and that of an app. Visitors get a page ' +
      'with a button. Schemes that run code, read files or belong to browsers, such as `javascript` and `data`, are refused. Links keep a ' +
      'destination whose scheme is removed here.',
    example: ['mailto', 'tel'],
  },
  destination_hosts: {
    rule: destinationHosts,
    default: [],
    answer: { maxItems: destinationHosts.schema.maxItems },
    description:
      'Hosts to which links, `root_url`, `not_found_url` and `expired_url` may lead, in the form of `long_link_destinations`. An empty list allows all hosts. ' +
      'A write with another host is refused; stored URLs stay. While the list has hosts, API keys cannot change it, ' +
      '`allowed_schemes` and `long_link_destinations`.',
    example: ['*.example.com', 'example.com'],
  },
  release_guard: {
    rule: oneOf(releaseGuardModes),
    default: 'warn',
    description:
      'Effect of a change that breaks a released version of an app. `refuse`: 409, unless `acknowledge` names the version. ' +
      '`warn`: the change is made, and `Broken-App-Versions` names the versions. `off`: nothing is compared.',
    example: 'warn',
  },
  retire_releases_after_days: {
    rule: jsonInteger({ minimum: 1, maximum: 3650 }),
    default: null,
    description: 'Days after which recorded releases of apps retire by themselves. Null: never.',
    example: 730,
  },
  retire_releases_below_percent: {
    rule: jsonInteger({ minimum: 1, maximum: 50 }),
    default: null,
    description:
      'Share of the opens of its platform in the last 30 days below which a recorded release retires, in percent. Null: never. Projects ' +
      'with several apps of a platform, and with less than 100 opens of it, retire nothing.',
    example: 1,
  },
  conversions: {
    rule: jsonBoolean,
    default: false,
    description:
      'Whether visits of all links get a click id, so that conversions count for them. Otherwise only those of links with `conversions` do.',
    example: false,
  },
  click_id_param: {
    rule: clickIdParam,
    default: 'click_id',
    answer: limitsOf(clickIdParam),
    description:
      'Query parameter that has the click id in web destinations: 1 to 50 letters, digits, `_`, `-` and `.`. Parameters of the service are ' +
      'refused. It replaces parameters of the same name.',
    example: 'click_id',
  },
  conversion_window_days: {
    rule: jsonInteger({ minimum: 1, maximum: 90 }),
    default: 30,
    description: 'Days after the visit in which conversions count. A change applies to later visits.',
    example: 30,
  },
} as const satisfies Record<string, Field>;

export type ProjectFields = typeof projectFields;
