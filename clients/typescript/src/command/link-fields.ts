import type { components } from '../index.js';
import { boolean, type Field, type Fields, count, list, text } from './fields.js';

export type LinkBody = components['schemas']['UpdateDynamicLinkBody'];
export type LinkField = keyof LinkBody;

/** The fields of a link that callers set, in the order of the API. */
export const linkFields = {
  name: text('name for your team', false),
  custom_path: text('path under the host of the project', false),
  desktop_url: text('destination of desktop users'),
  ios_app_id: text('id of an iOS app'),
  android_app_id: text('id of an Android app'),
  ios_fallback_url: text('destination of iOS users without the app'),
  android_fallback_url: text('destination of Android users without the app'),
  ios_deferred_deep_link: boolean('whether iOS users see the page “Get the app”'),
  social_title: text('title of previews'),
  social_description: text('description of previews'),
  social_image_url: text('image of previews'),
  referrer_params: {
    kind: 'parameters',
    help: 'query parameter NAME=VALUE of the destination',
    isNullable: true,
    option: 'referrer-param',
  },
  app_data: { kind: 'json', help: 'data for apps that open the link', isNullable: true },
  query_forwarding: text('parameters of visitors that destinations get: all, none or listed'),
  forwarded_params: list('forwarded-param', 'name of a parameter of visitors that destinations get'),
  variants: { kind: 'rules', help: 'weighted destinations in place of desktop_url', isNullable: true },
  rules: { kind: 'rules', help: 'conditions and destinations, in order', isNullable: true },
  template: text('name of a template with parameters and rules'),
  active_from: text('when the link begins'),
  active_until: text('when the link ends'),
  expired_url: text('destination after the end of the link'),
  password: text('password that visitors enter'),
  click_limit: count('visits that get the destination'),
  external_id: text('id of the link in your system'),
  title: text('title for people'),
  notes: text('notes for your team'),
  archived: boolean('whether lists hide the link'),
  disabled: boolean('whether visitors get 410'),
  conversions: boolean('whether conversions count for the link'),
  tags: list('tag', 'name of a tag'),
} satisfies Record<LinkField, Field> & Fields;

export const linkFieldNames = Object.keys(linkFields) as LinkField[];

/** The fields that files of links have. Passwords are left out, because repositories keep files. The external id is the key of a link. */
export type FileField = Exclude<LinkField, 'external_id' | 'password'>;
export const fileFieldNames = linkFieldNames.filter(
  (name): name is FileField => name !== 'external_id' && name !== 'password',
);
