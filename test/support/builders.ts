import type { TestService } from './service';

let count = 0;

/** Unique within the run's process, so that suites do not meet. */
export const unique = (prefix: string): string => `${prefix}-${process.pid}-${++count}`.toLowerCase();

export interface ProjectBody {
  id: string;
  name: string;
  subdomain: string;
  user_id: string;
  created_at: string;
  updated_at: string;
}

export type LinkBody = Record<string, unknown> & { id: string; custom_path: string; full_url: string };

/** A project made over HTTP. */
export async function aProject(
  on: TestService,
  key: string,
  fields: Record<string, unknown> = {},
): Promise<ProjectBody> {
  const body = { name: 'A project', subdomain: unique('p'), ...fields };
  const response = await on.api('post', '/projects', key).send(body).expect(201);
  return (response.body as { data: ProjectBody }).data;
}

/** A dynamic link made over HTTP. */
export async function aDynamicLink(
  on: TestService,
  key: string,
  projectId: string,
  fields: Record<string, unknown> = {},
): Promise<LinkBody> {
  const body = { name: 'A link', desktop_url: 'https://example.com/desktop', ...fields };
  const response = await on.api('post', `/projects/${projectId}/links`, key).send(body).expect(201);
  return (response.body as { data: LinkBody }).data;
}
