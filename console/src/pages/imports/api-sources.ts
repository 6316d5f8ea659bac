import type { CreateImportFromApiBody } from '../../api/import-queries';
import type { Source } from './import-sources';

export type ApiSource = CreateImportFromApiBody['source'];

/** A part of a list that a system can read alone. */
export type Part = 'domain' | 'group' | 'workspace';

interface ApiFacts {
  /** Whether each installation has its own address. */
  needsUrl: boolean;
  /** The name that the system gives to its token. */
  token: 'accessToken' | 'apiKey' | 'secretApiKey' | 'signature';
  parts: readonly Part[];
}

/** Systems that list their links by an API, in the order of the form. */
export const apiSources: Readonly<Record<ApiSource, ApiFacts>> = {
  bitly: { needsUrl: false, token: 'accessToken', parts: ['group'] },
  dub: { needsUrl: false, token: 'apiKey', parts: ['domain'] },
  'short-io': { needsUrl: false, token: 'secretApiKey', parts: ['domain'] },
  rebrandly: { needsUrl: false, token: 'apiKey', parts: ['domain', 'workspace'] },
  shlink: { needsUrl: true, token: 'apiKey', parts: [] },
  kutt: { needsUrl: true, token: 'apiKey', parts: [] },
  yourls: { needsUrl: true, token: 'signature', parts: [] },
};

export const apiSourceNames = Object.keys(apiSources) as ApiSource[];

export const isApiSource = (source: Source): source is ApiSource => Object.hasOwn(apiSources, source);
