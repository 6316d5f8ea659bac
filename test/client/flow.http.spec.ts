import type { SignpostClient } from '../../clients/typescript/src/index';
import { aFingerprint, unique } from '../support/builders';
import { aClient } from '../support/client';
import { pictureOfPng, readQrCode } from '../support/qr-reader';
import { aService, type TestService } from '../support/service';

let on: TestService;
let client: SignpostClient;
beforeAll(async () => {
  on = await aService();
  client = aClient(on, (await on.anAccount('pro')).key);
});
afterAll(() => on.stop());

test('the client creates, reads and deletes a project, apps, a link, a short link and QR codes', async () => {
  const subdomain = unique('flow');
  const project = (await client.POST('/projects', { body: { name: 'Summer', subdomain } })).data!.data;
  const path = { projectId: project.id };

  const ios = await client.POST('/projects/{projectId}/ios-apps', {
    params: { path },
    body: { name: 'Shop', bundle_id: 'com.example.shop', team_id: 'ABCDE12345', appstore_id: '1234567890' },
  });
  const android = await client.POST('/projects/{projectId}/android-apps', {
    params: { path },
    body: { name: 'Shop', package_name: 'com.example.shop', sha_fingerprints: [aFingerprint(1)] },
  });
  const [iosApp, androidApp] = [ios.data!.data, android.data!.data];

  const created = await client.POST('/projects/{projectId}/links', {
    params: { path },
    body: {
      name: 'Sale',
      custom_path: 'summer/sale',
      desktop_url: 'https://shop.example.com/sale',
      ios_app_id: iosApp.id,
      android_app_id: androidApp.id,
      ios_fallback_url: 'https://shop.example.com/ios',
      ios_deferred_deep_link: true,
      social_title: 'Summer sale',
      referrer_params: { utm_source: 'newsletter' },
    },
  });
  const link = created.data!.data;
  expect(link.full_url).toBe(`http://${subdomain}.localhost:3000/summer/sale`);

  const alias = await client.POST('/projects/{projectId}/short-links', {
    params: { path },
    body: { dynamic_link_id: link.id },
  });
  const short = alias.data!.data;
  expect(short.short_url).toBe(`http://${subdomain}.localhost:3000/${short.slug}`);

  for (const visited of ['summer/sale', short.slug]) {
    const visit = await on.visit(subdomain, `/${visited}`);
    expect([visit.status, visit.headers['location']]).toEqual([
      302,
      'https://shop.example.com/sale?utm_source=newsletter',
    ]);
  }

  const explained = await client.GET('/projects/{projectId}/links/{linkId}/explain', {
    params: { path: { ...path, linkId: link.id }, query: { platform: 'desktop', query: 'x=1' } },
  });
  expect(explained.data!.data).toMatchObject({
    answer: { status: 302, location: 'https://shop.example.com/sale?utm_source=newsletter&x=1' },
    steps: expect.arrayContaining([expect.objectContaining({ rule: 'desktop_url', outcome: 'taken' })]),
  });

  const drafted = await client.POST('/projects/{projectId}/links/{linkId}/explain', {
    params: { path: { ...path, linkId: link.id }, query: { platform: 'desktop' } },
    body: { desktop_url: 'https://shop.example.com/draft', referrer_params: null },
  });
  expect(drafted.data!.data.answer.location).toBe('https://shop.example.com/draft');
  const planned = await client.POST('/projects/{projectId}/explain', {
    params: { path, query: { platform: 'desktop' } },
    body: { name: 'Planned', desktop_url: 'https://shop.example.com/planned' },
  });
  expect(planned.data!.data.answer.location).toBe('https://shop.example.com/planned');

  const health = await client.GET('/projects/{projectId}/association-health', { params: { path } });
  expect(health.data!.data.files.map(({ platform }) => platform)).toEqual(['ios', 'android']);

  const ofLink = await client.GET('/projects/{projectId}/links/{linkId}/qr-code', {
    params: { path: { ...path, linkId: link.id }, query: { size: 256 } },
    parseAs: 'blob',
  });
  const ofAlias = await client.GET('/projects/{projectId}/short-links/{shortLinkId}/qr-code', {
    params: { path: { ...path, shortLinkId: short.id }, query: { color: '1a2b3c' } },
    parseAs: 'blob',
  });
  expect([await readBlob(ofLink.data), await readBlob(ofAlias.data)]).toEqual(
    [link.full_url, short.short_url].map((url) => `${url}?_via=qr`),
  );

  const projects = await client.GET('/projects', { params: { query: { search: subdomain } } });
  expect(projects.data!.data).toEqual([{ ...project, _count: { dynamic_links: 1 } }]);
  const links = await client.GET('/projects/{projectId}/links', {
    params: { path, query: { ios_app_id: iosApp.id, android_app_id: androidApp.id } },
  });
  expect(links.data!.data).toEqual([
    {
      ...link,
      ios_apps: { id: iosApp.id, name: 'Shop', bundle_id: 'com.example.shop' },
      android_apps: { id: androidApp.id, name: 'Shop', package_name: 'com.example.shop' },
    },
  ]);
  const shortLinks = await client.GET('/projects/{projectId}/short-links', {
    params: { path, query: { dynamic_link_id: link.id } },
  });
  expect(shortLinks.data!.data).toEqual([short]);
  const iosApps = await client.GET('/projects/{projectId}/ios-apps', { params: { path } });
  expect(iosApps.data!.data).toEqual([iosApp]);
  const androidApps = await client.GET('/projects/{projectId}/android-apps', { params: { path } });
  expect(androidApps.data!.data).toEqual([androidApp]);

  const ofIosApp = { params: { path: { ...path, appId: iosApp.id } } };
  const ofAndroidApp = { params: { path: { ...path, appId: androidApp.id } } };
  const deleteIosApp = () => client.DELETE('/projects/{projectId}/ios-apps/{appId}', ofIosApp);
  const deleteAndroidApp = () => client.DELETE('/projects/{projectId}/android-apps/{appId}', ofAndroidApp);
  expect(await deleteIosApp()).toBeRefusedWith('LINKED_REFERENCES');
  expect(await deleteAndroidApp()).toBeRefusedWith('LINKED_REFERENCES');

  const unlinked = await client.PUT('/projects/{projectId}/links/{linkId}', {
    params: { path: { ...path, linkId: link.id } },
    body: { ios_app_id: null },
  });
  expect(unlinked.data!.data).toMatchObject({ ios_app_id: null, android_app_id: androidApp.id });
  expect((await deleteIosApp()).data!.data.message).toBe('iOS app deleted');

  const ofShort = { params: { path: { ...path, shortLinkId: short.id } } };
  const deletedShort = await client.DELETE('/projects/{projectId}/short-links/{shortLinkId}', ofShort);
  expect(deletedShort.data!.data.message).toBe('Short link deleted');
  const deletedLink = await client.DELETE('/projects/{projectId}/links/{linkId}', {
    params: { path: { ...path, linkId: link.id } },
  });
  expect(deletedLink.data!.data.message).toBe('Dynamic link deleted');
  expect((await deleteAndroidApp()).data!.data.message).toBe('Android app deleted');
  expect((await client.DELETE('/projects/{projectId}', { params: { path } })).data!.data.message).toBe(
    'Project deleted',
  );
  expect((await on.visit(subdomain, '/summer/sale')).status).toBe(404);
});

async function readBlob(blob: unknown): Promise<string | null> {
  return readQrCode(pictureOfPng(Buffer.from(await (blob as Blob).arrayBuffer())));
}
