import type { Arguments } from './arguments.js';
import type { Options } from './command.js';
import { UsageFailure } from './failures.js';

type FieldKind = 'text' | 'boolean' | 'count' | 'list' | 'parameters' | 'json' | 'rules';

/** A field that callers set by an option. */
export interface Field {
  readonly kind: FieldKind;
  readonly help: string;
  /** Whether null clears it. */
  readonly isNullable: boolean;
  /** Name of the option, if it is not that of the field. */
  readonly option?: string;
}

/** Fields by their names in the API, in the order of the API. */
export type Fields = Readonly<Record<string, Field>>;

export const text = (help: string, isNullable = true): Field => ({ kind: 'text', help, isNullable });
export const count = (help: string): Field => ({ kind: 'count', help, isNullable: true });
export const boolean = (help: string): Field => ({ kind: 'boolean', help, isNullable: false });

/** A list of texts. Its option has a singular name, because one option has one value. */
export const list = (option: string, help: string, isNullable = false): Field => ({
  kind: 'list',
  help,
  isNullable,
  option,
});

/** The largest integer of PostgreSQL. */
const maxCount = 2_147_483_647;

const valueNames = {
  text: 'TEXT',
  boolean: 'BOOLEAN',
  count: 'NUMBER',
  list: 'TEXT',
  parameters: 'NAME=VALUE',
  json: 'JSON',
  rules: 'JSON',
} as const;

const optionOf = (name: string, field: Field): string => field.option ?? name.replaceAll('_', '-');

export const optionsOfFields = (fields: Fields): Options =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const { kind, help } = field;
      const many = kind === 'list' || kind === 'parameters';
      const choices = kind === 'boolean' ? { choices: ['true', 'false'] } : {};
      const shown = many ? `${help}; may be repeated` : help;
      return [optionOf(name, field), { value: valueNames[kind], help: shown, many, ...choices }];
    }),
  );

/** Returns the fields that the options set. @throws UsageFailure if a parameter has no name, or a value is not JSON or a number */
export function readFields(fields: Fields, args: Arguments): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]): [string, unknown][] => {
      const option = optionOf(name, field);
      const { kind } = field;
      if (kind === 'list' || kind === 'parameters') {
        const values = args.list(option);
        if (values.length === 0) return [];
        return [[name, kind === 'list' ? values : parametersOf(option, values)]];
      }
      const value = args.text(option);
      if (value === undefined) return [];
      if (kind === 'json' || kind === 'rules') return [[name, jsonOf(option, value)]];
      if (kind === 'count') return [[name, args.number(option, { min: 1, max: maxCount })]];
      return [[name, kind === 'boolean' ? value === 'true' : value]];
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

export const clearOptionOf = (fields: Fields): Options => ({
  clear: {
    value: 'FIELD',
    many: true,
    help: 'field to clear, which no other option sets; may be repeated',
    choices: Object.keys(fields).filter((name) => fields[name]!.isNullable || fields[name]!.kind === 'list'),
  },
});

/**
 * Returns the fields that `--clear` names, without their values.
 * @throws UsageFailure if another option sets one of them. A file of fields may, because options take precedence.
 */
export function readClearedFields(fields: Fields, args: Arguments): Record<string, unknown> {
  const set = readFields(fields, args);
  return Object.fromEntries(
    args.list('clear').map((name) => {
      const field = fields[name]!;
      if (name in set)
        throw new UsageFailure(`--${optionOf(name, field)} and --clear ${name} exclude each other; use one.`);
      return [name, field.isNullable ? null : []];
    }),
  );
}
