import { readFile } from 'node:fs/promises';
import type { Arguments } from './arguments.js';
import { UsageFailure, reasonOf } from './failures.js';
import type { Io } from './io.js';
import { parseUrl } from './parse-url.js';
import { readAll } from './read-input.js';

export interface Settings {
  /** With `/api/v1`. */
  baseUrl: string;
  key: string;
  /** Id or subdomain. Empty if it is optional and absent. */
  project: string;
}

/** @throws UsageFailure if a setting is missing or wrong. No message has the key. */
export async function readSettings(io: Io, args: Arguments, { isProjectOptional = false } = {}): Promise<Settings> {
  const url = args.text('url') ?? io.env['SIGNPOST_URL'] ?? '';
  if (url === '') throw new UsageFailure('The address of the service is missing; set SIGNPOST_URL or --url.');
  const project = args.text('project') ?? io.env['SIGNPOST_PROJECT'] ?? '';
  if (project === '' && !isProjectOptional)
    throw new UsageFailure('The project is missing; set SIGNPOST_PROJECT or --project.');
  return { baseUrl: baseUrlOf(url), key: await readKey(io, args), project };
}

/** Returns the base address of the API. The address of the service may have it already. */
export function baseUrlOf(text: string): string {
  const url = parseUrl(text);
  if (!url || !/^https?:$/.test(url.protocol))
    throw new UsageFailure('The address of the service must be an http or https URL, such as https://api.example.com.');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw new UsageFailure('The address of the service must have no user name, query or fragment.');
  const path = url.pathname.replace(/\/+$/, '');
  return `${url.origin}${path.endsWith('/api/v1') ? path : `${path}/api/v1`}`;
}

async function readKey(io: Io, args: Arguments): Promise<string> {
  const file = args.text('key-file');
  if (file !== undefined && args.text('key') !== undefined)
    throw new UsageFailure('--key and --key-file exclude each other; use one of them.');
  const key =
    (file === undefined ? (args.text('key') ?? io.env['SIGNPOST_API_KEY']) : await readKeyFile(io, file)) ?? '';
  if (key.trim() === '')
    throw new UsageFailure('The API key is missing; set SIGNPOST_API_KEY, or use --key-file FILE.');
  if (!/^[\x21-\x7e]+$/.test(key.trim()))
    throw new UsageFailure('The API key has characters that no key has; copy it again.');
  return key.trim();
}

async function readKeyFile(io: Io, file: string): Promise<string> {
  try {
    return file === '-' ? await readAll(io.stdin) : await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageFailure(`The file of the API key cannot be read: ${reasonOf(error)}`);
  }
}
