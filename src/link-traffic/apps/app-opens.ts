import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { unknownFacts } from '../../clicks/app-events/app-event';
import { clickIdOf } from '../../clicks/conversions/click-id';
import { countsConversions } from '../../link-routing/answers/destination';
import { openAnswer } from '../../link-routing/answers/open-answer';
import { chosenVariant } from '../../link-routing/visited-link/variants';
import { preferredLanguageOf } from '../../link-routing/visitor/preferred-language';
import { readVisitorQuery } from '../../link-routing/visited-link/visitor-query';
import type { LinkHosts } from '../../link-paths/paths/link-hosts';
import { NotFound } from '../../shared/domain-error';
import { type AppOperation, drawnId, type FindProject, readFields } from './app-requests';
import type { AppEventRecorder } from '../recording/app-event-recorder';
import { appObject, type AppUrls, readApp, openedUrl } from './app-urls';
import type { ClickIds } from '../recording/click-ids';
import type { ClickReader } from '../recording/click-reader';
import type { HashOfVisitor } from '../resolving/visitor-keys';

export const openPath = 'links/open';

const fields = {
  url: openedUrl,
  app: appObject,
  open_id: drawnId,
};

/** Answers `POST /links/open`: the app sends the URL that the system gave it, and gets the link. */
export class AppOpens implements AppOperation {
  readonly name = 'open';

  /** @param recorder null if visits are not recorded */
  constructor(
    private readonly urls: AppUrls,
    private readonly hosts: LinkHosts,
    private readonly clickReader: Pick<ClickReader, 'now' | 'countryOf' | 'proxiedAddressOf'>,
    private readonly recorder: AppEventRecorder | null,
    private readonly clickIds: ClickIds | null,
    private readonly hashOf: HashOfVisitor,
  ) {}

  /** @throws InvalidInput, ForbiddenField, DatabaseUnavailable; NotFound if the URL is not that of an enabled link of the host's project */
  async answer(body: unknown, findProject: FindProject, request: IncomingMessage) {
    const { url, app, open_id: id } = readFields(body, fields);
    const { platform, version } = readApp(app);
    const resolved = await this.urls.find(url, findProject);
    if (!resolved) throw notFound();
    const { project, link, query } = resolved;
    const { visitorQuery, via } = readVisitorQuery(query);
    const at = this.clickReader.now();
    const country = this.clickReader.countryOf(request);
    const isCounted = this.clickIds !== null && countsConversions(project, link);
    // An app that opens several links with one id gets an id for each.
    const clickId = isCounted ? clickIdOf(`${project.id} ${link.id} ${id}`) : null;
    const data = openAnswer(
      this.hosts,
      project,
      link,
      {
        system: { platform, version: null },
        browser: null,
        country,
        language: preferredLanguageOf(request.headers['accept-language']),
        at,
        query: visitorQuery,
        referringHost: null,
        address: this.clickReader.proxiedAddressOf(request),
        qr: via === 'qr',
        appVersion: version,
      },
      clickId,
      (variants) => chosenVariant(variants, this.hashOf(link.id, request)),
    );
    if (!data) throw notFound();
    if (clickId !== null) this.clickIds?.issue(project.id, link, platform, data.variant, clickId);
    await this.recorder?.record({
      ...unknownFacts,
      event: 'open',
      digest: createHash('sha256').update(`${project.id} ${id}`).digest(),
      projectId: project.id,
      dynamicLinkId: link.id,
      at,
      platform,
      version,
      country: country ?? '',
      variant: data.variant ?? '',
    });
    return data;
  }
}

const notFound = () => new NotFound('Link');
