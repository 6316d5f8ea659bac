import type { Type } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { type Camel, propertyOf } from '../../shared/field-table';

type ValueType = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array';

/** Describes a property of an answer. Default type: string. */
export interface PropertySchema extends Omit<
  ApiPropertyOptions,
  'type' | 'enum' | 'required' | 'nullable' | 'isArray'
> {
  type?: ValueType | Type<unknown> | readonly [Type<unknown>];
  enum?: readonly unknown[];
  isArray?: boolean;
  nullable?: boolean;
  required?: boolean;
}

declare const value: unique symbol;
/** Describes a property whose values have the type `T`. */
export type TypedSchema<T> = PropertySchema & { readonly [value]: T };

interface Values {
  string: string;
  integer: number;
  number: number;
  boolean: boolean;
  object: object;
  array: readonly never[];
}
type ClassValue<C> = C extends StringConstructor ? string : C extends Type<infer T> ? T : never;
type Items<S> = S extends { items: { type: infer T extends ValueType } } ? readonly Values[T][] : readonly unknown[];
type Value<S> = S extends { oneOf: unknown }
  ? unknown
  : S extends { enum: readonly (infer E)[]; isArray: true }
    ? readonly E[]
    : S extends { enum: readonly (infer E)[] }
      ? E
      : S extends { type: readonly [infer C] }
        ? readonly ClassValue<C>[]
        : S extends { type: 'array' }
          ? Items<S>
          : S extends { type: infer T extends ValueType }
            ? Values[T]
            : S extends { type: infer C }
              ? ClassValue<C>
              : string;
type Property<S> = S extends TypedSchema<infer T> ? T : Value<S> | (S extends { nullable: true } ? null : never);
type OptionalIn<P> = { [N in keyof P]: P[N] extends { required: false } ? N : never }[keyof P];
type Answer<P> = { [N in Exclude<keyof P, OptionalIn<P>>]: Property<P[N]> } & {
  [N in OptionalIn<P>]?: Property<P[N]>;
};

type Rendered<T> = T | (string extends T ? Date : never);
type Source<P, Names extends keyof P> = { readonly [N in Names as Camel<N>]: Rendered<Property<P[N]>> };

interface AnswerClass<P, B> extends Type<Answer<P> & B> {
  /** Renders a model: times as texts, and other values as they are. `others` has what the model lacks. */
  render: {
    <E extends Partial<Answer<P>>>(model: Source<P, Exclude<keyof P, keyof E>>, others: E): Answer<P>;
    (model: Source<P, keyof P>): Answer<P>;
  };
}

/** Returns a class of answers with these properties, after those of the base class. */
export function answer<const P extends Record<string, PropertySchema>, B = unknown>(
  properties: P,
  base: Type<B> = class {} as Type<B>,
): AnswerClass<P, B> {
  const names = Object.keys(properties).map((name) => [name, propertyOf(name)] as const);
  class Described extends (base as Type<object>) {
    static render(this: void, model: object, others: object = {}): object {
      const rendered: Record<string, unknown> = {};
      for (const [name, property] of names) {
        const value = (model as Record<string, unknown>)[property];
        rendered[name] = value instanceof Date ? value.toISOString() : value;
      }
      return Object.assign(rendered, others);
    }
  }
  for (const [name, schema] of Object.entries(properties))
    ApiProperty({ ...(!schema.enum && { type: schema.oneOf ? Object : 'string' }), ...schema } as ApiPropertyOptions)(
      Described.prototype,
      name,
    );
  return Described as unknown as AnswerClass<P, B>;
}

export const idAnswer = (example: string) => ({ type: 'string', format: 'uuid', example }) as const;

export const projectIdAnswer = idAnswer('0198c0de-7e57-7000-8000-000000000001');

export const timeAnswer = { type: 'string', format: 'date-time', example: '2026-06-01T09:30:00.000Z' } as const;
export const timeAnswers = { created_at: timeAnswer, updated_at: timeAnswer } as const;

/** Returns a function that describes properties of one kind, each by its meaning and an example. */
const kindOf =
  <const K extends PropertySchema>(kind: K) =>
  <const E>(description: string, example: E) =>
    ({ ...kind, description, example }) as const;

export const textAnswer = kindOf({});
export const nullableTextAnswer = kindOf({ nullable: true });
export const flagAnswer = kindOf({ type: 'boolean' });
export const countAnswer = kindOf({ type: 'integer', minimum: 0 });
export const nullableIntegerAnswer = kindOf({ type: 'integer', nullable: true });
export const momentAnswer = kindOf({ format: 'date-time' });
export const nullableMomentAnswer = kindOf({ format: 'date-time', nullable: true });
export const idAnswerOf = kindOf({ format: 'uuid' });
export const nullableIdAnswer = kindOf({ format: 'uuid', nullable: true });
export const idsAnswer = kindOf({ type: 'array', items: { type: 'string', format: 'uuid' } });
export const nullableIdsAnswer = kindOf({ type: 'array', items: { type: 'string', format: 'uuid' }, nullable: true });
export const valuesAnswer = kindOf({ type: 'object', nullable: true, additionalProperties: true });
export const urlAnswer = kindOf({ format: 'uri' });
export const choiceAnswer = <const T>(choices: readonly T[], description: string, example: NoInfer<T>) =>
  ({ enum: choices, description, example }) as const;
