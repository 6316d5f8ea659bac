import { Injectable } from '@nestjs/common';
import { LimitReached } from '../../tenancy/accounts/account.errors';
import type { Plan } from '../../tenancy/accounts/plan';
import { LinkHosts } from '../../link-paths/paths/link-hosts';
import type { Project } from '../projects/project';
import { ProjectCache } from '../projects/project-cache';
import { type Acknowledgement, noAcknowledgement } from '../../link-paths/release-guard/release-acknowledgement';
import { ReleaseGuard } from '../../link-paths/release-guard/release-guard';
import { NotFound } from '../../shared/domain-error';
import { TooManyProbes } from '../../platform/outbound/probe-limits';
import { ProbeSettings } from '../../platform/outbound/probe-settings';
import { isPublicAddress } from '../../platform/outbound/public-address';
import { requireFound } from '../../shared/require-found';
import { updateIfUnchanged, type Precondition } from '../../shared/precondition';
import type { Page } from '../../shared/page';
import { InvalidInput } from '../../shared/problem';
import { UnitOfWork } from '../../shared/unit-of-work';
import { CustomDomain, type DomainUse } from './custom-domain';
import type { DomainAnswer } from './domain-answer';
import { DomainNotVerified } from './custom-domain.errors';
import { TypeormCustomDomainRepository } from './typeorm-custom-domain.repository';
import { PgDomainCheckRepository } from './pg-domain-check.repository';
import { DomainProbe } from './domain-probe';
import { DomainRecords } from './domain-records';
import { DomainSettings } from './domain-settings';
import type { Hostname } from './hostname';
import { addressCheck, ownershipCheck, type RecordCheck } from './record-check';

/** Also for the first certificate of a domain, which its proxy gets at the first visit. */
const probeTimeoutMs = 8000;

/** Short, because the request has changed the domain before. */
const activationProbeTimeoutMs = 2000;

export interface CheckedRecords {
  domain: CustomDomain;
  records: RecordCheck[];
  /** Null without a probe. */
  answer: DomainAnswer | null;
}

@Injectable()
export class CustomDomainsService {
  constructor(
    private readonly domains: TypeormCustomDomainRepository,
    private readonly checks: PgDomainCheckRepository,
    private readonly projects: ProjectCache,
    private readonly records: DomainRecords,
    private readonly domainProbe: DomainProbe,
    private readonly hosts: LinkHosts,
    private readonly settings: DomainSettings,
    private readonly probes: ProbeSettings,
    private readonly unitOfWork: UnitOfWork,
    private readonly releaseGuard: ReleaseGuard,
  ) {}

  list(project: Project, request: { page: number; limit: number }): Promise<Page<CustomDomain>> {
    return this.domains.list(project.id, request);
  }

  /**
   * Claims a host name, even if another project has claimed or verified it: only verification decides.
   * @throws InvalidInput if the host belongs to this service
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
      if (used >= limit) throw new LimitReached('custom domains per project', { limit, used, plan });
      return this.domains.insert(CustomDomain.claim(project.id, hostname));
    });
  }

  /** @throws NotFound */
  async get(project: Project, id: string): Promise<CustomDomain> {
    return requireFound(await this.domains.find(project.id, id), 'Custom domain');
  }

  /**
   * Looks up the record. A domain that is already verified stays so if the record is missing; the checks have a grace time.
   * @throws NotFound, DomainNotVerified, DomainTaken
   */
  async verify(project: Project, id: string): Promise<CustomDomain> {
    const domain = await this.get(project, id);
    const texts = await this.records.textsOf(domain.record.name);
    if (!domain.isVerifiedBy(texts)) throw DomainNotVerified.because(domain.record, texts);
    return requireFound(await this.checks.markVerified(domain, texts, this.settings), 'Custom domain');
  }

  /**
   * Compares the DNS with the records that the domain needs. The state of the address is `ok` for every host that answers with the
   * project, because proxies have other addresses.
   *
   * @param probe also visits the host, if the domain is verified; others belong to strangers
   * @throws NotFound, TooManyProbes
   */
  async checkRecords(project: Project, id: string, probe: boolean): Promise<CheckedRecords> {
    const domain = await this.get(project, id);
    const { hostname } = domain;
    const host = this.settings.linkTargetHost;
    const [texts, aliases, addresses, targetAddresses, answer] = await Promise.all([
      this.records.textsOf(domain.record.name),
      this.records.aliasesOf(hostname),
      this.records.addressesOf(hostname),
      host === null ? null : this.records.addressesOf(host),
      probe && domain.verifiedAt ? this.domainProbe.probe(project, hostname, probeTimeoutMs) : null,
    ]);
    const target = host === null ? null : { host, addresses: targetAddresses };
    const address = addressCheck(hostname, target, { aliases, addresses });
    if (answer === 'ok') address.state = 'ok';
    // Nobody must prove a domain to look it up, so that internal names of the operator could be read.
    const isInternal = !this.probes.allowPrivateAddresses && !(addresses ?? []).every(isPublicAddress);
    return {
      domain,
      records: [ownershipCheck(domain, texts), isInternal ? { ...address, found: [] } : address],
      answer,
    };
  }

  /** Returns the answer of a domain that links use now. */
  async answerOf(project: Project, { hostname }: CustomDomain): Promise<DomainAnswer> {
    try {
      return await this.domainProbe.probe(project, hostname, activationProbeTimeoutMs);
    } catch (error) {
      if (error instanceof TooManyProbes) return 'not_probed';
      throw error;
    }
  }

  /**
   * Changes what the domain is used for. A project has at most one active domain, and at most one open host.
   * @throws NotFound, DomainNotVerified, InvalidInput, BreaksReleasedApp, and what the precondition throws
   */
  setUse(
    project: Project,
    id: string,
    change: DomainUse,
    precondition?: Precondition<CustomDomain>,
    acknowledgement: Acknowledgement = noAcknowledgement,
  ): Promise<CustomDomain> {
    return this.#change(project, id, precondition, acknowledgement, () => {
      if (change.active === undefined && change.openHost === undefined) return this.get(project, id);
      return this.unitOfWork.run(async () => {
        const domain = await this.#lock(project, id);
        const use = domain.withUse(change);
        if (use.active === domain.active && use.openHost === domain.openHost) return domain;
        if (use.active && !domain.active) await this.domains.endUse(project.id, 'active');
        if (use.openHost && !domain.openHost) await this.domains.endUse(project.id, 'openHost');
        return requireFound(await this.domains.update(project.id, id, use), 'Custom domain');
      });
    });
  }

  /**
   * Removes the domain. If it was active, the project's URLs use the subdomain again.
   * @throws NotFound, BreaksReleasedApp, and what the precondition throws
   */
  remove(
    project: Project,
    id: string,
    precondition?: Precondition<CustomDomain>,
    acknowledgement: Acknowledgement = noAcknowledgement,
  ): Promise<void> {
    return this.#change(project, id, precondition, acknowledgement, async () => {
      if (!(await this.domains.delete(project.id, id))) throw new NotFound('Custom domain');
    });
  }

  #change<R>(
    project: Project,
    id: string,
    precondition: Precondition<CustomDomain> | undefined,
    acknowledgement: Acknowledgement,
    change: () => Promise<R>,
  ): Promise<R> {
    return this.projects.changing(project.id, () =>
      this.releaseGuard.run(project.id, acknowledgement, () =>
        updateIfUnchanged(this.unitOfWork, precondition, () => this.#lock(project, id), change),
      ),
    );
  }

  /** Locks the project before the domain, in the same order as a deletion of the project, so that neither deadlocks. */
  async #lock(project: Project, id: string): Promise<CustomDomain> {
    await this.domains.lockProject(project.id);
    return requireFound(await this.domains.findForUpdate(project.id, id), 'Custom domain');
  }
}
