import type { Context } from './context.js';
import type { ExitCode } from './exit-codes.js';

export interface Option {
  readonly help: string;
  /** Name of the value in help, such as FILE. A flag has none. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly short?: string;
  /** Whether the option may be repeated. */
  readonly many?: boolean;
}

export type Options = Readonly<Record<string, Option>>;

export interface Positional {
  readonly name: string;
  readonly isOptional?: boolean;
  readonly many?: boolean;
  readonly choices?: readonly string[];
}

export interface Command {
  /** One or two words: `links list`. */
  readonly name: string;
  readonly summary: string;
  /** Further paragraphs of the help. */
  readonly description?: string;
  readonly positionals?: readonly Positional[];
  readonly options: Options;
  /** Whether it changes nothing, so that it may end once nobody reads its output. */
  readonly isReadOnly?: boolean;
  /** Whether it works without a service. */
  readonly isLocal?: boolean;
  readonly examples: readonly string[];
  run(context: Context): Promise<ExitCode>;
}

/** Options of all commands. */
export const commonOptions: Options = {
  json: { help: 'print JSON' },
  help: { help: 'print this help', short: 'h' },
};

/** Options of the commands that call a service. */
export const serviceOptions: Options = {
  url: { value: 'URL', help: 'address of the service; SIGNPOST_URL' },
  key: { value: 'KEY', help: 'API key; better SIGNPOST_API_KEY, because other users see command lines' },
  'key-file': { value: 'FILE', help: 'file that has the API key; - for stdin' },
  project: { value: 'PROJECT', short: 'p', help: 'id or subdomain of the project; SIGNPOST_PROJECT' },
};

/** Option of commands that ask before they change much. */
export const yesOption: Options = { yes: { short: 'y', help: 'do not ask' } };

/** Option of commands whose changes can break released versions of apps. */
export const acknowledgeOption: Options = {
  acknowledge: { value: 'VERSIONS', help: 'released versions of apps that the change may break, joined by commas' },
};

export function optionsOf({ options, isLocal }: Command): Options {
  return { ...options, ...(!isLocal && serviceOptions), ...commonOptions };
}
