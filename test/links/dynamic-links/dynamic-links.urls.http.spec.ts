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

const ofLength = (length: number) => 'https://example.com/'.padEnd(length, 'a');

const stored: [string, string][] = [
  ['https://example.com/', 'https://example.com/'],
  ['http://example.com/', 'http://example.com/'],
  ['https://example.com', 'https://example.com/'],
  ['HTTPS://EXAMPLE.COM/Path', 'https://example.com/Path'],
  ['https://example.com:443/', 'https://example.com/'],
  ['http://example.com:443/', 'http://example.com:443/'],
  ['https://example.com?a=1', 'https://example.com/?a=1'],
  ['https://example.com/?a=1&a=2#top', 'https://example.com/?a=1&a=2#top'],
  ['https://example.com/a/../b/./c', 'https://example.com/b/c'],
  ['https://example.com/a b', 'https://example.com/a%20b'],
  ['https://example.com/?q=a b#c d', 'https://example.com/?q=a%20b#c%20d'],
  ['https://example.com/%7Euser/%e2%82%ac', 'https://example.com/%7Euser/%e2%82%ac'],
  ['https://example.com/100%', 'https://example.com/100%25'],
  ['https://example.com/a\\b', 'https://example.com/a/b'],
  ['https://example.com\\@evil.example/', 'https://example.com/@evil.example/'],
  ['https://example.com/@user', 'https://example.com/@user'],
  ['https://example.com/?to=https://a@b/', 'https://example.com/?to=https://a@b/'],
  ['https://example.com/#@', 'https://example.com/#@'],
  ['https://example.com//two//slashes', 'https://example.com//two//slashes'],
  ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
  ['https://BÜCHER.example/', 'https://xn--bcher-kva.example/'],
  ['https://日本語.example/道?検=索#片', 'https://xn--wgv71a119e.example/%E9%81%93?%E6%A4%9C=%E7%B4%A2#%E7%89%87'],
  ['https://example。com/', 'https://example.com/'],
  ['https://example.com/😀', 'https://example.com/%F0%9F%98%80'],
  ['https://example.com/"<>`{}', 'https://example.com/%22%3C%3E%60%7B%7D'],
  ["https://example.com/?'", 'https://example.com/?%27'],
  ['https://192.0.2.1:8443/', 'https://192.0.2.1:8443/'],
  ['https://[2001:DB8::1]/', 'https://[2001:db8::1]/'],
  ['http://localhost:3000/', 'http://localhost:3000/'],
  [ofLength(2048), ofLength(2048)],
  [`https://example.com/?${'%20'.repeat(600)}`, `https://example.com/?${'%20'.repeat(600)}`],
  [`https://example.com/${'😀'.repeat(169)}`, `https://example.com/${'%F0%9F%98%80'.repeat(169)}`],
];

/** Returns a body with the same value in every URL field. */
const inAllFields = (value: string) => Object.fromEntries(fields.map((field) => [field, value]));

test.each(stored)('the URL %j is stored as %j', async (given, normalised) => {
  const created = await create(inAllFields(given)).expect(201);
  expect(created.body.data).toMatchObject(inAllFields(normalised));
  const updated = await update(inAllFields(given)).expect(200);
  expect(updated.body.data).toMatchObject(inAllFields(normalised));
  const read = await on.api('get', link, owner.key).expect(200);
  expect(read.body.data).toMatchObject(inAllFields(normalised));
  expect(normalised).toMatch(/^[\x21-\x7e]+$/);
});

test.each([
  ['', 'invalid_format'],
  ['example.com', 'invalid_format'],
  ['www.example.com/path', 'invalid_format'],
  ['/path', 'invalid_format'],
  ['//example.com/', 'invalid_format'],
  ['//x', 'invalid_format'],
  ['https:example.com', 'invalid_format'],
  ['https:/x', 'invalid_format'],
  ['https:///x', 'invalid_format'],
  ['https:\\\\example.com', 'invalid_format'],
  ['https://', 'invalid_format'],
  ['https://?a', 'invalid_format'],
  ['https://#a', 'invalid_format'],
  ['https://:443/', 'invalid_format'],
  ['https://exa mple.com/', 'invalid_format'],
  ['https://example.com:port/', 'invalid_format'],
  ['https://example.com:65536/', 'invalid_format'],
  ['https://[::1/', 'invalid_format'],
  ['https://a<b/', 'invalid_format'],
  ['https://%00/', 'invalid_format'],
  ['https://256.256.256.256/', 'invalid_format'],
  ['https://xn--a/', 'invalid_format'],
  ['javascript:alert(1)', 'invalid_format'],
  ['JaVaScRiPt:alert(1)', 'invalid_format'],
  ['javascript://example.com/%0aalert(1)', 'invalid_format'],
  ['java\nscript:alert(1)', 'invalid_format'],
  ['data:text/html,<script>alert(1)</script>', 'invalid_format'],
  ['data://example.com/', 'invalid_format'],
  ['vbscript:msgbox(1)', 'invalid_format'],
  ['blob:https://example.com/a', 'invalid_format'],
  ['file:///etc/passwd', 'invalid_format'],
  ['ws://example.com/', 'invalid_format'],
  ['intent://example.com#Intent;scheme=https;end', 'invalid_format'],
  ['https://a@b/', 'invalid_format'],
  ['https://a:b@c/', 'invalid_format'],
  ['https://:b@c/', 'invalid_format'],
  ['https://@example.com/', 'invalid_format'],
  ['https://:@example.com/', 'invalid_format'],
  ['https://example.com@evil.example/', 'invalid_format'],
  ['https://a%40b@c/', 'invalid_format'],
  [' https://example.com/', 'invalid_format'],
  ['https://example.com/ ', 'invalid_format'],
  ['\thttps://example.com/', 'invalid_format'],
  ['https://example.com/\n', 'invalid_format'],
  ['https://exa\tmple.com/', 'invalid_format'],
  ['https://example.com/a\r\nSet-Cookie: a=b', 'invalid_format'],
  ['https://example.com/\u0001', 'invalid_format'],
  ['https://example.com/\u007f', 'invalid_format'],
  ['https://example.com/\u0085', 'invalid_format'],
  ['\ufeffhttps://example.com/', 'invalid_format'],
  [ofLength(2049), 'too_big'],
  [`https://example.com/${'😀'.repeat(170)}`, 'too_big'],
  [`https://example.com/${' '.repeat(700)}a`, 'too_big'],
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

test('a stored URL is accepted unchanged', async () => {
  for (const [, normalised] of stored)
    expect((await update({ desktop_url: normalised }).expect(200)).body.data.desktop_url).toBe(normalised);
});

test('a URL that an earlier release stored keeps its spelling until it is given again', async () => {
  const earlier = 'https://example.com/{a}|b';
  await on.database.query('UPDATE dynamic_links SET desktop_url = $1 WHERE id = $2', [earlier, link.split('/').at(-1)]);
  const { body: renamed } = await update({ name: 'Another name' }).expect(200);
  expect(renamed.data).toMatchObject({ name: 'Another name', desktop_url: earlier });
  const { body: given } = await update({ desktop_url: earlier }).expect(200);
  expect(given.data.desktop_url).toBe('https://example.com/%7Ba%7D%7Cb');
});
