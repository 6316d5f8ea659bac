import { appData } from '../../links/dynamic-links/app-data';
import { linkFields } from '../../links/dynamic-links/link-fields';
import { forwardedParams, queryForwarding } from '../../shared/query-forwarding';
import { domainToASCII } from 'node:url';
import { foldBundleId } from '../../shared/bundle-id';
import { foldedFlag } from './folded-flag';
import type { FlagTarget, LinkDraft, TextTarget, UrlTarget } from './link-draft';
import { shortUrl } from './short-url';
import { isObject } from '../../shared/is-object';
import { type Cell, isEmpty, parseJson } from './source-cells';

export type Cells = ReadonlyMap<string, Cell>;

/** Writes a cell that is not empty to the draft. */
export type Reader = (cell: Cell, draft: LinkDraft, cells: Cells) => void;

export const urlTo =
  (target: UrlTarget): Reader =>
  (cell, draft) =>
    draft.url(target, cell);

export const textTo =
  (target: TextTarget): Reader =>
  (cell, draft) =>
    draft.text(target, cell);

export const exactText =
  (target: TextTarget): Reader =>
  (cell, draft) =>
    draft.exactText(target, cell);

export const param =
  (name: string): Reader =>
  (cell, draft) =>
    draft.param(name, cell);

/** Reads `https://go.example.com/sale`: host and path. */
export const address: Reader = (cell, draft) => {
  const read = draft.read(shortUrl, cell);
  if (read === null) return;
  draft.path(read.path, cell);
  draft.host(read.host, cell);
};

/** Reads a path. A slash at its end leads to the same link, as in a visit. */
export const path: Reader = (cell, draft) => {
  const input = draft.plainText(cell);
  if (input !== null) draft.path(input.trim().replaceAll(/^\/|\/$/g, ''), cell);
};

export const host: Reader = (cell, draft) => {
  const input = draft.plainText(cell);
  if (input === null) return;
  const name = domainToASCII(
    input
      .trim()
      .replace(/^https?:\/\//i, '')
      .replace(/\/$/, ''),
  );
  if (name === '') draft.refuse(cell, 'must be a host name such as go.example.com');
  else draft.host(name, cell);
};

/** Reads a password. Neither reports nor refusals contain it. */
export const secret: Reader = (cell, draft) => {
  const text = draft.plainText(cell);
  const password = text === null ? null : draft.read(linkFields.password.rule, cell, text);
  if (password !== null) draft.set('password', password, { ...cell, value: '***' });
};

/** Reads a positive number. Spreadsheets write it as text. */
export const clickLimit: Reader = (cell, draft) => {
  const sent = typeof cell.value === 'string' && /^ *\d+ *$/.test(cell.value) ? Number(cell.value) : cell.value;
  const limit = draft.read(linkFields.click_limit.rule, cell, sent);
  if (limit !== null) draft.set('click_limit', limit, cell);
};

/**
 * Reads a limit of which a part is used up. A link without any click left has ended, so that it leads to `expired_url`.
 * @param used documented name of the clicks until now
 */
export const clicksLeft =
  (used: string): Reader =>
  (cell, draft, cells) => {
    const limit = Number(cell.value);
    const left = limit - Number(firstOf(cells, used)?.value ?? 0);
    if (limit > 0 && left <= 0) draft.end();
    else clickLimit({ ...cell, value: left }, draft, cells);
  };

/** Reads `true`, `yes`, `1` or `on`, or the contrary, in any letter case, or the words of spreadsheets in other languages. */
export const flagTo =
  (target: FlagTarget): Reader =>
  (cell, draft) => {
    const on = foldedFlag(cell.value);
    if (on === null) draft.refuse(cell, 'must be true or false');
    else if (on) draft.set(target, true, cell);
  };

/** Splits a text at commas and bars. A name in quotes keeps them, and has each of its quotes twice (RFC 4180). */
function listed(text: string): string[] {
  const item = /\s*("(?:[^"]|"")*"(?=\s*(?:[,|]|$))|[^,|]*)\s*(?:[,|]|$)/g;
  return [...text.matchAll(item)].map(([, name = '']) =>
    /^".*"$/s.test(name) ? name.slice(1, -1).replaceAll('""', '"') : name.trim(),
  );
}

/** Reads a list of names, of objects with a `name`, or a text with commas or bars. */
export const tags: Reader = (cell, draft) => {
  const list = parseJson(cell.value);
  const names = Array.isArray(list) ? list : typeof list === 'string' ? listed(list) : null;
  if (names === null) return draft.refuse(cell, 'must be a list of tags');
  for (const name of names) draft.tag(isObject(name) ? name.name : name, cell);
};

export const forwardingMode: Reader = (cell, draft) => {
  const word = typeof cell.value === 'string' ? cell.value.trim().toLowerCase() : cell.value;
  const read = draft.read(queryForwarding, cell, word);
  if (read !== null) draft.set('query_forwarding', read, cell);
};

export const forwardedNames: Reader = (cell, draft) => {
  const list = parseJson(cell.value);
  const read = draft.read(forwardedParams, cell, typeof list === 'string' ? listed(list).filter(Boolean) : list);
  if (read !== null) draft.set('forwarded_params', read, cell);
};

export const appDataObject: Reader = (cell, draft) => {
  const read = draft.read(appData, cell, parseJson(cell.value));
  if (read !== null) draft.set('app_data', JSON.parse(read), cell);
};

export const variants: Reader = (cell, draft) => draft.variants(parseJson(cell.value), cell);

export const rules: Reader = (cell, draft) => draft.rules(parseJson(cell.value), cell);

/** Reads a count of clicks: `1234` or `1,234`. */
export const clicks: Reader = (cell, draft) => {
  const digits = typeof cell.value === 'string' ? cell.value.trim() : cell.value;
  const form = typeof digits === 'string' && /^(?:\d+|\d{1,3}(?:,\d{3})+)$/.test(digits);
  const count = form ? Number(digits.replaceAll(',', '')) : digits;
  const isCount = typeof count === 'number' && Number.isSafeInteger(count) && count >= 0;
  if (!isCount || !draft.clickTotal(count)) draft.report(cell);
};

/** Matches an app of the project by its bundle id or package name. A missing app is reported, and the link does without it. */
export const app =
  (platform: 'ios' | 'android'): Reader =>
  (cell, draft) => {
    const identifier = draft.plainText(cell)?.trim();
    if (identifier === undefined) return;
    const { iosApps, androidApps } = draft.context;
    const id = platform === 'ios' ? iosApps.get(foldBundleId(identifier)) : androidApps.get(identifier);
    if (id === undefined) draft.report(cell, platform);
    else draft.set(`${platform}_app_id`, id, cell);
  };

export const unless =
  (other: string, read: Reader): Reader =>
  (cell, draft, cells) => {
    if (!cells.has(other)) read(cell, draft, cells);
  };

/** Reports a value that has no place. A feature that is off, or a count of zero, holds nothing. */
export const noPlace: Reader = (cell, draft) => {
  if (foldedFlag(cell.value) !== false) draft.report(cell);
};

/** Ignores a value that repeats others of the same record, or says what Signpost does anyway. */
export const needsNoPlace: Reader = () => undefined;

export const status: Reader = (cell, draft) => {
  if (String(cell.value).trim().toLowerCase() !== 'active') draft.report(cell);
};

/** Reads whether destinations get the visitor's parameters. A link that forwards them has the setting of the project. */
export const forwarding: Reader = (cell, draft) => {
  const forwards = foldedFlag(cell.value);
  if (forwards === null) draft.report(cell);
  else if (!forwards) draft.set('query_forwarding', 'none', cell);
};

/** Reports a value unless the record has the same in another field. */
export const sameAs =
  (other: string): Reader =>
  (cell, draft, cells) => {
    if (cells.get(other)?.value !== cell.value) draft.report(cell);
  };

export const firstOf = (cells: Cells, ...names: string[]): Cell | null => {
  for (const name of names) {
    const cell = cells.get(name);
    if (cell && !isEmpty(cell.value)) return cell;
  }
  return null;
};
