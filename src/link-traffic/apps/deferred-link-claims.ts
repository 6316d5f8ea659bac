import type { IncomingMessage } from 'node:http';
import type { DeferredLinksService } from '../deferred-links/deferred-links.service';
import { asObject } from '../../shared/referrer-params';
import type { LinkPath } from '../../link-paths/paths/custom-path';
import type { LinkHosts } from '../../link-paths/paths/link-hosts';
import { NotFound } from '../../shared/domain-error';
import { text } from '../../shared/text';
import { type AppOperation, drawnId, type FindProject, readFields } from './app-requests';
import type { ClickReader } from '../recording/click-reader';

export const claimPath = 'deferred-links/claim';

const fields = {
  /** From the clipboard, or from the install referrer. */
  token: text({ min: 1, max: 100 }),
  claim_id: drawnId,
};

export class DeferredLinkClaims implements AppOperation {
  readonly name = 'claim';

  constructor(
    private readonly deferredLinks: DeferredLinksService,
    private readonly hosts: LinkHosts,
    private readonly clickReader: Pick<ClickReader, 'countryOf'>,
  ) {}

  /** @throws NotFound if the token is unknown, used, expired or of another project */
  async answer(body: unknown, findProject: FindProject, request: IncomingMessage) {
    const { token, claim_id: id = null } = readFields(body, fields, ['claim_id']);
    const project = await findProject();
    const claim = { country: this.clickReader.countryOf(request), id };
    const claimed = project && (await this.deferredLinks.claim(project.id, token, claim));
    if (!claimed) throw new NotFound('Deferred link');
    const path = claimed.customPath as LinkPath;
    return {
      full_url: this.hosts.urlOf(project, path),
      path,
      referrer_params: claimed.referrerParams.length > 0 ? asObject(claimed.referrerParams) : null,
      external_id: claimed.externalId,
      app_data: claimed.appData === null ? null : (JSON.parse(claimed.appData) as unknown),
      click_id: claimed.clickId,
      clicked_at: claimed.clickedAt.toISOString(),
    };
  }
}
