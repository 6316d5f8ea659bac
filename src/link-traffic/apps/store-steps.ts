import { createHash } from 'node:crypto';
import { unknownFacts } from '../../clicks/app-events/app-event';
import { NotFound } from '../../shared/domain-error';
import { oneOf } from '../../shared/rule';
import type { AppEventRecorder } from '../recording/app-event-recorder';
import { type AppOperation, type FindProject, readFields } from './app-requests';
import type { ClickReader } from '../recording/click-reader';
import { deferredToken } from '../deferred-links/deferred-link';
import type { DeferredLinksService } from '../deferred-links/deferred-links.service';

export const stepPath = 'deferred-links/step';

const fields = { token: deferredToken, step: oneOf(['copied', 'store']) };

/**
 * Answers `POST /deferred-links/step`: a page states that the visitor copied its token, or opened the store. The token proves that the
 * page was shown, and each step of it counts once.
 */
export class StoreSteps implements AppOperation {
  readonly name = 'step';

  /** @param recorder null if visits are not recorded */
  constructor(
    private readonly deferredLinks: Pick<DeferredLinksService, 'find'>,
    private readonly clickReader: Pick<ClickReader, 'now'>,
    private readonly recorder: AppEventRecorder | null,
  ) {}

  /** @throws NotFound if the token cannot be claimed */
  async answer(body: unknown, findProject: FindProject) {
    const { token, step } = readFields(body, fields);
    const project = await findProject();
    const visit = project && (await this.deferredLinks.find(project.id, token));
    if (!visit?.isValid) throw new NotFound('Deferred link');
    const { dynamicLinkId, platform, browser } = visit;
    await this.recorder?.record({
      ...unknownFacts,
      event: step,
      digest: createHash('sha256').update(`${token} ${step}`).digest(),
      projectId: project!.id,
      dynamicLinkId,
      at: this.clickReader.now(),
      platform,
      browser,
    });
    return { counted: this.recorder !== null };
  }
}
