import { z } from 'zod';
import { embeddingApps } from '../../shared/browser-names';
import { type EscapeTable, escapeUrl } from './browser-escapes';
import { browserUrl } from '../pages/safe-urls';

/** An address must be right for each of them. */
const samples = ['https://summer.example.com/sale?a=1&b=2', 'http://localhost:3000/sale'];

const address = z
  .string()
  .max(500)
  .regex(/^[\x21-\x7e]+$/, 'must have no white space')
  .refine((text) => text.match(/\{(?:encoded_url|url|url_after_scheme)\}/g)?.length === 1, {
    message: 'must have {url}, {encoded_url} or {url_after_scheme} once',
  })
  .refine((text) => samples.every((url) => browserUrl(escapeUrl(text, url)) !== null), {
    message: 'must begin with a scheme that may leave an app, such as googlechrome: or intent:',
  });

const wayName = z.string().regex(/^[a-z][a-z0-9_]{0,29}$/, 'must be lower-case letters, digits and underscores');

const version = z.number().int().min(1).max(9999).optional();

const isRange = (from = 0, until = Infinity): boolean => from < until;

const row = z
  .strictObject({
    // WeChat is among the browsers, too.
    app: z.enum([...embeddingApps, 'WeChat']),
    platform: z.enum(['ios', 'android']),
    from: version,
    until: version,
    system_from: version,
    system_until: version,
    way: wayName,
    checked: z.iso.date().optional(),
    source: z.url().optional(),
  })
  .refine(({ from, until }) => isRange(from, until), { message: 'from must be below until' })
  .refine((one) => isRange(one.system_from, one.system_until), { message: 'system_from must be below system_until' });

const table = z
  .strictObject({ ways: z.record(wayName, address), rows: z.array(row).max(500) })
  .superRefine(({ ways, rows }, context) => {
    for (const [at, { way }] of rows.entries())
      if (!Object.hasOwn(ways, way))
        context.addIssue({ code: 'custom', path: ['rows', at, 'way'], message: `${way} is not among ways` });
  });

/**
 * Reads the file of `BROWSER_ESCAPES_FILE`, which replaces the built-in table.
 * @throws Error that names the first field that is wrong
 */
export function parseEscapeTable(bytes: Buffer): EscapeTable {
  const parsed = table.safeParse(JSON.parse(bytes.toString('utf8')));
  if (parsed.success) return parsed.data;
  const { path, message } = parsed.error.issues[0]!;
  throw new Error([path.join('.'), message].filter(Boolean).join(': '));
}
