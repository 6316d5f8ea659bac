import { createHash } from 'node:crypto';
import { type AppEvent, launchOutcomes, unknownFacts } from '../../clicks/app-events/app-event';
import { NotFound } from '../../shared/domain-error';
import { nilId } from '../../shared/id';
import { oneOf } from '../../shared/rule';
import type { AppEventRecorder } from '../recording/app-event-recorder';
import { type AppOperation, drawnId, type FindProject, readFields } from './app-requests';
import { appObject, type AppUrls, readApp, openedUrl } from './app-urls';
import type { ClickReader } from '../recording/click-reader';
import { deferredToken } from '../deferred-links/deferred-link';
import type { DeferredLinksService } from '../deferred-links/deferred-links.service';

export const firstLaunchPath = 'links/first-launch';

export const firstLaunchFields = {
  /** Drawn for the installation, and forgotten after its outcome. */
  launch_id: drawnId,
  app: appObject,
  outcome: oneOf(launchOutcomes),
  token: deferredToken,
  url: openedUrl,
};

/** Answers `POST /links/first-launch`: an app states that it was opened first, and what became of its deferred link. */
export class FirstLaunches implements AppOperation {
  readonly name = 'first-launch';

  /** @param recorder null if visits are not recorded */
  constructor(
    private readonly deferredLinks: Pick<DeferredLinksService, 'find'>,
    private readonly urls: AppUrls,
    private readonly clickReader: Pick<ClickReader, 'now'>,
    private readonly recorder: AppEventRecorder | null,
  ) {}

  /** @throws InvalidInput, ForbiddenField, DatabaseUnavailable; NotFound if no project answers on the host */
  async answer(body: unknown, findProject: FindProject) {
    const {
      launch_id: id,
      app,
      outcome,
      token,
      url,
    } = readFields(body, firstLaunchFields, ['outcome', 'token', 'url']);
    const installed = readApp(app);
    const project = await findProject();
    if (!project) throw new NotFound('Project');
    const record = async (event: AppEvent['event'], dynamicLinkId: string, browser: string) =>
      this.recorder?.record({
        ...unknownFacts,
        ...installed,
        event,
        digest: digestOf(`${project.id} ${id} ${event === 'first_open' ? event : 'outcome'}`),
        projectId: project.id,
        dynamicLinkId,
        at: this.clickReader.now(),
        browser,
      });
    const visit = token === undefined ? null : await this.deferredLinks.find(project.id, token);
    const link = visit || url === undefined ? null : (await this.urls.find(url, findProject))?.link;
    const linkId = visit?.dynamicLinkId ?? link?.id ?? nilId;
    // The link of a first launch is known with its outcome only.
    const opened = record('first_open', nilId, '');
    await Promise.all([opened, outcome && record(outcome, linkId, visit?.browser ?? '')]);
    return { counted: this.recorder !== null };
  }
}

const digestOf = (text: string): Buffer => createHash('sha256').update(text).digest();
