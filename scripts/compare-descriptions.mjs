// npm run openapi:compare -- OLD NEW: prints what callers see differently in two versions of openapi.json.
// It resolves all references first, so that it does not matter where a definition is written. Exits with 1 if something was
// removed or changed, because additions alone break no caller.
import { readFileSync } from 'node:fs';

const [before, after] = process.argv.slice(2, 4).map((path) => resolved(JSON.parse(readFileSync(path, 'utf8'))));
if (!after) throw new Error('Two files are required: npm run openapi:compare -- OLD NEW');

/** Replaces each reference by its target, and leaves out the components, which are seen through their references only. */
function resolved(document) {
  const resolve = (value, open = []) => {
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map((item) => resolve(item, open));
    const { $ref: reference, ...rest } = value;
    if (typeof reference !== 'string')
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, resolve(member, open)]));
    if (open.includes(reference)) return { recursive: reference };
    const target = reference
      .slice(2)
      .split('/')
      .reduce((node, name) => node?.[name.replaceAll('~1', '/').replaceAll('~0', '~')], document);
    if (target === undefined) throw new Error(`${reference} leads nowhere`);
    return { ...resolve(target, [...open, reference]), ...resolve(rest, open) };
  };
  const { components, ...rest } = document;
  return { ...resolve(rest), securitySchemes: components?.securitySchemes };
}

/** Returns the members of an object, or the items of an array by what identifies them. */
function membersOf(value) {
  if (!Array.isArray(value)) return value;
  const nameOf = (item, at) => {
    if (typeof item !== 'object' || item === null) return JSON.stringify(item);
    return item.in ? `${item.in} ${item.name}` : at;
  };
  return Object.fromEntries(value.map((item, at) => [nameOf(item, at), item]));
}

const isContainer = (value) => typeof value === 'object' && value !== null;

function* differences(old, now, path = '') {
  if (isContainer(old) && isContainer(now) && Array.isArray(old) === Array.isArray(now)) {
    const [oldMembers, nowMembers] = [membersOf(old), membersOf(now)];
    for (const name of new Set([...Object.keys(oldMembers), ...Object.keys(nowMembers)])) {
      const where = `${path} > ${name}`;
      if (!Object.hasOwn(nowMembers, name)) yield ['removed', where, oldMembers[name]];
      else if (!Object.hasOwn(oldMembers, name)) yield ['added', where, nowMembers[name]];
      else yield* differences(oldMembers[name], nowMembers[name], where);
    }
  } else if (JSON.stringify(old) !== JSON.stringify(now)) {
    yield ['changed', path, old, now];
  }
}

const changes = [...differences(before, after)];
for (const [kind, path, ...values] of changes)
  console.log(`${kind} ${path.slice(3)}: ${values.map((value) => JSON.stringify(value)).join(' -> ')}`);
if (changes.some(([kind]) => kind !== 'added')) process.exitCode = 1;
