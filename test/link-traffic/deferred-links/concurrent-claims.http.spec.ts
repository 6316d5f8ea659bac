import { aService, type TestService } from '../../support/service';
import { aCampaign, androidToken, type Campaign, claim, iosToken, untilStored } from './claiming';

let services: TestService[];
let campaign: Campaign;
beforeAll(async () => {
  const one = await aService();
  services = [one, await aService({}, one.database)];
  campaign = await aCampaign(one);
});
// The second goes first: the first takes the database along.
afterAll(async () => {
  for (const service of [...services].reverse()) await service.stop();
});

test('of thirty claims of one token at once, over two services, exactly one gets the link', async () => {
  const [one] = services as [TestService];
  const tokens: string[] = [];
  for (let made = 0; made < 10; made++)
    tokens.push(await iosToken(one, campaign), await androidToken(services[1]!, campaign));
  await untilStored(one, 20);

  for (const token of tokens) {
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, at) => claim(services[at % 2]!, campaign.project.subdomain, token)),
    );
    const [won, ...others] = answers.filter(({ status }) => status === 200);
    expect(won?.body.data).toMatchObject({ full_url: campaign.link.full_url });
    expect(others).toEqual([]);
    for (const lost of answers.filter((answer) => answer !== won)) expect(lost).toBeRefusedWith('NOT_FOUND');
  }
  await untilStored(one, 0);
});

test('and so it is when they come before the token is written', async () => {
  const [one] = services as [TestService];
  for (let round = 0; round < 5; round++) {
    const token = await iosToken(one, campaign);
    const answers = await Promise.all(Array.from({ length: 10 }, () => claim(one, campaign.project.subdomain, token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 404)]);
  }
});

test('twenty tokens claimed at once are twenty links', async () => {
  const [one] = services as [TestService];
  const tokens = await Promise.all(Array.from({ length: 20 }, () => iosToken(one, campaign)));
  await untilStored(one, 20);
  const answers = await Promise.all(
    tokens.map((token, at) => claim(services[at % 2]!, campaign.project.subdomain, token)),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
});

test('a service that stops has written all that it handed out', async () => {
  const [one] = services as [TestService];
  const third = await aService({}, one.database);
  const tokens = await Promise.all(Array.from({ length: 10 }, () => iosToken(third, campaign)));
  await third.stop();
  for (const token of tokens) expect((await claim(one, campaign.project.subdomain, token)).status).toBe(200);
});
