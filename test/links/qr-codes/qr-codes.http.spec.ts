import type supertest from 'supertest';
import { aDynamicLink, aProject, aShortLink, unique } from '../../support/builders';
import { problem } from '../../support/problem';
import { colorsOf, pictureOfPng, pictureOfSvg, quietZoneOf, readQrCode } from '../../support/qr-reader';
import { pictureOfPdf, pictureOfSvgOutlines } from '../../support/qr-outlines';
import { aPng } from '../pictures/pictures';
import { accountFixture, fixture, projectFixture, serviceFixture } from '../../support/fixtures';

const on = serviceFixture();
const account = accountFixture(on);
const project = projectFixture(on, account);
const link = fixture(async () => {
  const { id, full_url } = await aDynamicLink(on, account.key, project.id, { custom_path: 'Summer/sale-_.~1' });
  return { id, url: `${full_url}?_via=qr`, path: `/projects/${project.id}/links/${id}/qr-code` };
});
const short = fixture(async () => {
  const { id, short_url } = await aShortLink(on, account.key, project.id, link.id, { slug: 'sale' });
  return { url: `${short_url}?_via=qr`, path: `/projects/${project.id}/short-links/${id}/qr-code` };
});

const image = (path: string, query: Record<string, string | number> = {}, headers: Record<string, string> = {}) =>
  on.api('get', path, account.key).query(query).set(headers).buffer(true).parse(bytes);

const bytes: Parameters<supertest.Test['parse']>[0] = (response, done) => {
  const chunks: Buffer[] = [];
  response.on('data', (chunk: Buffer) => chunks.push(chunk));
  response.on('end', () => done(null, Buffer.concat(chunks)));
};

async function picture(path: string, query: Record<string, string | number> = {}) {
  const response = await image(path, query).expect(200);
  const body = response.body as Buffer;
  return query['format'] === 'svg' ? pictureOfSvg(body.toString()) : pictureOfPng(body);
}

describe.each([
  ['a dynamic link', () => link],
  ['a short link', () => short],
])('the QR code of %s', (_, of) => {
  test('is by default a black-and-white PNG of 512 pixels with a margin of four modules', async () => {
    const response = await image(of().path).expect(200);
    expect(response.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': expect.stringContaining('private'),
      etag: expect.stringMatching(/^"[^"]+"$/),
      'content-length': String((response.body as Buffer).length),
      'x-ratelimit-remaining': expect.any(String),
      'x-content-type-options': 'nosniff',
    });
    const seen = pictureOfPng(response.body as Buffer);
    expect([seen.width, seen.height]).toEqual([512, 512]);
    expect(colorsOf(seen)).toEqual(['000000', 'ffffff']);
    expect(readQrCode(seen)).toBe(of().url);
    const black = { color: '000000', background: 'ffffff' };
    const explicitDefaults = { format: 'png', size: 512, margin: 4, error_correction: 'M', ...black };
    expect((await image(of().path, explicitDefaults)).body).toEqual(response.body);
  });
});

test.each(
  ['png', 'svg'].flatMap((format) => [
    [{ format, size: 128 }],
    [{ format, size: 300 }],
    [{ format, size: 512, error_correction: 'L' }],
    [{ format, size: 333, error_correction: 'Q' }],
    [{ format, size: 300, error_correction: 'H' }],
    [{ format, size: 300, margin: 0 }],
    [{ format, size: 300, margin: 16 }],
    [{ format, size: 128, margin: 16, error_correction: 'H' }],
    [{ format, size: 300, color: '1a2b3c', background: 'ffe0b0' }],
    [{ format, size: 300, color: 'AA0000', background: 'FFFFFF' }],
  ]),
)('with %j has that size and contains the URL', async (query: Record<string, string | number>) => {
  const seen = await picture(link.path, query);
  expect([seen.width, seen.height]).toEqual([query['size'], query['size']]);
  expect(readQrCode(seen)).toBe(link.url);
  const colors = [query['color'] ?? '000000', query['background'] ?? 'ffffff'];
  expect(colorsOf(seen)).toEqual(colors.map((color) => String(color).toLowerCase()).sort());
});

test('an SVG contains no script, style or reference to another host', async () => {
  const response = await image(link.path, { format: 'svg' }).expect(200);
  expect(response.headers['content-type']).toMatch(/^image\/svg\+xml(; charset=utf-8)?$/);
  expect(response.headers['content-security-policy']).toContain("default-src 'none'");
  const svg = (response.body as Buffer).toString();
  expect(svg.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/http|href|script|style|url\(/);
});

test.each([
  [0, 300],
  [4, 300],
  [16, 512],
])('a margin of %d modules in %d pixels is centred', async (margin, size) => {
  // The URL needs 33 × 33 modules at level M.
  const seen = await picture(link.path, { margin, size });
  const scale = Math.floor(size / (33 + 2 * margin));
  const zone = quietZoneOf(seen, '000000');
  const spare = size - 33 * scale;
  expect(zone).toEqual([Math.floor(spare / 2), Math.floor(spare / 2), Math.ceil(spare / 2), Math.ceil(spare / 2)]);
  for (const side of zone) expect(side).toBeGreaterThanOrEqual(margin * scale);
});

test.each([
  ['949494', 'ffffff', 200],
  ['959595', 'ffffff', 400],
  ['ffffff', '949494', 200],
])('the colour %s on %s returns %d', async (color, background, status) => {
  const response = await on.api('get', link.path, account.key).query({ color, background });
  expect(response.status).toBe(status);
  const details = ['color', 'background'].map((field) => problem('invalid_format', field));
  if (status === 400) expect(response).toBeRefusedWith('INVALID_INPUT', details);
});

test.each<[query: Record<string, string | number>, field: string, code: Parameters<typeof problem>[0]]>([
  [{ frame: 'Scan me' }, 'frame', 'invalid_format'],
  [{ frame: 'Отсканируй', format: 'pdf' }, 'frame', 'invalid_format'],
  [{ frame: 'x'.repeat(31), format: 'svg' }, 'frame', 'too_big'],
  [{ width_mm: 174, logo: 'A'.repeat(43) }, 'width_mm', 'invalid_format'],
  [{ width_mm: 9 }, 'width_mm', 'too_small'],
  [{ width_mm: 12 }, 'width_mm', 'too_small'],
  [{ width_mm: 301, format: 'pdf' }, 'width_mm', 'too_big'],
])('the design %j is refused', async (query, field, code) => {
  const response = await on.api('get', link.path, account.key).query(query);
  expect(response).toBeRefusedWith('INVALID_INPUT', [problem(code, field)]);
});

test('a design has its format, with the text of the frame as text', async () => {
  const query = { rounded: 'true', frame: '<script>&', width_mm: 80, color: '0f766e' };
  const svg = await image(link.path, { ...query, format: 'svg' }).expect(200);
  const drawn = (svg.body as Buffer).toString();
  expect(drawn).toContain('>&lt;script>&amp;</text>');
  expect(readQrCode(pictureOfSvgOutlines(drawn, 6))).toBe(link.url);
  const pdf = await image(link.path, { ...query, format: 'pdf' }).expect(200);
  expect(pdf.headers['content-type']).toBe('application/pdf');
  const { picture, mm, text } = pictureOfPdf(pdf.body as Buffer, 6);
  expect([readQrCode(picture), mm[0], text]).toEqual([link.url, 80, '<script>&']);
});

describe('with a logo', () => {
  const upload = async (of = project.id): Promise<string> => {
    const request = on.api('post', `/projects/${of}/pictures`, account.key).set('Content-Type', 'image/png');
    return (await request.send(aPng(80, 40, [200, 0, 0, 255])).expect(201)).body.data.id;
  };

  test('every format has the picture, and its PNG is read', async () => {
    const logo = await upload();
    const seen = await picture(link.path, { logo, size: 400 });
    expect(readQrCode(seen)).toBe(link.url);
    const [red, green] = seen.data.subarray(4 * (200 * 400 + 200));
    expect(red! - green!).toBeGreaterThan(150);
    const svg = await image(link.path, { logo, format: 'svg' }).expect(200);
    expect(svg.headers['content-security-policy']).toBe("default-src 'none'; img-src data:");
    const [, data] = /href="data:image\/jpeg;base64,([^"]*)"/.exec((svg.body as Buffer).toString())!;
    const pdf = await image(link.path, { logo, format: 'pdf' }).expect(200);
    expect((pdf.body as Buffer).includes(Buffer.from(data!, 'base64'))).toBe(true);
  });

  test('a picture of another project, or none, is refused', async () => {
    const other = await upload((await aProject(on, account.key)).id);
    await on.database.query('DELETE FROM pictures WHERE project_id = $1', [project.id]);
    for (const logo of [other, 'A'.repeat(43), '../../x'])
      expect(await on.api('get', link.path, account.key).query({ logo })).toBeRefusedWith('INVALID_INPUT', [
        problem('invalid_format', 'logo'),
      ]);
  });
});

describe('with conditional requests,', () => {
  const tagOf = async (query: Record<string, string | number> = {}, path = link.path) =>
    (await image(path, query).expect(200)).headers['etag']!;

  test('the ETag is the same for equivalent parameters', async () => {
    const tag = await tagOf({ color: '1a2b3c' });
    expect(await tagOf({ color: '1A2B3C', size: '0512', format: 'png' })).toBe(tag);
  });

  test('the ETag differs for each parameter and link', async () => {
    const designs: Record<string, string | number>[] = [
      ...[{ format: 'svg' }, { size: 513 }, { margin: 5 }, { error_correction: 'Q' }, { color: '000001' }],
      ...[{ background: 'fffffe' }, { rounded: 'true' }, { width_mm: 50 }, { format: 'pdf' }],
      { format: 'svg', frame: 'Scan me' },
    ];
    const tags = await Promise.all([tagOf(), tagOf({}, short.path), ...designs.map((design) => tagOf(design))]);
    expect(new Set(tags).size).toBe(designs.length + 2);
  });

  test('a new subdomain or path changes the image and its ETag', async () => {
    const own = await aProject(on, account.key);
    const moving = await aDynamicLink(on, account.key, own.id, { custom_path: 'before' });
    const alias = await aShortLink(on, account.key, own.id, moving.id, { slug: 'alias' });
    const ofLink = `/projects/${own.id}/links/${moving.id}/qr-code`;
    const ofAlias = `/projects/${own.id}/short-links/${alias.id}/qr-code`;
    const before = [await tagOf({}, ofLink), await tagOf({}, ofAlias)];

    const subdomain = unique('moved');
    await on.api('put', `/projects/${own.id}`, account.key).send({ subdomain }).expect(200);
    for (const [at, path] of [ofLink, ofAlias].entries()) {
      const response = await image(path, {}, { 'If-None-Match': before[at]! }).expect(200);
      expect(response.headers['etag']).not.toBe(before[at]);
      const url = `http://${subdomain}.localhost:3000/${['before', 'alias'][at]}?_via=qr`;
      expect(readQrCode(pictureOfPng(response.body as Buffer))).toBe(url);
    }

    const between = await tagOf({}, ofLink);
    await on.api('put', `/projects/${own.id}/links/${moving.id}`, account.key).send({ custom_path: 'after' });
    expect(readQrCode(await picture(ofLink))).toBe(`http://${subdomain}.localhost:3000/after?_via=qr`);
    expect(await tagOf({}, ofLink)).not.toBe(between);
  });

  test.each(['png', 'svg'])('HEAD returns the headers of GET without a body: %s', async (format) => {
    const get = await image(link.path, { format }).expect(200);
    const head = await on.api('head', link.path, account.key).query({ format });
    expect(head.status).toBe(200);
    for (const header of ['content-type', 'content-length', 'etag', 'cache-control'])
      expect(head.headers[header]).toBe(get.headers[header]);
    expect(head.text ?? '').toBe('');
    const tag = get.headers['etag']!;
    const same = await on.api('head', link.path, account.key).query({ format }).set('If-None-Match', tag);
    expect(same.status).toBe(304);
  });
});
