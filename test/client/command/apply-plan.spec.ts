import {
  type CurrentLink,
  type DesiredLink,
  planLinks,
  stepsOf,
  toOperation,
} from '../../../clients/typescript/src/command/apply-plan';
import { linkDefaults } from '../../contracts/fields';
import { baseUrlOf } from '../../../clients/typescript/src/command/settings';

const id = (n: number) => `0198c0de-7e57-7000-8000-00000000000${n}`;

const current = (n: number, fields: Partial<CurrentLink> = {}): CurrentLink => ({
  id: id(n),
  ...(linkDefaults as Omit<CurrentLink, 'id' | 'name' | 'custom_path' | 'external_id'>),
  name: 'A link',
  custom_path: `path-${n}`,
  external_id: `e${n}`,
  ...fields,
});

const plan = (desired: Record<string, DesiredLink>, links: CurrentLink[]) =>
  planLinks(new Map(Object.entries(desired)), links);

test.each<[string, DesiredLink, Partial<CurrentLink>]>([
  ['an absent path', {}, { custom_path: 'kept' }],
  ['a URL in another spelling', { desktop_url: 'HTTPS://Example.com:443' }, { desktop_url: 'https://example.com/' }],
  [
    'a URL that the service stores as a URI',
    { desktop_url: 'https://[::1]/{a}?b[]=100%|#c#d' },
    { desktop_url: 'https://[::1]/%7Ba%7D?b%5B%5D=100%25%7C#c%23d' },
  ],
  ['tags in another order and letter case', { tags: ['b', 'A', 'a'] }, { tags: ['a', 'B'] }],
  ['a tag that upper case makes equal', { tags: ['Straße'] }, { tags: ['STRASSE'] }],
  ['the id of an app in upper case', { ios_app_id: id(9).toUpperCase() }, { ios_app_id: id(9) }],
  ['a default', { archived: false, tags: [] }, {}],
])('%s is no change', (_, desired, link) => {
  expect(plan({ e1: { name: 'A link', ...desired } }, [current(1, link)])).toEqual({ changes: [], unchanged: 1 });
});

test('international host names are equal to their ASCII form in many links', () => {
  const count = 100_000;
  const desktop_url = 'https://bücher.example';
  const desired = Array.from({ length: count }, (_, at) => [`e${at}`, { name: 'A link', desktop_url }] as const);
  const links = desired.map((_, at) => current(at, { desktop_url: 'https://xn--bcher-kva.example/' }));
  expect(planLinks(new Map(desired), links)).toEqual({ changes: [], unchanged: count });
  expect(baseUrlOf(desktop_url)).toBe('https://xn--bcher-kva.example/api/v1');
});

test.each<[string, DesiredLink, Partial<CurrentLink>, object]>([
  ['another value', { title: 'New' }, { title: 'Old' }, { title: 'New' }],
  ['an absent text', {}, { title: 'Old' }, { title: null }],
  ['absent tags', {}, { tags: ['A'] }, { tags: [] }],
  ['an absent flag', {}, { archived: true }, { archived: false }],
  ['another path', { custom_path: 'New' }, { custom_path: 'new' }, { custom_path: 'New' }],
  [
    'another order of parameters',
    { referrer_params: { b: '1', a: '1' } },
    { referrer_params: { a: '1', b: '1' } },
    { referrer_params: { b: '1', a: '1' } },
  ],
])('%s is an update of one field', (_, desired, link, expected) => {
  const { changes } = plan({ e1: { name: 'A link', ...desired } }, [current(1, link)]);
  expect(changes.map(toOperation)).toEqual([{ op: 'update', id: id(1), link: expected }]);
});

test('a creation has only fields that differ from the defaults', () => {
  const { changes } = plan({ new: { name: 'New', archived: false, tags: [], title: 'T' } }, []);
  expect(changes.map(toOperation)).toEqual([{ op: 'create', link: { name: 'New', title: 'T', external_id: 'new' } }]);
});

test('deletions come first, then updates, then creations', () => {
  const { changes, unchanged } = plan({ e1: { name: 'New name' }, e3: { name: 'A link' }, e4: { name: 'X' } }, [
    current(1),
    current(2),
    current(3),
  ]);
  expect(changes.map(({ action, externalId }) => [action, externalId])).toEqual([
    ['delete', 'e2'],
    ['update', 'e1'],
    ['create', 'e4'],
  ]);
  expect(unchanged).toBe(1);
});

test('a path is left before another link takes it', () => {
  const moved = (path: string) => ({ name: 'A link', custom_path: path });
  const desired = { e1: moved('path-2'), e2: moved('path-3'), e3: moved('x') };
  const { changes } = plan(desired, [current(1), current(2), current(3)]);
  expect(changes.map(({ externalId }) => externalId)).toEqual(['e3', 'e2', 'e1']);
});

const exchange = (size: number) => {
  const links = Array.from({ length: size }, (_, at) => current(at));
  const desired = links.map((_, at) => [`e${at}`, { name: 'A link', custom_path: `path-${(at + 1) % size}` }]);
  return plan(Object.fromEntries(desired), links).changes;
};

test('links that exchange their paths are one group, in which one of them steps aside', () => {
  const { changes } = plan(
    {
      e0: { name: 'New name' },
      e1: { name: 'A link', custom_path: 'path-2' },
      e2: { name: 'A link', custom_path: 'path-3' },
      e3: { name: 'New name', custom_path: 'path-1' },
      e4: { name: 'New name' },
    },
    [current(0), current(1), current(2), current(3), current(4)],
  );
  const groups = stepsOf(changes).map((group) =>
    group.map(({ externalId, operation }) => [externalId, 'link' in operation ? operation.link : null]),
  );
  expect(groups).toEqual([
    [['e0', { name: 'New name' }]],
    [
      ['e1', { custom_path: expect.stringMatching(/^moving-[\w-]{36}$/) }],
      ['e3', { name: 'New name', custom_path: 'path-1' }],
      ['e2', { custom_path: 'path-3' }],
      ['e1', { custom_path: 'path-2' }],
    ],
    [['e4', { name: 'New name' }]],
  ]);
});

test('as many links as one request changes may exchange their paths', () => {
  expect(stepsOf(exchange(999)).map(({ length }) => length)).toEqual([1000]);
  expect(() => stepsOf(exchange(1000))).toThrow('1000 links exchange their paths');
});
