import type { components } from '../../../clients/typescript/src/schema';
import { ask } from '../../support/ask';
import type { TestService } from '../../support/service';

export type Health = components['schemas']['AssociationHealth'];

/** What is said of the project's health; fails unless it is as described. */
export async function healthOf(on: TestService, key: string, projectId: string, query = ''): Promise<Health> {
  const { status, text, body } = await ask(on, key, 'GET', `/projects/${projectId}/association-health${query}`);
  expect([status, text]).toEqual([200, text]);
  return (body as { data: Health }).data;
}

/** Codes with what they are about, in the order of the answer. */
export const said = ({ problems }: Health): string[] =>
  problems.map(({ severity, code, platform, host }) =>
    [severity, code, platform, host].filter((part) => part !== null).join(' '),
  );
