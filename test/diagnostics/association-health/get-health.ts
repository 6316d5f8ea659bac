import type { components } from '../../../clients/typescript/src/schema';
import { sendApiRequest } from '../../support/api-request';
import type { TestService } from '../../support/service';

export type Health = components['schemas']['AssociationHealth'];

/** Returns the association health of the project; fails unless the answer matches its schema. */
export async function getHealth(on: TestService, key: string, projectId: string, query = ''): Promise<Health> {
  const { status, text, body } = await sendApiRequest(
    on,
    key,
    'GET',
    `/projects/${projectId}/association-health${query}`,
  );
  expect([status, text]).toEqual([200, text]);
  return (body as { data: Health }).data;
}

/** Formats each problem as `severity code platform host`, in the order of the answer. */
export const formatProblems = ({ problems }: Health): string[] =>
  problems.map(({ severity, code, platform, host }) =>
    [severity, code, platform, host].filter((part) => part !== null).join(' '),
  );
