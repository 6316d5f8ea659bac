import { aDynamicLink, aProject } from '../../support/builders';
import { changingNothing } from '../../support/content';
import { aService, type TestAccount, type TestService } from '../../support/service';

let on: TestService;
let owner: TestAccount;
let links: string;
let link: string;
beforeAll(async () => {
  on = await aService();
  owner = await on.anAccount();
  const project = await aProject(on, owner.key);
  links = `/projects/${project.id}/links`;
  link = `${links}/${(await aDynamicLink(on, owner.key, project.id)).id}`;
});
afterAll(() => on.stop());

const create = (fields: object) => on.api('post', links, owner.key).send({ name: 'A link', ...fields });
const update = (fields: object) => on.api('put', link, owner.key).send(fields);

const fields = ['desktop_url', 'ios_fallback_url', 'android_fallback_url', 'social_image_url'];

/** Returns a body with the same value in every URL field. */
const inAllFields = (value: string) => Object.fromEntries(fields.map((field) => [field, value]));

test('every URL field is normalised', async () => {
  const [given, normalised] = ['HTTPS://BÜCHER.example/a b', 'https://xn--bcher-kva.example/a%20b'].map(inAllFields);
  expect((await create(given!).expect(201)).body.data).toMatchObject(normalised!);
  expect((await update(given!).expect(200)).body.data).toMatchObject(normalised!);
  expect((await on.api('get', link, owner.key).expect(200)).body.data).toMatchObject(normalised!);
});

test.each([
  ['javascript:alert(1)', 'invalid_format'],
  [`https://${'ü'.repeat(3000)}/`, 'too_big'],
])('the URL %j returns INVALID_INPUT in every field', async (given, code) => {
  const details = fields.map((field) => ({ code, path: [field], message: expect.any(String) }));
  expect(await create(inAllFields(given))).toBeRefusedWith('INVALID_INPUT', details);
  expect(await changingNothing(on, () => update(inAllFields(given)))).toBeRefusedWith('INVALID_INPUT', details);
});

test('an update with one invalid URL changes no field, and each field is stored separately', async () => {
  const { body: before } = await on.api('get', link, owner.key).expect(200);
  for (const field of fields) {
    const response = await update({ ...inAllFields('https://example.com/never'), [field]: 'never' });
    expect(response).toBeRefusedWith('INVALID_INPUT', [
      { code: 'invalid_format', path: [field], message: expect.any(String) },
    ]);
    expect((await on.api('get', link, owner.key).expect(200)).body).toEqual(before);
  }
  for (const [at, field] of fields.entries()) await update({ [field]: `https://example.com/${at}` }).expect(200);
  const { body: after } = await on.api('get', link, owner.key).expect(200);
  expect(fields.map((field) => after.data[field])).toEqual(fields.map((_, at) => `https://example.com/${at}`));
});

test('a URL that an earlier release stored keeps its spelling until it is given again', async () => {
  const earlier = 'https://example.com/{a}|b';
  await on.database.query('UPDATE dynamic_links SET desktop_url = $1 WHERE id = $2', [earlier, link.split('/').at(-1)]);
  const { body: renamed } = await update({ name: 'Another name' }).expect(200);
  expect(renamed.data).toMatchObject({ name: 'Another name', desktop_url: earlier });
  const { body: given } = await update({ desktop_url: earlier }).expect(200);
  expect(given.data.desktop_url).toBe('https://example.com/%7Ba%7D%7Cb');
});
