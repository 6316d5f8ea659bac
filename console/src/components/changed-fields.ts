/** Returns the fields whose values differ. */
export function changedFields<Values extends object>(before: Values, after: Values): (keyof Values & string)[] {
  const then = new Map<string, unknown>(Object.entries(before));
  return Object.entries(after)
    .filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(then.get(field)))
    .map(([field]) => field as keyof Values & string);
}
