import { type ArgumentMetadata, Injectable, type PipeTransform } from '@nestjs/common';
import { validateSync } from 'class-validator';
import { ForbiddenField, InvalidInput, type Problem } from '../../shared/problem';
import { fieldsOf, inField, readField } from './field';

type Input = Record<string, unknown>;

/**
 * Makes the body or query class that a handler asks for out of what was sent. Unknown fields of a body go before every other
 * complaint (docs/contract.md, “Errors and codes”). Absent fields stay absent, so that an update can tell them from null.
 */
@Injectable()
export class ReadInput implements PipeTransform {
  transform(sent: unknown, { type, metatype }: ArgumentMetadata): unknown {
    const fields = fieldsOf(metatype);
    if (fields.size === 0 || !metatype || type === 'param') return sent;
    if (!isObject(sent)) throw new InvalidInput('The body must be a JSON object');
    const names = Object.keys(sent);
    const unknown = names.filter((name) => !fields.has(name));
    if (unknown.length > 0) throw type === 'body' ? new ForbiddenField(unknown) : unknownParameters(unknown);
    // Only names of declared fields are copied: `__proto__` is none.
    const input = Object.create(metatype.prototype as object) as Input;
    for (const name of names) input[name] = sent[name];
    const problems = validateSync(input, { forbidUnknownValues: false, stopAtFirstError: true }).flatMap((error) =>
      problemsOf(error.property, readField(fields.get(error.property)!, error.value)),
    );
    if (problems.length > 0) throw InvalidInput.because(problems);
    for (const [name, field] of fields) {
      const { default: fallback } = field.rule.schema;
      // A default is written as it would be in a query, and read like that.
      const given = input[name] === undefined && fallback !== undefined ? String(fallback) : input[name];
      const reading = readField(field, given);
      if ('value' in reading) input[name] = reading.value;
    }
    return input;
  }
}

export const isObject = (value: unknown): value is Input =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const unknownParameters = (names: string[]): InvalidInput =>
  InvalidInput.because(
    names.flatMap((name) =>
      inField(name.slice(0, 100).toWellFormed(), [
        { code: 'unrecognized_key', path: [], message: 'is not a query parameter of this operation' },
      ]),
    ),
  );

const problemsOf = (name: string, reading: ReturnType<typeof readField>): Problem[] =>
  'problems' in reading ? inField(name, reading.problems) : [];
