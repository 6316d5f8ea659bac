import type supertest from 'supertest';
import { aDynamicLink, aProject, dataAt, type LinkBody, type ProjectBody } from '../../support/builders';
import { eventually } from '../../support/eventually';
import type { TestService } from '../../support/service';

export interface Shop {
  key: string;
  project: ProjectBody;
  link: LinkBody;
}

/** Creates a project whose links count conversions, with a link. */
export async function aShop(
  on: TestService,
  key: string,
  project: Record<string, unknown> = { conversions: true },
  link: Record<string, unknown> = {},
): Promise<Shop> {
  const made = await aProject(on, key, project);
  const destination = { desktop_url: 'https://shop.example.com/sale' };
  return { key, project: made, link: await aDynamicLink(on, key, made.id, { ...destination, ...link }) };
}

/** Visits and returns the destination. */
export async function destinationOf(
  on: TestService,
  { project, link }: Shop,
  query = '',
  headers: Record<string, string> = {},
): Promise<URL> {
  const { headers: sent } = await on.visit(project.subdomain, `/${link.custom_path}${query}`, headers).expect(302);
  return new URL(sent['location']!);
}

const digestsSql = 'SELECT count(*)::int AS count FROM click_ids WHERE project_id = $1';

/** Counts the stored click ids of a project. */
export const storedIds = async (on: TestService, projectId: string): Promise<number> =>
  (await on.database.query<{ count: number }>(digestsSql, [projectId]))[0]!.count;

/** Visits with a browser, and returns the click id once it is stored. */
export async function aClickId(on: TestService, shop: Shop): Promise<string> {
  const before = await storedIds(on, shop.project.id);
  const id = (await destinationOf(on, shop)).searchParams.get('click_id')!;
  await eventually(async () => (await storedIds(on, shop.project.id)) > before);
  return id;
}

export const send = (on: TestService, { key, project }: Shop, conversions: object[]): supertest.Test =>
  on.api('post', `/projects/${project.id}/conversions`, key).send({ items: conversions });

/** Sends conversions and returns their outcomes. */
export async function outcomesOf(on: TestService, shop: Shop, conversions: object[]): Promise<string[]> {
  const { body } = await send(on, shop, conversions).expect(200);
  return (body as { data: { results: { outcome: string }[] } }).data.results.map(({ outcome }) => outcome);
}

export interface Sums {
  conversions: number;
  refunds: number;
  values: { currency: string; value: string }[];
}
export interface Counted {
  totals: Sums & { clicks: number; opens: number; claims: number; untrusted: number; rate: number | null };
  series: Sums[];
  groups: (Sums & { value: string | null; name: string | null; clicks: number | null; rate: number | null })[];
  other_groups: number;
}

export async function counted(on: TestService, { key, project }: Shop, query = ''): Promise<Counted> {
  return dataAt<Counted>(on, key, `/projects/${project.id}/analytics/conversions${query}`);
}
