import { aService, type TestService } from '../../support/service';
import { aCampaign, androidToken, type Campaign, claim, iosToken, untilStored } from './claim-link';

let services: TestService[];
let campaign: Campaign;
beforeAll(async () => {
  const one = await aService();
  services = [one, await aService({}, one.database)];
  campaign = await aCampaign(one);
});
// The second stops first, because the first owns the database.
afterAll(async () => {
  for (const service of [...services].reverse()) await service.stop();
});

test('one of ten concurrent claims on two services gets the link', async () => {
  const [one] = services as [TestService];
  const tokens: string[] = [];
  for (let made = 0; made < 2; made++)
    tokens.push(await iosToken(one, campaign), await androidToken(services[1]!, campaign));
  await untilStored(one, 4);

  for (const token of tokens) {
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) => claim(services[at % 2]!, campaign.project.subdomain, token)),
    );
    const [won, ...others] = answers.filter(({ status }) => status === 200);
    expect(won?.body.data).toMatchObject({ full_url: campaign.link.full_url });
    expect(others).toEqual([]);
    for (const lost of answers.filter((answer) => answer !== won)) expect(lost).toBeRefusedWith('NOT_FOUND');
  }
  await untilStored(one, 0);
});

test('one of ten concurrent claims gets the link before the token is stored', async () => {
  const [one] = services as [TestService];
  for (let round = 0; round < 5; round++) {
    const token = await iosToken(one, campaign);
    const answers = await Promise.all(Array.from({ length: 10 }, () => claim(one, campaign.project.subdomain, token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 404)]);
  }
});

test('twenty tokens can be claimed concurrently', async () => {
  const [one] = services as [TestService];
  const tokens = await Promise.all(Array.from({ length: 20 }, () => iosToken(one, campaign)));
  await untilStored(one, 20);
  const answers = await Promise.all(
    tokens.map((token, at) => claim(services[at % 2]!, campaign.project.subdomain, token)),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
});

test('a stopped service has stored all issued tokens', async () => {
  const [one] = services as [TestService];
  const third = await aService({}, one.database);
  const tokens = await Promise.all(Array.from({ length: 10 }, () => iosToken(third, campaign)));
  await third.stop();
  for (const token of tokens) expect((await claim(one, campaign.project.subdomain, token)).status).toBe(200);
});
