import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { refuse } from './findings.mjs';
import { lockFiles } from './lock-files.mjs';

/** Licences of packages that the image or an installation contains. None requires that the service's source is published. */
const allowed = new Set([
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'Python-2.0',
  'Unlicense',
]);

/** Tools and data that are not shipped. MPL-2.0 covers changes of the tool's own files. */
const allowedInDevelopment = new Set([...allowed, 'CC-BY-4.0', 'MPL-2.0']);

/** Returns whether an SPDX expression can be met: one side of OR, both sides of AND. Any other operator is refused. */
function isAllowed(expression, licences) {
  const text = expression.trim().replace(/^\(([^()]*)\)$/, '$1');
  if (text.includes(' OR ') && !text.includes('(')) return text.split(' OR ').some((one) => isAllowed(one, licences));
  if (text.includes(' AND ') && !text.includes('('))
    return text.split(' AND ').every((one) => isAllowed(one, licences));
  return licences.has(text);
}

/** Licences of such packages in tools/, which a release does not install. */
const statedOtherwise = new Map([['node_modules/format@0.2.2', 'MIT']]);

/** Returns the licence of an entry of a lock file. Old packages state it in another form, which the lock file omits. */
function licenceOf(folder, path, { license, version }) {
  if (license !== undefined) return license;
  const file = join(folder, path, 'package.json');
  if (!existsSync(file)) return statedOtherwise.get(`${path}@${version}`) ?? 'unknown';
  const { licenses } = JSON.parse(readFileSync(file, 'utf8'));
  return licenses?.map(({ type }) => type).join(' OR ') ?? 'unknown';
}

/** Checks the licence of every package, those of development tools included. */
export function checkLicences(root) {
  const packages = lockFiles(root).flatMap(({ folder, entries }) =>
    entries.map(([path, entry]) => ({
      path: join(folder, path),
      version: entry.version,
      licence: licenceOf(join(root, folder), path, entry),
      isShipped: folder === '' && !entry.dev,
    })),
  );
  refuse(
    packages
      .filter(({ licence, isShipped }) => !isAllowed(licence, isShipped ? allowed : allowedInDevelopment))
      .map(
        ({ path, version, licence, isShipped }) =>
          `${path}@${version} has the licence ${licence}${isShipped ? '' : ' (development)'}.`,
      ),
  );
  const shipped = packages.filter(({ isShipped }) => isShipped).length;
  return `${shipped} shipped packages and ${packages.length - shipped} development packages`;
}
