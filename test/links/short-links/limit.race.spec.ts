import { aDynamicLink, aProject, aShortLink } from '../../support/builders';
import { accountFixture, serviceFixture } from '../../support/fixtures';

const limit = 5;

const on = serviceFixture({ SHORT_LINKS_PER_LINK: String(limit) });
const owner = accountFixture(on, 'pro');

test('SHORT_LINKS_PER_LINK holds for parallel creations, and counts per dynamic link', async () => {
  const project = await aProject(on, owner.key);
  const link = await aDynamicLink(on, owner.key, project.id);
  const other = await aDynamicLink(on, owner.key, project.id);
  const path = `/projects/${project.id}/short-links`;
  const create = () => on.api('post', path, owner.key).send({ dynamic_link_id: link.id });
  const answers = await Promise.all(Array.from({ length: 3 * limit }, create));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(limit);
  for (const answer of answers.filter(({ status }) => status !== 201)) {
    expect(answer).toBeRefusedWith('ACCESS_DENIED');
    expect(answer.body.error.details).toEqual({ limit, used: limit, current_plan: 'pro', required_plan: null });
  }
  await aShortLink(on, owner.key, project.id, other.id);
  const { id } = answers.find(({ status }) => status === 201)!.body.data as { id: string };
  await on.api('delete', `${path}/${id}`, owner.key).expect(200);
  await create().expect(201);
});
