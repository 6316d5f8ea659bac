import { displayName } from '../../shared/text';
import { parseUrl } from '../../shared/url';

/** Returns a name for a link whose source has none, because the API requires one. */
export function linkNameOf(body: ReadonlyMap<string, unknown>, path: string | null): string {
  const url = parseUrl((body.get('desktop_url') as string | undefined) ?? '');
  const candidates = [body.get('title'), body.get('social_title'), path, url?.hostname];
  for (const candidate of candidates) {
    const name = typeof candidate === 'string' && cutTo(candidate, displayName.schema.maxLength!);
    if (name && displayName.tryParse(name) !== null) return name;
  }
  return 'Imported link';
}

/** Cuts a text to so many code points, each of which has up to two UTF-16 code units. */
export const cutTo = (text: string, max: number): string => [...text.slice(0, 2 * max)].slice(0, max).join('');
