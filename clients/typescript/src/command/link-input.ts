import type { Options } from './command.js';
import type { Context } from './context.js';
import { UsageFailure } from './failures.js';
import { type LinkBody, readLinkOptions } from './link-fields.js';
import { readText } from './read-input.js';

export const dataOption: Options = {
  data: { value: 'FILE', help: 'JSON object with fields; - for stdin. Other options take precedence' },
};

/** Returns the fields of `--data` and of the options. The service checks them. */
export async function readLink({ io, args }: Context): Promise<LinkBody> {
  const file = args.text('data');
  const fields = file === undefined ? {} : jsonObject(await readText(io, file), file);
  return { ...fields, ...readLinkOptions(args) };
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
