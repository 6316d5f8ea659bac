import { aDynamicLink, aProject, aShortLink } from '../../support/builders';
import { eventually } from '../../support/eventually';
import { serviceFixture } from '../../support/fixtures';

const on = serviceFixture();

const details = { feature: 'short_links', current_plan: 'free', required_plan: 'pro' };

test('an existing short link can be listed, read, visited and deleted after a downgrade', async () => {
  const { accountId, key } = await on.anAccount('pro');
  const project = await aProject(on, key);
  const link = await aDynamicLink(on, key, project.id, { desktop_url: 'https://example.com/kept' });
  const kept = await aShortLink(on, key, project.id, link.id);
  const list = `/projects/${project.id}/short-links`;
  // The slug exists, so that no request creates a link before the new plan applies.
  const create = () => on.api('post', list, key).send({ dynamic_link_id: link.id, slug: kept.slug });
  expect(await create()).toBeRefusedWith('SLUG_EXISTS');

  await on.setPlan(accountId, 'free');
  const refused = await eventually(async () => {
    const answer = await create();
    return answer.status === 403 && answer;
  });
  expect(refused).toBeRefusedWith('FORBIDDEN_PLAN', details);

  expect((await on.api('get', list, key).expect(200)).body.data).toEqual([kept]);
  expect((await on.api('get', `${list}/${kept.id}`, key).expect(200)).body.data).toEqual(kept);
  await on.api('get', `${list}/${kept.id}/qr-code`, key).expect(200);
  const visit = await on.visit(project.subdomain, `/${kept.slug}`).expect(302);
  expect(visit.headers['location']).toBe('https://example.com/kept');
  await on.api('delete', `${list}/${kept.id}`, key).expect(200);
  await on.visit(project.subdomain, `/${kept.slug}`).expect(404);
});
