import { getMetadataStorage } from 'class-validator';

const known = new WeakMap<object, ReadonlySet<string>>();
const none: ReadonlySet<string> = new Set();

/** Returns the names of the properties that have a validator; none if the type is no body or query class. */
export function declaredFields(type: unknown): ReadonlySet<string> {
  if (typeof type !== 'function') return none;
  let fields = known.get(type);
  if (!fields) {
    const validators = getMetadataStorage().getTargetValidationMetadatas(type, '', false, false);
    fields = new Set(validators.map(({ propertyName }) => propertyName));
    known.set(type, fields);
  }
  return fields;
}
