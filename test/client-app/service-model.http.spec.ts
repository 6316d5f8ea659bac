import supertest from 'supertest';
import { aCampaign, androidToken } from '../link-traffic/deferred-links/claim-link';
import { aDynamicLink, aShortLink } from '../support/builders';
import { ServiceModel, tokens } from './service-model';
import { serviceFixture } from '../support/fixtures';

const model = new ServiceModel();
/** Names of the model, each with that of the service. */
let names: [string, string][];
let opensOfService: () => Promise<number>;
const on = serviceFixture({ LINK_BASE_URL: 'https://localhost' });
beforeAll(async () => {
  const campaign = await aCampaign(on, { app_data: { path: 'summer' } });
  const { key, project } = campaign;
  const sale = { custom_path: 'sale', desktop_url: 'https://shop.example.com/sale', app_data: { path: 'sale' } };
  const { id } = await aDynamicLink(on, key, project.id, sale);
  const winter = await aDynamicLink(on, key, project.id, {
    custom_path: 'winter',
    android_app_id: campaign.link.android_app_id,
    app_data: { path: 'winter' },
  });
  const { slug } = await aShortLink(on, key, project.id, id);
  names = [
    ['go.example.com', `${project.subdomain}.localhost`],
    ['s4le', slug],
    [tokens.T, await androidToken(on, campaign)],
    [tokens.U, await androidToken(on, { ...campaign, link: winter })],
  ];
  opensOfService = async () => {
    const answer = await on.api('get', `/projects/${project.id}/analytics?metric=opens`, key).expect(200);
    return answer.body.data.totals.clicks;
  };
});

const open = (path: string, id: string) => ({
  url: `https://go.example.com${path}`,
  app: { bundle_id: 'com.example.app', version: '1.0.0' },
  open_id: id.repeat(22),
});

const firstLaunch = { launch_id: 'e'.repeat(22), app: { bundle_id: 'com.example.app', version: '1.0.0' } };

/** The model answers like the service. The requests are sent in this order. */
test.each<[string, string, object]>([
  ['an open', '/links/open', open('/sale', 'a')],
  ['the same open again', '/links/open', open('/sale', 'a')],
  ['a short link with parameters', '/links/open', open('/s4le?x=1&_via=qr', 'b')],
  ['parameters that repeat', '/links/open', open('/sale?x=1&x=2&y=%C3%A4+b', 'c')],
  ['an unknown link', '/links/open', open('/unknown', 'd')],
  ['a claim', '/deferred-links/claim', { token: tokens.T }],
  ['the same claim again', '/deferred-links/claim', { token: tokens.T }],
  ['a claim with an id', '/deferred-links/claim', { token: tokens.U, claim_id: 'a'.repeat(22) }],
  ['the same claim with the id', '/deferred-links/claim', { token: tokens.U, claim_id: 'a'.repeat(22) }],
  ['a claim with another id', '/deferred-links/claim', { token: tokens.U, claim_id: 'b'.repeat(22) }],
  ['an unknown token', '/deferred-links/claim', { token: tokens.X }],
  ['a first launch', '/links/first-launch', firstLaunch],
  ['its outcome', '/links/first-launch', { ...firstLaunch, outcome: 'claimed', token: tokens.U }],
])('%s', async (_, path, request) => {
  const body = JSON.stringify(request);
  const expected = await model.fetch(`https://go.example.com${path}`, { body });
  const translated = names.reduce((text, [ours, theirs]) => text.replaceAll(ours, theirs), body);
  const { status, text } = await supertest(on.url).post(path).set('Host', names[0]![1]).type('json').send(translated);
  const answer = JSON.parse(names.reduce((text, [ours, theirs]) => text.replaceAll(theirs, ours), text));
  if (answer.data?.clicked_at) answer.data.clicked_at = '2026-07-01T09:30:00.000Z';
  expect(status).toBe(expected.status);
  if (status === 200) expect(answer).toEqual(await expected.json());
  expect(await opensOfService()).toBe(model.opens.size);
});
