import { PickType } from '@nestjs/swagger';
import { IsEmail } from 'class-validator';
import { appDtos } from '../../../src/links/apps/apps.dto';
import { CreateDynamicLinkBody } from '../../../src/links/dynamic-links/dynamic-link-bodies.dto';
import { ListQuery } from '../../../src/api-kit/kit/list-query';
import { ruleDecorator } from '../../../src/api-kit/kit/rule.decorator';
import { addProblems, objectOf, StrictValidationPipe } from '../../../src/api-kit/kit/strict-validation.pipe';
import { QrCodeQuery } from '../../../src/links/qr-codes/qr-codes.dto';
import type { Problem } from '../../../src/shared/problem';
import { Rule } from '../../../src/shared/rule';

const pipe = new StrictValidationPipe();

const readBody = (metatype: new () => object, json: string): Promise<unknown> =>
  pipe.transform(JSON.parse(json), { type: 'body', metatype });

/** Node's parser gives query objects no prototype. */
const readQuery = (metatype: new () => object, query: Record<string, string | string[]>): Promise<unknown> =>
  pipe.transform(Object.assign(Object.create(null) as object, query), { type: 'query', metatype });

const problems = (...given: (readonly [code: Problem['code'], ...path: Problem['path']])[]) =>
  given.map(([code, ...path]): unknown => ({
    code,
    path,
    message: expect.stringMatching(`^${path.join('.')} .`) as string,
  }));

describe('a body', () => {
  test('names problems in the order of the fields', async () => {
    const json = '{"referrer_params":{"":"x","b":1},"ios_app_id":null,"custom_path":"/","desktop_url":7}';
    await expect(readBody(CreateDynamicLinkBody, json)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      details: problems(
        ['required', 'name'],
        ['invalid_format', 'custom_path'],
        ['invalid_type', 'desktop_url'],
        ['invalid_type', 'ios_app_id'],
        ['too_small', 'referrer_params', ''],
        ['invalid_type', 'referrer_params', 'b'],
      ),
    });
  });

  test('names items of an array by their index', async () => {
    const json = '{"name":"a","package_name":"a.b","sha_fingerprints":[1,[{"constructor":1}]]}';
    await expect(readBody(appDtos.android.CreateBody, json)).rejects.toMatchObject({
      details: problems(['invalid_type', 'sha_fingerprints', 0], ['invalid_type', 'sha_fingerprints', 1]),
    });
  });

  const ofPrototypes = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '__defineGetter__', 'toLink', 'then'];

  test.each(['x', 'id', '', ...ofPrototypes])('may not contain %j, even if other fields are invalid', async (name) => {
    const details = problems(['unrecognized_key', name], ['unrecognized_key', 'y']);
    for (const value of ['null', '1', '[]', '{"constructor":1}', '{"name":"a"}']) {
      const body = readBody(CreateDynamicLinkBody, `{"name":7,${JSON.stringify(name)}:${value},"y":1}`);
      await expect(body).rejects.toMatchObject({ code: 'FORBIDDEN_FIELD', details });
    }
  });

  test.each(['constructor', '__proto__', 'toString', 'then', 'valueOf', 'length'])(
    'refuses an object with the key %s where a text belongs',
    async (name) => {
      const details = problems(['invalid_type', 'name']);
      for (const value of ['1', 'null', '"x"', '{}', '[]']) {
        const body = readBody(CreateDynamicLinkBody, `{"name":{${JSON.stringify(name)}:${value}}}`);
        await expect(body).rejects.toMatchObject({ code: 'INVALID_INPUT', details });
      }
    },
  );
});

describe('a query', () => {
  test('gets the default values', async () => {
    expect(await readQuery(ListQuery, {})).toEqual({ page: 1, limit: 10, sortOrder: 'desc' });
    expect(await readQuery(QrCodeQuery, { size: '200' })).toEqual({
      format: 'png',
      size: 200,
      margin: 4,
      rounded: false,
      error_correction: 'M',
      color: [0, 0, 0],
      background: [255, 255, 255],
    });
  });

  test('of a mapped type has the rules and default values of its fields', async () => {
    class LimitQuery extends PickType(ListQuery, ['limit']) {}
    expect(await readQuery(LimitQuery, {})).toEqual({ limit: 10 });
    const details = problems(['unrecognized_key', 'page'], ['invalid_type', 'limit']);
    await expect(readQuery(LimitQuery, { page: '1', limit: 'x' })).rejects.toMatchObject({ details });
  });

  test.each<[string, Record<string, string | string[]>, ReturnType<typeof problems>]>([
    [
      'a text that is not a number',
      { page: 'x', limit: '' },
      problems(['invalid_type', 'page'], ['invalid_type', 'limit']),
    ],
    ['a repeated parameter', { page: ['1', '1'] }, problems(['invalid_type', 'page'])],
    [
      'unknown parameters, first and with all other problems',
      { page: 'x', a: '1', toString: '2' },
      problems(['unrecognized_key', 'a'], ['unrecognized_key', 'toString'], ['invalid_type', 'page']),
    ],
  ])('with %s is refused', async (_, query, details) => {
    await expect(readQuery(ListQuery, query)).rejects.toMatchObject({ code: 'INVALID_INPUT', details });
  });
});

test('at most 100 unknown parameters are named', async () => {
  const query = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`p${at}`, '']));
  const details = problems(
    ...Object.keys(query)
      .slice(0, 100)
      .map((name) => ['unrecognized_key', name] as const),
  );
  await expect(readQuery(ListQuery, query)).rejects.toMatchObject({ details });
});

test('a rule reads a value once, and a nullable one does not read null', async () => {
  const read: unknown[] = [];
  const IsCounted = ruleDecorator(
    new Rule({ type: 'string' }, (value) => {
      read.push(value);
      return { value };
    }),
  );
  class Body {
    @IsCounted({ description: '' })
    one: unknown;

    @IsCounted({ description: '', optional: true, nullable: true })
    other?: unknown;

    @IsCounted({ description: '', optional: true })
    absent?: unknown;
  }
  await readBody(Body, '{"other":null,"one":{"a":[1]}}');
  expect(read).toEqual([{ a: [1] }]);
});

test('decorators of class-validator itself declare fields and refuse values too', async () => {
  class Body {
    @IsEmail()
    email: string;
  }
  expect(await readBody(Body, '{"email":"a@example.com"}')).toEqual({ email: 'a@example.com' });
  await expect(readBody(Body, '{"email":"a"}')).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    details: [{ code: 'invalid_format', path: ['email'], message: 'email must be an email' }],
  });
});

test('passes values that are not a body or query class', async () => {
  const project = { constructor: 1 };
  expect(await pipe.transform(project, { type: 'custom', metatype: Object })).toBe(project);
  expect(await pipe.transform('x', { type: 'param', metatype: String, data: 'id' })).toBe('x');
});

test('an object in a body has the fields, defaults and problems of its class', () => {
  const object = objectOf(ListQuery);
  expect(object.schema).toEqual({ type: 'object' });
  expect(object.safeParse({ page: '2' })).toEqual({ value: { page: 2, limit: 10, sortOrder: 'desc' } });
  expect(object.safeParse({ page: 'x', limit: '' })).toEqual({
    problems: problems(['invalid_type', 'page'], ['invalid_type', 'limit']).map((one) => ({
      ...(one as Problem),
      message: expect.any(String) as string,
    })),
  });
  for (const sent of [null, 'x', []])
    expect(object.safeParse(sent)).toMatchObject({
      problems: [{ code: 'invalid_type', message: 'must be an object' }],
    });
});

test('rules across fields are checked once each field is valid', async () => {
  class Body extends PickType(CreateDynamicLinkBody, ['name']) {
    static problemsAcrossFields = ({ name }: Body): Problem[] =>
      name === 'no' ? [{ code: 'too_small', path: ['name'], message: 'is not enough' }] : [];
    static requireKnownFields(sent: { name?: unknown }): void {
      if (sent.name === 'unknown') throw new RangeError('unknown');
    }
  }
  expect(await readBody(Body, '{"name":"yes"}')).toEqual({ name: 'yes' });
  await expect(readBody(Body, '{"name":"no"}')).rejects.toMatchObject({ details: [{ code: 'too_small' }] });
  await expect(readBody(Body, '{"name":7}')).rejects.toMatchObject({ details: [{ code: 'invalid_type' }] });
  await expect(readBody(Body, '{"name":"unknown"}')).rejects.toThrow(RangeError);
});

test('other problems join those of the input, and other errors come first', async () => {
  const own: Problem[] = [{ code: 'required', path: ['a'], message: 'a is required' }];
  const check = () => readQuery(ListQuery, { page: 'x' });
  await expect(addProblems(own)).rejects.toMatchObject({ details: own });
  await expect(addProblems(own, check)).rejects.toMatchObject({
    details: [...own, ...problems(['invalid_type', 'page'])],
  });
  await expect(addProblems(own, () => Promise.reject(new RangeError()))).rejects.toThrow(RangeError);
});
