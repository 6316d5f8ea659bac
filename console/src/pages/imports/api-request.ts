import type { CreateImportFromApiBody } from '../../api/import-queries';
import { webAddress } from '../../components/web-address';
import { type ApiSource, apiSources, type Part } from './api-sources';
import { type ImportRules, timeOptions } from './import-sources';

/** Fields of the form, which differ between systems. */
export type ApiField = 'url' | 'token' | Part;

export type ApiValues = Readonly<Partial<Record<ApiField, string>>>;

export type ApiFault = 'missing' | 'url' | 'token' | 'part';

/** Of the service. */
const [minTokenLength, maxTokenLength, maxPartLength, maxUrlLength] = [8, 1000, 253, 500];

const visible = /^[\x21-\x7e]+$/;

/** Returns the fields of a system in the order of the form. */
export function apiFields(source: ApiSource): ApiField[] {
  const { needsUrl, parts } = apiSources[source];
  return [...(needsUrl ? (['url'] as const) : []), 'token', ...parts];
}

/** Returns the faults for which the service would refuse the values. Pasted values may have white space around them. */
export function apiFaults(source: ApiSource, values: ApiValues): Map<ApiField, ApiFault> {
  const faults = apiFields(source).map((field) => [field, faultOf(field, textOf(values, field))] as const);
  return new Map(faults.filter((entry): entry is readonly [ApiField, ApiFault] => entry[1] !== null));
}

/** Returns the body of the request. */
export function apiBody(source: ApiSource, values: ApiValues, rules: ImportRules): CreateImportFromApiBody {
  const fields = apiFields(source).map((field) => [field, textOf(values, field)] as const);
  return {
    source,
    token: textOf(values, 'token'),
    ...Object.fromEntries(fields.filter(([, value]) => value !== '')),
    conflict: rules.conflict,
    options: timeOptions(source, rules),
  };
}

const textOf = (values: ApiValues, field: ApiField): string => {
  const typed = values[field]?.trim() ?? '';
  return field === 'url' ? webAddress(typed) : typed;
};

function faultOf(field: ApiField, value: string): ApiFault | null {
  const isRequired = field === 'url' || field === 'token';
  if (value === '') return isRequired ? 'missing' : null;
  if (field === 'url') return isUrl(value) ? null : 'url';
  if (field === 'token') return isToken(value) ? null : 'token';
  return visible.test(value) && value.length <= maxPartLength ? null : 'part';
}

const isToken = (value: string): boolean =>
  visible.test(value) && value.length >= minTokenLength && value.length <= maxTokenLength;

/** Names of hosts are allowed, and addresses are not. `URL` writes all forms of an IPv4 address as four numbers. */
const address = /^\[|^\d+(\.\d+){3}$/;

function isUrl(value: string): boolean {
  if (!value.startsWith('https://') || value.length > maxUrlLength) return false;
  try {
    const { hostname, username, password, search, hash } = new URL(value);
    return !address.test(hostname) && [username, password, search, hash].every((part) => part === '');
  } catch {
    return false;
  }
}
