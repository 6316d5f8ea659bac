import { getMetadataStorage } from 'class-validator';
import type { Rule } from '../../shared/rule';

/** A field that one rule reads. */
interface RuledField {
  rule: Rule<unknown>;
  optional: boolean;
  nullable: boolean;
}

interface DeclaredFields {
  /** The properties that have a validator. Empty if the type is no body or query class. */
  names: ReadonlySet<string>;
  /** The values of absent fields. */
  defaults: Readonly<Record<string, string>>;
  /** The rules of all properties, in the order of class-validator; null if a property has other validators. */
  rules: readonly (RuledField & { name: string })[] | null;
}

const defaultKey = Symbol('default');
const ruleKey = Symbol('rule');

/** The validators that `ruleDecorator` adds. */
const validatorsOfRules = new Set<string | undefined>(['rule', 'isDefined']);

/** Declares the value of a field that is absent, as a caller would send it. */
export const setDefault = (value: string): PropertyDecorator => Reflect.metadata(defaultKey, value);

/** Declares the rule of a field. */
export const setRule = (field: RuledField): PropertyDecorator => Reflect.metadata(ruleKey, field);

const known = new WeakMap<object, DeclaredFields>();
const none: DeclaredFields = { names: new Set(), defaults: {}, rules: null };

/** Returns the fields of a body or query class, inherited ones included. */
export function declaredFields(type: unknown): DeclaredFields {
  if (typeof type !== 'function') return none;
  let fields = known.get(type);
  if (!fields) {
    fields = readFields(type);
    known.set(type, fields);
  }
  return fields;
}

// eslint-disable-next-line @typescript-eslint/no-unsafe-function-type -- the class that Nest hands to its pipes
function readFields(type: Function): DeclaredFields {
  const prototype = type.prototype as object;
  const validators = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  const names = new Set(validators.map(({ propertyName }) => propertyName));
  const defaults: Record<string, string> = {};
  const rules: (RuledField & { name: string })[] = [];
  for (const name of names) {
    const value = Reflect.getMetadata(defaultKey, prototype, name) as string | undefined;
    if (value !== undefined) defaults[name] = value;
    const field = Reflect.getMetadata(ruleKey, prototype, name) as RuledField | undefined;
    if (field) rules.push({ name, ...field });
  }
  const onlyRules = rules.length === names.size && validators.every(({ name }) => validatorsOfRules.has(name));
  return { names, defaults, rules: onlyRules ? rules : null };
}
