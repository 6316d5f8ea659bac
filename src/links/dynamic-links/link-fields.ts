import { dateTime } from '../../shared/date-time';
import { destinationUrl, linkDestination } from '../../shared/destination-url';
import type { Field } from '../../shared/field-table';
import { uuid } from '../../shared/id';
import { forwardedParams, queryForwarding } from '../../shared/query-forwarding';
import { jsonBoolean, jsonInteger, limitsOf } from '../../shared/rule';
import { displayName, text as textRule } from '../../shared/text';
import { type LinkRule, linkRules } from '../../link-paths/rules/link-rules';
import { linkVariants, variantsOf } from '../../link-paths/rules/variants';
import { customPath, linkPath } from '../../link-paths/paths/custom-path';
import { templateName } from '../link-templates/template-fields';
import { tagNames } from '../tags/tag';
import { appData } from './app-data';
import { asObject, referrerParams } from '../../shared/referrer-params';

type Described = Pick<Field<string>, 'description' | 'example'>;

const text = (max: number, described: Described) => ({
  kind: 'text' as const,
  rule: textRule({ max }),
  default: null,
  answer: { maxLength: max },
  ...described,
});
const url = (rule: typeof destinationUrl, description: string, example: string) => ({
  kind: 'url' as const,
  rule,
  default: null,
  answer: { format: 'uri' },
  description,
  example,
});
const flag = (description: string) => ({
  kind: 'flag' as const,
  rule: jsonBoolean,
  default: false,
  description,
  example: false,
});
const moment = (description: string, example: string) => ({
  kind: 'moment' as const,
  rule: dateTime,
  default: null,
  answer: { format: 'date-time' },
  description,
  example,
  render: (at: Date) => at.toISOString(),
});
const app = (description: string, example: string) => ({
  kind: 'app' as const,
  rule: uuid,
  default: null,
  answer: { format: 'uuid' },
  description,
  example,
});

/** The rule of external ids. A path segment of the API contains one, and clients remove the segments `.` and `..`. */
export const externalId = textRule({
  min: 1,
  max: 255,
  notBlank: true,
  pattern: /^[^\u0000-\u001f\u007f-\u009f]+$/,
  except: /^(?:\.{1,2}|\s+)$/,
  patternSays: 'have no control characters, and not be . or ..',
});

/**
 * The fields of a link that callers set, in the order of bodies, answers, errors and exports. The kind decides how imports and
 * the contract tests read a field. A cell of CSV that is too long is cut and reported if the kind is `text`, and refused if it is
 * `exactText`. Imports compare links by all fields but those with `compared: false`.
 */
export const linkFields = {
  name: {
    kind: 'text',
    rule: displayName,
    required: true,
    answer: { maxLength: displayName.schema.maxLength },
    description: 'Internal display name.',
    example: 'Summer sale',
  },
  custom_path: {
    kind: 'path',
    rule: customPath,
    compared: false,
    answer: { ...limitsOf(linkPath), nullable: true },
    description:
      "Path under the project's host, case-sensitive. It is unique among the custom paths and slugs of the project. " +
      '`robots.txt`, `favicon.ico` and `apple-app-site-association` are reserved.',
    onCreate: 'Default: eight random letters and digits.',
    example: 'summer/sale',
  },
  desktop_url: url(
    linkDestination,
    'Destination for desktop users, and for other users if no better destination is set. An http or https URL, or one with a scheme of ' +
      '`allowed_schemes` of the project.',
    'https://shop.example.com/sale',
  ),
  ios_app_id: app('Id of a registered iOS app of the same project.', '0198c0de-7e57-7000-8000-0000000000b1'),
  android_app_id: app('Id of a registered Android app of the same project.', '0198c0de-7e57-7000-8000-0000000000b2'),
  ios_fallback_url: url(
    linkDestination,
    'Destination for iOS users who do not have the app, like `desktop_url`.',
    'https://shop.example.com/ios',
  ),
  android_fallback_url: url(
    linkDestination,
    'Destination for Android users who do not have the app, like `desktop_url`.',
    'https://shop.example.com/android',
  ),
  ios_deferred_deep_link: flag(
    'Whether iOS users see the page "Get the app", so that the app can open this link after its installation. ' +
      'The Pro plan or a higher plan is required.',
  ),
  social_title: text(200, { description: 'Open Graph title.', example: 'Summer sale' }),
  social_description: text(1000, { description: 'Open Graph description.', example: 'Everything must go.' }),
  social_image_url: url(destinationUrl, 'URL of the Open Graph image.', 'https://shop.example.com/sale.png'),
  referrer_params: {
    kind: 'params',
    rule: referrerParams,
    column: 'jsonb',
    default: null,
    description:
      'Query parameters added to the destination, for attribution. At most 50 parameters; keys have 1 to 100 characters.',
    example: { utm_source: 'newsletter' },
    render: asObject,
  },
  app_data: {
    kind: 'json',
    rule: appData,
    column: 'json',
    default: null,
    description:
      'Data that only apps get, when they open the link or claim it: texts, numbers, booleans, and objects of these. At most 4,096 bytes as ' +
      'JSON and 50 keys in all; keys have 1 to 100 characters. It is no place for secrets, because everyone who has the link can ask for it.',
    example: { screen: 'product', product: { id: 42, in_stock: true } },
    render: (json: string) => JSON.parse(json) as Record<string, unknown>,
  },
  query_forwarding: {
    kind: 'forwarding',
    rule: queryForwarding,
    default: null,
    description:
      "Which of the visitor's parameters destinations get: `all`, `none`, or those that `forwarded_params` lists. Null: as the project says.",
    example: 'none',
  },
  forwarded_params: {
    kind: 'names',
    rule: forwardedParams,
    default: [],
    answer: { maxItems: forwardedParams.schema.maxItems },
    description:
      'Names of parameters that destinations get if `query_forwarding` of the link is `listed`. Letter case counts.',
    example: ['utm_source'],
  },
  variants: {
    kind: 'variants',
    rule: linkVariants,
    column: 'json',
    default: null,
    answer: { items: linkVariants.schema.items },
    description:
      'Two to five destinations in place of `desktop_url`, each with a name and a weight from 0 to 100. A visitor gets one by its share ' +
      'of the weights, and the same one for the day (UTC). The weight 0 ends a variant.',
    example: [
      { name: 'A', url: 'https://shop.example.com/a', weight: 50 },
      { name: 'B', url: 'https://shop.example.com/b', weight: 50 },
    ],
    render: variantsOf,
  },
  rules: {
    kind: 'rules',
    rule: linkRules,
    column: 'json',
    default: null,
    answer: { items: linkRules.schema.items },
    description:
      'Conditions and destinations, in order. The first rule whose conditions in `when` all hold decides, and the other fields of the link ' +
      'decide if none does. `then` has `url` or `variants`, both with `params`, or `store`, or `app`. At most 20 rules and 16,384 bytes as JSON. A rule that can ' +
      'never match is refused.',
    example: [{ when: { countries: ['DE', 'AT'] }, then: { url: 'https://shop.example.com/de' } }],
    render: (json: string) => JSON.parse(json) as LinkRule[],
  },
  template: {
    kind: 'exactText',
    rule: templateName,
    default: null,
    answer: { maxLength: templateName.schema.maxLength },
    description:
      'Name of a template of the project. Visitors get its parameters and rules as if the link had them. Parameters of the link replace those ' +
      'of the same name, and rules of the link are tried first.',
    example: 'Newsletter',
  },
  active_from: moment(
    'When the link begins. Visitors before it get what an unknown path gets.',
    '2027-01-01T00:00:00.000Z',
  ),
  active_until: moment(
    'When the link ends. Visitors from then on get `expired_url`, or a page with the status 410.',
    '2027-01-31T23:00:00.000Z',
  ),
  expired_url: url(
    destinationUrl,
    'Destination after the end of the link. Null: that of the project.',
    'https://shop.example.com/ended',
  ),
  password: {
    kind: 'secret',
    rule: textRule({ min: 1, max: 200 }),
    default: null,
    compared: false,
    description:
      'Password that visitors enter on a page before they get the destination. Responses have `has_password` instead, because the service ' +
      'stores a hash of it.',
    example: 'river-otter-piano',
  },
  click_limit: {
    kind: 'count',
    rule: jsonInteger({ minimum: 1, maximum: 2_147_483_647 }),
    default: null,
    description:
      'Visits that get the destination, after which the link ends. Visitors get a page with a button, and only the button counts.',
    example: 100,
  },
  external_id: {
    kind: 'exactText',
    rule: externalId,
    default: null,
    compared: false,
    answer: limitsOf(externalId),
    description: 'Id of the link in your system, unique in the project and case-sensitive.',
    example: 'crm-4711',
  },
  title: text(200, {
    description: 'Title for people. Pages of the service show it if the link has no `social_title`.',
    example: 'Summer sale in our shops',
  }),
  notes: text(2000, {
    description: 'Notes for your team, which visitors never see.',
    example: 'Printed on the flyers of June.',
  }),
  archived: flag('Whether lists hide the link unless they are asked for archived links. It keeps working.'),
  disabled: flag('Whether visitors get a page with the status 410 instead of the destination.'),
  conversions: flag(
    'Whether visits get a click id, so that conversions count for the link. If the project has `conversions`, all of its links do.',
  ),
  tags: {
    kind: 'tags',
    rule: tagNames,
    default: [],
    description:
      'Names of tags, at most 20. Letter case does not distinguish them. A name that the project does not have becomes a new tag; ' +
      'one that it has is shown in its spelling.',
    example: ['Newsletter', 'Summer'],
  },
} as const satisfies Record<string, Field & { kind: string; compared?: false }>;

export type LinkFields = typeof linkFields;
export type LinkField = keyof LinkFields;
export type LinkFieldKind = LinkFields[LinkField]['kind'];

const { password: _, ...readable } = linkFields;

/** The fields that answers and exports have. */
export const readableLinkFields = readable;
export type ReadableLinkFields = typeof readableLinkFields;

/** The names of the fields of a kind. */
export type LinkFieldOf<K extends LinkFieldKind> = {
  [N in LinkField]: LinkFields[N] extends { kind: K } ? N : never;
}[LinkField];

/** The fields with their names, in their order. */
export const linkFieldEntries = Object.entries(linkFields) as [
  LinkField,
  Field & { kind: LinkFieldKind; compared?: false },
][];
