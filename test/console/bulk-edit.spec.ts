import { load } from './load';

interface Edit {
  field: string;
  mode: 'whole' | 'part' | 'empty';
  part: string;
  value: string;
}

const { planEdit } = load('pages/links/bulk-edit');

const params = { utm_source: 'x', z: '1' };
const links = [
  { id: '1', name: 'A', desktop_url: 'https://old.example/a', ios_app_id: null, referrer_params: params },
  { id: '2', name: 'B', desktop_url: null, ios_app_id: 'app', referrer_params: null },
];
const whole = (field: string, value: string): Edit => ({ field, mode: 'whole', part: '', value });
const empty = (field: string): Edit => ({ field, mode: 'empty', part: '', value: 'x' });
const part = (field: string, text: string, value: string): Edit => ({ field, mode: 'part', part: text, value });

type Planned = [id: string, before: string, after: string, change?: object];
const [old, fresh] = ['https://old.example/a', 'https://new.example/a'];

// A change sets the field to the value after it, unless another one is stated.
test.each<[what: string, edit: Edit, planned: Planned[]]>([
  [
    'an address is completed',
    whole('desktop_url', ' new.example/a '),
    [
      ['1', old, fresh],
      ['2', '', fresh],
    ],
  ],
  ['links that have the value are left out', whole('desktop_url', old), [['2', '', old]]],
  ['a form without a value changes nothing', whole('desktop_url', ' '), []],
  ['a form without an app changes nothing', whole('ios_app_id', ''), []],
  ['an address is cleared', empty('desktop_url'), [['1', old, '', { desktop_url: null }]]],
  ['a name is not cleared by null', part('name', 'A', ''), [['1', 'A', '']]],
  ['a part is replaced', part('desktop_url', 'old.example', 'new.example'), [['1', old, fresh]]],
  ['no part changes nothing', part('desktop_url', '', 'x'), []],
  [
    'a UTM value keeps other parameters',
    whole('utm_source', 'y'),
    [
      ['1', 'x', 'y', { referrer_params: { utm_source: 'y', z: '1' } }],
      ['2', '', 'y', { referrer_params: { utm_source: 'y' } }],
    ],
  ],
  ['a UTM value is removed', empty('utm_source'), [['1', 'x', '', { referrer_params: { z: '1' } }]]],
  ['an app is set', whole('ios_app_id', 'app'), [['1', '', 'app']]],
  ['an app is removed', empty('ios_app_id'), [['2', 'app', '', { ios_app_id: null }]]],
])('%s', (_, edit, planned) => {
  const seen = planEdit(links, edit).map((one: Record<string, unknown>) => [
    one['id'],
    one['before'],
    one['after'],
    one['change'],
  ]);
  expect(seen).toEqual(
    planned.map(([id, before, after, change = { [edit.field]: after }]) => [id, before, after, change]),
  );
});
