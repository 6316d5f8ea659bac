/** Omits undefined properties, because an update leaves absent fields alone. */
export const omitUndefined = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
