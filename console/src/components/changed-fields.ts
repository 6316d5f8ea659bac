/** Returns the fields whose values differ. */
export function changedFields<Values extends object>(before: Values, after: Values): (keyof Values & string)[] {
  const then = new Map<string, unknown>(Object.entries(before));
  return Object.entries(after)
    .filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(then.get(field)))
    .map(([field]) => field as keyof Values & string);
}

/** Returns values in which the changed fields are those of `mine`, and all others those of `theirs`. */
export function merged<Values extends object>(base: Values, mine: Values, theirs: Values): Values {
  const own = new Set<string>(changedFields(base, mine));
  return { ...theirs, ...Object.fromEntries(Object.entries(mine).filter(([field]) => own.has(field))) };
}

/** Returns the fields of a newer version that differ from the base: those with own changes of another value, and the rest. */
export function comparedChanges<Values extends object>(
  base: Values,
  mine: Values,
  theirs: Values,
): Record<'inConflict' | 'others', (keyof Values & string)[]> {
  const own = new Set<string>(changedFields(base, mine));
  const different = new Set<string>(changedFields(mine, theirs));
  const changes = changedFields(base, theirs);
  return {
    inConflict: changes.filter((field) => own.has(field) && different.has(field)),
    others: changes.filter((field) => !own.has(field)),
  };
}
