import { accessSync, constants } from 'node:fs';
import { z } from 'zod';
import { parseUrl } from '../../shared/url';

/** Values of `sslmode` that pg-connection-string knows. It would take any other one for `verify-full`. */
const sslModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/** Parameters of the URL that name files, which pg-connection-string reads. */
const fileParameters = ['sslrootcert', 'sslcert', 'sslkey'];

/** Parses a connection URL, in which the host may be missing. */
const parse = (value: string): URL | null => parseUrl(value.replace(/@\//, '@localhost/'));

function faultOf(parameters: URLSearchParams): string | null {
  if (parameters.getAll('sslmode').some((mode) => !sslModes.includes(mode)))
    return `sslmode must be one of ${sslModes.join(', ')}`;
  for (const name of fileParameters)
    for (const file of parameters.getAll(name)) {
      const code = file === '' ? null : unreadable(file);
      if (code !== null) return `the file ${file} of ${name} cannot be read (${code})`;
    }
  return null;
}

function unreadable(file: string): string | null {
  try {
    accessSync(file, constants.R_OK);
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  }
}

export const databaseUrlVariable = z
  .string()
  .refine((value) => /^postgres(ql)?:\/\/\S+$/.test(value) && parse(value) !== null, {
    message: 'must be a PostgreSQL connection URL such as postgres://user:password@host:5432/database',
    abort: true,
  })
  .superRefine((value, context) => {
    const fault = faultOf(parse(value)!.searchParams);
    if (fault !== null) context.addIssue({ code: 'custom', message: fault });
  });
