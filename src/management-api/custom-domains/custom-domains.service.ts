import { Injectable } from '@nestjs/common';
import { LimitReached } from '../accounts/account.errors';
import type { Plan } from '../accounts/plan';
import { LinkHosts } from '../link-paths/link-hosts';
import type { Project } from '../projects/project';
import { Clock } from '../../shared/clock';
import { NotFound } from '../../shared/domain-error';
import { updateIfUnchanged, type Precondition } from '../../shared/precondition';
import { newId } from '../../shared/id';
import type { Page } from '../../shared/page';
import { InvalidInput } from '../../shared/problem';
import { UnitOfWork } from '../../shared/unit-of-work';
import { type CustomDomain, newChallenge, recordOf } from './custom-domain';
import { DomainNotVerified } from './custom-domain.errors';
import { CustomDomainRepository } from './custom-domain.repository';
import { DomainRecords } from './domain-records';
import { DomainSettings } from './domain-settings';
import type { Hostname } from './hostname';

@Injectable()
export class CustomDomainsService {
  constructor(
    private readonly domains: CustomDomainRepository,
    private readonly records: DomainRecords,
    private readonly hosts: LinkHosts,
    private readonly settings: DomainSettings,
    private readonly clock: Clock,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  list(project: Project, request: { page: number; limit: number }): Promise<Page<CustomDomain>> {
    return this.domains.list(project.id, request);
  }

  /**
   * Claims a host name, whoever else claims it or has it: only a proof decides, so that a claim keeps nobody from what is theirs.
   * @throws InvalidInput for a host of the service's own
   * @throws NotFound, LimitReached, DomainExists
   */
  async add(project: Project, plan: Plan, hostname: Hostname): Promise<CustomDomain> {
    if (this.hosts.isOwn(hostname))
      throw InvalidInput.because([
        { code: 'invalid_format', path: ['hostname'], message: 'hostname must not be a host of this service' },
      ]);
    return this.unitOfWork.run(async () => {
      await this.domains.lockProject(project.id);
      const [limit, used] = [this.settings.perProject, await this.domains.count(project.id)];
      if (used >= limit) throw new LimitReached('custom domains in a project', { limit, used, plan });
      return this.domains.insert({ id: newId(), projectId: project.id, hostname, challenge: newChallenge() });
    });
  }

  /** @throws NotFound */
  async get(project: Project, id: string): Promise<CustomDomain> {
    return found(await this.domains.find(project.id, id));
  }

  /**
   * Looks for the record. A domain that was proved before stays as it is when the record is not found: for that, the checks give
   * it time.
   * @throws NotFound, DomainNotVerified, DomainTaken
   */
  async verify(project: Project, id: string): Promise<CustomDomain> {
    const domain = await this.get(project, id);
    const record = recordOf(domain);
    const texts = await this.records.textsOf(record.name);
    if (!texts?.includes(record.value)) throw DomainNotVerified.because(record, texts);
    const now = this.clock.now();
    return found(
      await this.domains.prove(domain, {
        now: new Date(now),
        nextCheckAt: new Date(now + this.settings.recheckInterval),
        missingBefore: new Date(now - this.settings.grace),
        heldSince: new Date(now - this.settings.holdTime),
        texts,
      }),
    );
  }

  /**
   * Of an active domain the project's URLs are on it from now on, and on no other custom domain. Null leaves it as it is.
   * @throws NotFound, DomainNotVerified, and what `expected` throws
   */
  setActive(
    project: Project,
    id: string,
    active: boolean | null,
    precondition?: Precondition<CustomDomain>,
  ): Promise<CustomDomain> {
    return this.change(project, id, precondition, () => {
      if (active === null) return this.get(project, id);
      return this.unitOfWork.run(async () => {
        await this.domains.lockProject(project.id);
        return found(await this.domains.setActive(project.id, id, active));
      });
    });
  }

  /**
   * The project no longer answers there; with an active one its URLs go back to the subdomain.
   * @throws NotFound, and what `expected` throws
   */
  remove(project: Project, id: string, precondition?: Precondition<CustomDomain>): Promise<void> {
    return this.change(project, id, precondition, async () => {
      if (!(await this.domains.delete(project.id, id))) throw new NotFound('Custom domain');
    });
  }

  private change<R>(
    project: Project,
    id: string,
    precondition: Precondition<CustomDomain> | undefined,
    change: () => Promise<R>,
  ): Promise<R> {
    const find = async () => {
      // The project first, in the order of whoever makes a domain active or deletes the project.
      await this.domains.lockProject(project.id);
      return found(await this.domains.findForUpdate(project.id, id));
    };
    return updateIfUnchanged(this.unitOfWork, precondition, find, change);
  }
}

function found(domain: CustomDomain | null): CustomDomain {
  if (!domain) throw new NotFound('Custom domain');
  return domain;
}
