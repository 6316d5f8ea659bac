import type { Rule, RuleSchema } from './rule';

/** A field of a resource that callers set. Its key in the table is its name in bodies, answers, exports and the database. */
export interface Field<T = unknown> {
  rule: Rule<T>;
  /** The column of objects. `json`: a text of JSON, because `jsonb` does not keep the order of keys. */
  column?: 'jsonb' | 'json';
  required?: true;
  /** The value of an absent field. Null: updates may clear it. Absent: the service generates one, or the field is required. */
  default?: T | null;
  description: string;
  example: T | object;
  /** Sentence that the description of a creation adds. */
  onCreate?: string;
  /** Sentence that the description of an update adds. */
  onUpdate?: string;
  /** The rule of updates, if it is another one. */
  updateRule?: Rule<T>;
  /** The schema in answers, beside the type. */
  answer?: Partial<RuleSchema> & { nullable?: true };
  render?: (value: never) => unknown;
}

export type FieldTable = Record<string, Field>;

export type Camel<S> = S extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : S;
type Sent<F> = F extends { rule: Rule<infer T> } ? T : never;
type NullOf<F> = F extends { default: null } ? null : never;
type Immutable<T> = T extends (infer E)[] ? readonly E[] : T;
type RequiredIn<F extends FieldTable> = { [N in keyof F]: F[N] extends { required: true } ? N : never }[keyof F];

export type Properties<F extends FieldTable> = {
  readonly [N in keyof F as Camel<N> & string]: Immutable<Sent<F[N]>> | NullOf<F[N]>;
};
export type CreateBody<F extends FieldTable> = { [N in RequiredIn<F>]: Sent<F[N]> } & {
  [N in Exclude<keyof F, RequiredIn<F>>]?: Sent<F[N]>;
};
export type UpdateBody<F extends FieldTable> = { [N in keyof F]?: Sent<F[N]> | NullOf<F[N]> };
export type AnswerFields<F extends FieldTable> = {
  [N in keyof F]: (F[N] extends { render: (value: never) => infer R } ? R : Immutable<Sent<F[N]>>) | NullOf<F[N]>;
};

/** Returns an empty class whose instances have the properties of `T`, for classes whose properties stand in a table. */
export const shapeOf = <T>(): new () => T => class {} as new () => T;

export const propertyOf = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());

export const isNullable = (field: Field): boolean => field.default === null;

export const defaultsOf = (fields: FieldTable): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      field.default === undefined ? [] : [[propertyOf(name), field.default]],
    ),
  );
