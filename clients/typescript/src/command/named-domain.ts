import type { components, CustomDomain } from '../index.js';
import { allItems } from './all-pages.js';
import type { Connection } from './connection.js';
import type { Context } from './context.js';
import { UsageFailure } from './failures.js';

export type CheckedDomain = components['schemas']['DomainRecords'];

/** Finds a custom domain of the project by its host name. @throws UsageFailure if it has no such domain */
export async function readNamedDomain(service: Connection, hostname: string): Promise<CustomDomain> {
  const name = hostname.toLowerCase();
  const read = (query: { page: number; limit: number }) => {
    const params = { path: service.path, query };
    return service.send(() => service.client.GET('/projects/{projectId}/custom-domains', { params }));
  };
  for await (const domain of allItems(read)) if (domain.hostname === name) return domain;
  throw new UsageFailure(`The project has no custom domain ${JSON.stringify(hostname)}.`);
}

/** Compares the records with the DNS, and visits the domain if it is verified. */
export async function checkDomain(service: Connection, { id }: CustomDomain): Promise<CheckedDomain> {
  const params = { path: { ...service.path, domainId: id }, query: { probe: true } };
  const route = '/projects/{projectId}/custom-domains/{domainId}/records';
  return (await service.send(() => service.client.GET(route, { params }))).data;
}

/** Prints the records, and a warning if visitors do not reach the project. */
export function printRecords(context: Context, { hostname }: CustomDomain, { records, visit }: CheckedDomain): void {
  const heads = ['TYPE', 'NAME', 'VALUE', 'IN THE DNS', 'STATE'];
  context.printTable(
    heads,
    records.map(({ type, name, value, found, state }) => [type, name, value, found.join(', ') || null, state]),
  );
  const [address] = records.filter(({ addresses }) => addresses.length > 0);
  if (address)
    context.note(`At the top of a zone, add A or AAAA records instead of CNAME: ${address.addresses.join(', ')}`);
  context.note(warningOf(hostname, visit) ?? `${hostname} answers with this project.`);
}

/** Returns why visitors may not reach the project on the domain; null if they do. */
export function warningOf(hostname: string, visit: CheckedDomain['visit']): string | null {
  if (!visit) return `Warning: ${hostname} is not verified, so it was not visited.`;
  return visit.answer === 'ok' ? null : `Warning: ${visit.message}.`;
}
