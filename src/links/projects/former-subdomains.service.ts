import { Injectable } from '@nestjs/common';
import { NotFound } from '../../shared/domain-error';
import type { Page } from '../../shared/page';
import { type Acknowledgement, noAcknowledgement } from '../../link-paths/release-guard/release-acknowledgement';
import { ReleaseGuard } from '../../link-paths/release-guard/release-guard';
import type { Project } from './project';
import { subdomainRule } from './subdomain';
import { type FormerSubdomain, PgSubdomainRepository } from './pg-subdomain.repository';

/** Implements the use cases of subdomains that projects had before. */
@Injectable()
export class FormerSubdomainsService {
  constructor(
    private readonly subdomains: PgSubdomainRepository,
    private readonly releaseGuard: ReleaseGuard,
  ) {}

  list(project: Project, request: { page: number; limit: number }): Promise<Page<FormerSubdomain>> {
    return this.subdomains.listFormer(project.id, request);
  }

  /**
   * Releases a former subdomain. The project stops answering on it, and every account can take it.
   * @param text the text in the path
   * @throws NotFound if it is no former subdomain of the project
   * @throws BreaksReleasedApp
   */
  async release(project: Project, text: string, acknowledgement: Acknowledgement = noAcknowledgement): Promise<void> {
    const name = subdomainRule.tryParse(text);
    await this.releaseGuard.run(project.id, acknowledgement, async () => {
      if (name === null || !(await this.subdomains.releaseFormer(project.id, name)))
        throw new NotFound('Former subdomain');
    });
  }
}
