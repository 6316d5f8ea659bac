import { type Config, readConfig } from '../../src/app/settings/config';
import { BadSetting } from '../../src/shared/bad-setting';
import { configVariables } from '../support/config-variables';
import { codeIn, readPage, tablesOf } from '../support/pages';

type Environment = Record<string, string>;

const tables = tablesOf(readPage('docs/settings.md'));
const rowsWith = (...header: string[]): string[][] =>
  tables.filter((table) => table.header.slice(0, header.length).join() === header.join()).flatMap(({ rows }) => rows);

const settings = rowsWith('variable', 'kind', 'default').map(([variable = '', kind = '', fallback = '']) => ({
  variable: codeIn(variable).join(),
  kind: kind.replace(/,.*/, ''),
  range: /, ([\d,]+) to ([\d,]+)$/
    .exec(kind)
    ?.slice(1)
    .map((bound) => Number(bound.replaceAll(',', ''))),
  fallback: codeIn(fallback)[0],
}));

const kinds = new Map(
  rowsWith('kind', 'accepted, for example').map(([kind = '', accepted = '', refused = '']) => [
    kind,
    { accepted: codeIn(accepted), refused: codeIn(refused) },
  ]),
);

const example = (variable: string): string => {
  const { kind } = settings.find((setting) => setting.variable === variable)!;
  return variable === 'API_KEY_PEPPER' ? 'a-pepper-of-more-than-thirty-two-characters' : kinds.get(kind)!.accepted[0]!;
};

const environmentOf = (cell: string): Environment =>
  Object.fromEntries(
    codeIn(cell)
      .map((code) => /^([A-Z_]+)=(.*)$/.exec(code)?.slice(1) ?? [])
      .filter((pair) => pair.length > 0),
  );

const provider: Environment = {
  DASHBOARD_JWKS_URL: 'https://id.example.com/jwks.json',
  DASHBOARD_ISSUER: 'https://id.example.com',
  DASHBOARD_AUDIENCE: 'signpost',
};
const production: Environment = {
  NODE_ENV: 'production',
  API_KEY_PEPPER: 'a-pepper-of-more-than-thirty-two-characters',
  DATABASE_URL: 'postgres://db/d',
};

const region: Environment = { ROLE: 'traffic', DATABASE_URL: 'postgres://region/d' };

/** Returns environments in which, together, a variable has an effect. */
function basesFor(variable: string): Environment[] {
  if (variable.startsWith('DASHBOARD_')) return [provider, { ...provider, DASHBOARD_JWKS_URL: '' }];
  if (variable === 'CONSOLE_CLIENT_ID') return [provider];
  if (variable === 'PRIMARY_DATABASE_URL') return [region];
  if (variable === 'CONSOLE_SCOPE') return [{ ...provider, CONSOLE_CLIENT_ID: 'console' }];
  return [{}, { TRUSTED_PROXIES: '10.0.0.0/8' }, { ...production, DATABASE_URL: '' }];
}

function configOrFault(environment: Environment): Config | string {
  try {
    return readConfig(environment);
  } catch (error) {
    if (error instanceof BadSetting) return error.message;
    throw error;
  }
}

const effectOf = (variable: string, value: string): (Config | string)[] =>
  basesFor(variable).map((base) => configOrFault({ ...base, [variable]: value }));

const without = (variable: string): (Config | string)[] => effectOf(variable, '');

/** Returns the values by name. Those of a group have its name before theirs. */
const fields = (config: Config | string): Record<string, unknown> =>
  typeof config === 'string'
    ? {}
    : Object.fromEntries(
        Object.entries(config).flatMap(([name, value]: [string, unknown]) =>
          Object.prototype.toString.call(value) === '[object Object]'
            ? Object.entries(value as object).map(([inner, one]) => [`${name}.${inner}`, one])
            : [[name, value]],
        ),
      );

test('the page has the variables that the configuration reads, each once', () => {
  expect(settings.map(({ variable }) => variable).sort()).toEqual(configVariables().sort());
  expect(settings.filter(({ kind }) => !kinds.has(kind))).toEqual([]);
});

describe('the default of the page is the default of the program', () => {
  const withDefault = settings.filter(({ fallback }) => fallback !== undefined);
  expect(withDefault.length).toBeGreaterThan(30);

  test.each(withDefault)('$variable=$fallback', ({ variable, kind, range, fallback }) => {
    const unset = without(variable);
    expect(effectOf(variable, fallback!)).toEqual(unset);
    // A variable without an effect would have any default.
    const others = [...kinds.get(kind)!.accepted, ...(range ?? []).map(String)];
    expect(others.filter((value) => JSON.stringify(effectOf(variable, value)) !== JSON.stringify(unset))).not.toEqual(
      [],
    );
  });

  test.each(settings.filter(({ fallback, variable }) => fallback === undefined && variable !== 'API_KEY_PEPPER'))(
    '$variable has none',
    ({ variable, kind, range }) => {
      const value = range ? String(range[1]) : kinds.get(kind)!.accepted[0]!;
      const changed = basesFor(variable).flatMap((base) => {
        const unset = fields(configOrFault({ ...base, [variable]: '' }));
        const given = configOrFault({ ...base, [variable]: value });
        const set = fields(given);
        return Object.keys(typeof given === 'string' ? {} : unset)
          .filter((name) => JSON.stringify(set[name]) !== JSON.stringify(unset[name]))
          .map((name) => unset[name] ?? undefined);
      });
      const faults = new Set(
        [...without(variable), ...effectOf(variable, value)].filter((one) => typeof one === 'string'),
      );
      expect(changed.length + faults.size).toBeGreaterThan(0);
      expect(changed.filter((value) => value !== undefined && JSON.stringify(value) !== '[]')).toEqual([]);
    },
  );
});

/** Returns the error message for a value beside valid settings, or null. */
function faultOf(variable: string, value: string): string | null {
  const others = {
    TRUSTED_PROXIES: '10.0.0.0/8',
    ...(variable === 'NODE_ENV' && production),
    ...(variable === 'PRIMARY_DATABASE_URL' && region),
    ...(/^(?:DASHBOARD|CONSOLE)_/.test(variable) && provider),
    ...(variable === 'DASHBOARD_JWKS_FILE' && { DASHBOARD_JWKS_URL: '' }),
  };
  const read = configOrFault({ ...others, [variable]: value });
  return typeof read === 'string' ? read : null;
}

describe('values of the page', () => {
  const accepted = settings.flatMap(({ variable, kind, range }) =>
    [...kinds.get(kind)!.accepted, ...(range ?? []).map(String)].map((value) => [variable, value]),
  );
  const refused = settings.flatMap(({ variable, kind, range }) => [
    ...kinds.get(kind)!.refused.map((value) => [variable, value]),
    ...(range ?? []).map((bound, at) => [variable, String(at === 0 ? bound - 1 : bound + 1)]),
  ]);

  test.each(accepted)('%s=%s is accepted', (variable, value) => {
    expect(faultOf(variable, value)).toBeNull();
  });

  test.each(refused)('%s=%s is refused', (variable, value) => {
    expect(faultOf(variable, value)).toMatch(new RegExp(`^${variable}: `));
  });

  test('enumerations and algorithms are complete', () => {
    const message = (variable: string) => faultOf(variable, 'wrong')!;
    for (const [variable, kind] of [
      ['ROLE', 'role'],
      ['IMPORT_PROCESS', 'place'],
    ] as const)
      expect(message(variable)).toBe(
        `${variable}: must be ${kinds
          .get(kind)!
          .accepted.join(', ')
          .replace(/, (\w+)$/, ' or $1')}`,
      );
    expect(message('LOG_LEVEL')).toBe(`LOG_LEVEL: must be one of ${kinds.get('level')!.accepted.join(', ')}`);
    const [, algorithms = ''] = /^The algorithms are ([^.]+)\./m.exec(readPage('docs/settings.md')) ?? [];
    expect(message('DASHBOARD_ALGORITHMS')).toContain(`some of ${codeIn(algorithms).join(', ')},`);
  });
});

describe('required settings', () => {
  const rows = rowsWith('required', 'if', 'unless').map(([required = '', cause = '', unless = '']) => ({
    required: codeIn(required).join(),
    cause,
    unless,
  }));
  const all: Environment = {
    ...production,
    ...provider,
    COUNTRY_HEADER: 'CF-IPCountry',
    TRUSTED_PROXIES: '10.0.0.0/8',
  };

  test('are those that the program requires', () => {
    const refused = Object.keys(all).filter((name) => typeof configOrFault({ ...all, [name]: '' }) === 'string');
    expect(configOrFault(all)).toMatchObject({ production: true });
    expect([...new Set(rows.map(({ required }) => required))].sort()).toEqual(refused.sort());
  });

  test.each(rows)('$required is required if $cause', ({ required, cause, unless }) => {
    const given = environmentOf(cause);
    const base = required === 'TRUSTED_PROXIES' || 'PRIMARY_DATABASE_URL' in given ? {} : production;
    const related = required.startsWith('DASHBOARD_') ? provider : base;
    const environment = { ...related, ...given, [required]: '' };
    expect(configOrFault(environment)).toMatch(required);
    expect(configOrFault({ ...environment, [required]: example(required) })).toBeInstanceOf(Object);
    const name = Object.keys(given).at(-1);
    if (required === 'API_KEY_PEPPER' || required === 'DATABASE_URL' || required === 'TRUSTED_PROXIES')
      expect(configOrFault({ ...environment, [name!]: '' })).toBeInstanceOf(Object);
    if (unless) expect(configOrFault({ ...environment, ...environmentOf(unless) })).toBeInstanceOf(Object);
  });
});

test.each(rowsWith('refused', 'with', 'reason'))('%s is refused with %s', (refused, cause) => {
  const [name] = Object.keys(environmentOf(refused));
  const given = environmentOf(cause);
  const base = { ...production, ...(Object.keys(given).length > 0 && provider), ...given };
  expect(configOrFault(base)).toBeInstanceOf(Object);
  expect(configOrFault({ ...base, ...environmentOf(refused) })).toMatch(new RegExp(`^${name}: `));
});
