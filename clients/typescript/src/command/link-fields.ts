import type { components } from '../index.js';
import type { Arguments } from './arguments.js';
import type { Options } from './command.js';
import { UsageFailure } from './failures.js';

export type LinkBody = components['schemas']['UpdateDynamicLinkBody'];
export type LinkField = keyof LinkBody;

type FieldKind = 'text' | 'boolean' | 'tags' | 'parameters' | 'json';

interface Field {
  kind: FieldKind;
  help: string;
  /** Whether null clears it. */
  isNullable: boolean;
}

const text = (help: string, isNullable = true): Field => ({ kind: 'text', help, isNullable });
const boolean = (help: string): Field => ({ kind: 'boolean', help, isNullable: false });

/** The fields of a link that callers set, in the order of the API. */
export const linkFields: Readonly<Record<LinkField, Field>> = {
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
  referrer_params: { kind: 'parameters', help: 'query parameter NAME=VALUE of the destination', isNullable: true },
  app_data: { kind: 'json', help: 'data for apps that open the link', isNullable: true },
  query_forwarding: text('parameters of visitors that destinations get: all, none or listed'),
  forwarded_params: { kind: 'tags', help: 'name of a parameter of visitors that destinations get', isNullable: false },
  external_id: text('id of the link in your system'),
  title: text('title for people'),
  notes: text('notes for your team'),
  archived: boolean('whether lists hide the link'),
  disabled: boolean('whether visitors get 410'),
  tags: { kind: 'tags', help: 'name of a tag', isNullable: false },
};

export const linkFieldNames = Object.keys(linkFields) as LinkField[];

/** Some fields have shorter or singular options, because one option has one value. */
const optionNames: Partial<Record<LinkField, string>> = {
  referrer_params: 'referrer-param',
  forwarded_params: 'forwarded-param',
  tags: 'tag',
};

const optionOf = (field: LinkField): string => optionNames[field] ?? field.replaceAll('_', '-');

export const linkOptions: Options = Object.fromEntries(
  linkFieldNames.map((field) => {
    const { kind, help } = linkFields[field];
    const many = kind === 'tags' || kind === 'parameters';
    const choices = kind === 'boolean' ? { choices: ['true', 'false'] } : {};
    const value = { text: 'TEXT', boolean: 'BOOLEAN', tags: 'NAME', parameters: 'NAME=VALUE', json: 'JSON' }[kind];
    return [optionOf(field), { value, help: many ? `${help}; may be repeated` : help, many, ...choices }];
  }),
);

/** Returns the fields that the options set. @throws UsageFailure if a parameter has no name, or a value is not JSON */
export function readLinkOptions(args: Arguments): LinkBody {
  return Object.fromEntries(
    linkFieldNames.flatMap((field): [string, unknown][] => {
      const option = optionOf(field);
      const { kind } = linkFields[field];
      if (kind === 'tags' || kind === 'parameters') {
        const values = args.list(option);
        if (values.length === 0) return [];
        return [[field, kind === 'tags' ? values : parametersOf(option, values)]];
      }
      const value = args.text(option);
      if (value === undefined) return [];
      if (kind === 'json') return [[field, jsonOf(option, value)]];
      return [[field, kind === 'boolean' ? value === 'true' : value]];
    }),
  );
}

function parametersOf(option: string, values: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    values.map((value) => {
      const at = value.indexOf('=');
      if (at <= 0) throw new UsageFailure(`--${option} must be NAME=VALUE.`);
      return [value.slice(0, at), value.slice(at + 1)];
    }),
  );
}

function jsonOf(option: string, value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    throw new UsageFailure(`--${option} must be JSON, such as '{"screen": "product"}'.`);
  }
}

const clearable = linkFieldNames.filter((field) => linkFields[field].isNullable || linkFields[field].kind === 'tags');

export const clearOption: Options = {
  clear: {
    value: 'FIELD',
    many: true,
    help: 'field to clear, which no other option sets; may be repeated',
    choices: clearable,
  },
};

/**
 * Returns the fields that `--clear` names, without their values.
 * @throws UsageFailure if another option sets one of them. A file of fields may, because options take precedence.
 */
export function readClearedFields(args: Arguments): LinkBody {
  const cleared = args.list('clear') as LinkField[];
  const set = readLinkOptions(args);
  const contradiction = cleared.find((field) => field in set);
  if (contradiction !== undefined)
    throw new UsageFailure(`--${optionOf(contradiction)} and --clear ${contradiction} exclude each other; use one.`);
  return Object.fromEntries(cleared.map((field) => [field, linkFields[field].kind === 'tags' ? [] : null]));
}
