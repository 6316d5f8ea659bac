import { getMetadataStorage } from 'class-validator';

interface DeclaredFields {
  /** The properties that have a validator. Empty if the type is no body or query class. */
  names: ReadonlySet<string>;
  /** The values of absent fields. */
  defaults: Readonly<Record<string, string>>;
}

const defaultKey = Symbol('default');

/** Declares the value of a field that is absent, as a caller would send it. */
export const setDefault = (value: string): PropertyDecorator => Reflect.metadata(defaultKey, value);

const known = new WeakMap<object, DeclaredFields>();
const none: DeclaredFields = { names: new Set(), defaults: {} };

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
  const validators = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
  const names = new Set(validators.map(({ propertyName }) => propertyName));
  const defaults: Record<string, string> = {};
  for (const name of names) {
    const value = Reflect.getMetadata(defaultKey, type.prototype as object, name) as string | undefined;
    if (value !== undefined) defaults[name] = value;
  }
  return { names, defaults };
}
