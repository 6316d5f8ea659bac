import { type ErrorCode, isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import { nearest } from './parse-arguments.js';
import { UsageFailure } from './failures.js';
import { type FileField, fileFieldNames, type LinkBody, linkFields } from './link-fields.js';

/** The fields of a link in a file. Apps may be named by their ids at Apple and Google, which are equal in all projects. */
export type FileLink = Pick<LinkBody, FileField> & {
  ios_bundle_id?: string | null;
  android_package_name?: string | null;
};

export interface LinksFile {
  /** Beginning of the external ids that the file manages; empty for all. */
  scope: string;
  links: Map<string, FileLink>;
}

const topLevel = ['scope', 'defaults', 'links'];
const appFields = ['ios_bundle_id', 'android_package_name'] as const;
const fields = [...fileFieldNames, ...appFields];

/** Replaces messages of the YAML library that are for programmers. */
const ourMessages: Partial<Record<ErrorCode, string>> = {
  MULTIPLE_DOCS: '"---" begins a second document; keep one per file, and name several files with -f',
};

/**
 * Reads links as code: YAML, or JSON, which is YAML too.
 * @throws UsageFailure with every fault, because each run of a pipeline takes time
 */
export function parseLinksFile(text: string, file: string): LinksFile {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { lineCounter, merge: true, prettyErrors: false, logLevel: 'error' });
  const faults = [...document.errors, ...document.warnings].map(
    ({ code, message, pos }) => `${file}:${lineCounter.linePos(pos[0]).line}: ${ourMessages[code] ?? message}`,
  );
  if (faults.length > 0) throw new UsageFailure(faults.join('\n'));
  const content = toObject(() => document.toJS({ maxAliasCount: 1000 }) as unknown, file);
  // Names that begin with x- are for anchors, as in Compose files.
  const named = Object.fromEntries(Object.entries(content).filter(([name]) => !name.startsWith('x-')));
  const problems = [...unknownNames(named, topLevel, 'the file'), ...unquotedIds(document)];
  const { scope = '', defaults = {}, links = {} } = content;
  if (typeof scope !== 'string') problems.push('scope must be a text');
  problems.push(...problemsOf(defaults, 'defaults'));
  if (!isObject(links)) problems.push('links must be a mapping of external ids');
  const read = new Map<string, FileLink>();
  for (const [externalId, link] of isObject(links) ? Object.entries(links) : []) {
    if (typeof scope === 'string' && !externalId.startsWith(scope))
      problems.push(`links.${externalId}: the external id must begin with the scope ${JSON.stringify(scope)}`);
    if (['', '.', '..'].includes(externalId))
      problems.push(`links: ${JSON.stringify(externalId)} cannot be an external id`);
    problems.push(...problemsOf(link ?? {}, `links.${externalId}`));
    read.set(externalId, withoutNulls({ ...(defaults as object), ...(link as object) }));
  }
  for (const [externalId, link] of read) {
    if (link.name === undefined) problems.push(`links.${externalId}: name is missing`);
    for (const [id, name] of [
      ['ios_app_id', 'ios_bundle_id'],
      ['android_app_id', 'android_package_name'],
    ] as const)
      if (link[id] !== undefined && link[name] !== undefined)
        problems.push(`links.${externalId}: ${id} and ${name} exclude each other`);
  }
  if (problems.length > 0) throw new UsageFailure(problems.map((problem) => `${file}: ${problem}`).join('\n'));
  return { scope: scope as string, links: read };
}

/** Joins files. @throws UsageFailure if two of them have the same link, or different scopes */
export function mergeLinksFiles(files: readonly LinksFile[]): LinksFile {
  const links = new Map<string, FileLink>();
  for (const file of files) {
    if (file.scope !== files[0]!.scope) throw new UsageFailure('All files must have the same scope.');
    for (const [externalId, link] of file.links) {
      if (links.has(externalId))
        throw new UsageFailure(`Two files have the link ${JSON.stringify(externalId)}; keep one.`);
      links.set(externalId, link);
    }
  }
  return { scope: files[0]?.scope ?? '', links };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function toObject(read: () => unknown, file: string): Record<string, unknown> {
  let content: unknown;
  try {
    content = read();
  } catch (error) {
    // Aliases of aliases can describe a document of any size.
    throw new UsageFailure(`${file}: ${(error as Error).message}`);
  }
  if (!isObject(content)) throw new UsageFailure(`${file} must be a mapping with the key links.`);
  return content;
}

/** Finds external ids that YAML reads as numbers and the like. 007 would become 7. */
function unquotedIds(document: ReturnType<typeof parseDocument>): string[] {
  const links: unknown = document.get('links');
  if (!isMap(links)) return [];
  return links.items.flatMap(({ key }) => {
    if (isScalar(key) && (typeof key.value === 'string' || typeof key.value === 'symbol')) return [];
    const source = isScalar(key) ? (key.source ?? '') : 'a key';
    return [`links: ${source} must be a text; put it in quotation marks`];
  });
}

/** A null in a file is a field without a value, as an absent one. It also removes a default. */
const withoutNulls = (link: object): FileLink =>
  Object.fromEntries(Object.entries(link).filter(([, value]) => value !== null));

function unknownNames(object: object, known: readonly string[], where: string): string[] {
  return Object.keys(object)
    .filter((name) => !known.includes(name))
    .map((name) => {
      const near = nearest(name, known);
      return `${where} has no field ${JSON.stringify(name)}${near === null ? '' : `; did you mean ${near}?`}`;
    });
}

/** Finds values of the wrong type. YAML reads an unquoted 2026 or true as another type than text. */
function problemsOf(link: unknown, where: string): string[] {
  if (!isObject(link)) return [`${where} must be a mapping of fields`];
  const problems = unknownNames(link, fields, where);
  for (const [name, value] of Object.entries(link)) {
    if (value === null || !fields.includes(name as (typeof fields)[number])) continue;
    const kind = name in linkFields ? linkFields[name as keyof typeof linkFields].kind : 'text';
    const isText = typeof value === 'string';
    if (kind === 'text' && !isText) problems.push(`${where}.${name} must be a text; put it in quotation marks`);
    if (kind === 'boolean' && typeof value !== 'boolean') problems.push(`${where}.${name} must be true or false`);
    if (kind === 'count' && !Number.isInteger(value)) problems.push(`${where}.${name} must be a whole number`);
    if (kind === 'list' && !(Array.isArray(value) && value.every((tag) => typeof tag === 'string')))
      problems.push(`${where}.${name} must be a list of texts`);
    if (kind === 'json' && !isObject(value)) problems.push(`${where}.${name} must be a mapping`);
    if (kind === 'rules' && !(Array.isArray(value) && value.every(isObject)))
      problems.push(`${where}.${name} must be a list of mappings`);
    if (kind === 'parameters' && !(isObject(value) && Object.values(value).every((each) => typeof each === 'string')))
      problems.push(`${where}.${name} must be a mapping of texts; put values in quotation marks`);
  }
  return problems;
}
