import type { Options } from './command.js';
import type { Context } from './context.js';
import { UsageFailure } from './failures.js';
import { clearOptionOf, type Fields, optionsOfFields, readClearedFields, readFields } from './fields.js';
import { readText } from './read-input.js';

const dataOption: Options = {
  data: { value: 'FILE', help: 'JSON object with fields; - for stdin. Other options take precedence' },
};

/** Options for the body of a creation. */
export const creationOptions = (fields: Fields): Options => ({ ...optionsOfFields(fields), ...dataOption });

/** Options for the body of an update. */
export const updateOptions = (fields: Fields): Options => ({
  ...optionsOfFields(fields),
  ...clearOptionOf(fields),
  ...dataOption,
});

/** Returns the fields of `--data` and of the options. The service checks them. */
export async function readCreation(fields: Fields, { io, args }: Context): Promise<Record<string, unknown>> {
  const file = args.text('data');
  const sent = file === undefined ? {} : jsonObject(await readText(io, file), file);
  return { ...sent, ...readFields(fields, args) };
}

/** Returns the fields that an update changes. @throws UsageFailure if it names none */
export async function readUpdate(fields: Fields, context: Context): Promise<Record<string, unknown>> {
  const body = { ...(await readCreation(fields, context)), ...readClearedFields(fields, context.args) };
  if (Object.keys(body).length === 0) throw new UsageFailure('No field is named; add an option such as --name.');
  return body;
}

function jsonObject(text: string, file: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new UsageFailure(`${file} is no JSON: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageFailure(`${file} must have one JSON object.`);
  return value;
}
