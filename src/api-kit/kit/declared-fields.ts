import { getMetadataStorage, type ValidationOptions } from 'class-validator';

export interface DeclaredFields {
  /** The properties that have a validator. Empty if the type is no body or query class. */
  names: ReadonlySet<string>;
  defaults: Readonly<Record<string, string>>;
}

/** Declares the value of a field that is absent, as a caller would send it. */
export const withDefault = (value: string): ValidationOptions => ({ context: { default: value } });

const known = new WeakMap<object, DeclaredFields>();

/** Returns the fields of a body or query class, inherited ones included. */
export function declaredFields(type: unknown): DeclaredFields {
  if (typeof type !== 'function') return { names: new Set(), defaults: {} };
  let fields = known.get(type);
  if (!fields) {
    const validators = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
    const defaults: Record<string, string> = {};
    for (const { propertyName, context } of validators) {
      const value = (context as { default?: string } | undefined)?.default;
      if (value !== undefined) defaults[propertyName] = value;
    }
    fields = { names: new Set(validators.map(({ propertyName }) => propertyName)), defaults };
    known.set(type, fields);
  }
  return fields;
}
