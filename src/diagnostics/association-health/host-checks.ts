import { hostname } from '../../management-api/custom-domains/hostname';
import { type HealthCode, type HealthProblem, healthProblem } from './health-problem';
import type { ProjectHost } from './project-host';

/** A host of a project, with where its URLs begin. */
export type CheckedHost = ProjectHost & {
  /** As in `Host`. */
  host: string;
  /** Such as `https://summer.go.example.com`. */
  origin: string;
};

/**
 * What can be told of hosts without asking them. Apple and Google fetch the files over HTTPS alone, and an app names hosts
 * without ports (Apple, "Associated Domains Entitlement": `<service>:<fully qualified domain>`; Google, "Creating a statement
 * list").
 */
export function hostProblems({ host, origin, answers, recordMissingSince }: CheckedHost): HealthProblem[] {
  const url = new URL(origin);
  const found = (code: HealthCode, message: string) => healthProblem(code, message, { host });
  return [
    ...(url.protocol === 'https:'
      ? []
      : [found('not_https', `Links on ${host} are http: phones fetch no file there.`)]),
    ...(url.port === '' || url.protocol !== 'https:'
      ? []
      : [found('port_not_443', `Links on ${host} have a port, which no app can name.`)]),
    ...(hostname.tryParse(url.hostname) === null
      ? [found('host_not_public', `${host} is no host of the public internet.`)]
      : []),
    ...(answers ? [] : [found('domain_not_verified', `${host} is not verified: the project does not answer there.`)]),
    ...(recordMissingSince
      ? [
          found(
            'domain_record_missing',
            `The TXT record of ${host} is missing since ${recordMissingSince.toISOString()}: the domain will be lost.`,
          ),
        ]
      : []),
  ];
}
