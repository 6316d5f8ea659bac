import type { IncomingMessage } from 'node:http';
import type { ClickRecorder } from '../../clicks/recording/click-recorder';
import type { Visitor } from '../../link-routing/visitor/visitor';
import type { BackgroundWriter } from '../recording/background-writer';
import type { ClickReader } from '../recording/click-reader';
import type { VariantClicks } from '../recording/variant-clicks';
import type { Visit } from './visit';

/** Counts visits: clicks, clicks on variants, and visits after the end of a link. Counts nothing without a recorder of clicks. */
export class VisitClicks {
  constructor(
    private readonly reader: ClickReader,
    private readonly clicks: Pick<ClickRecorder, 'record'> | null,
    private readonly variants: Pick<VariantClicks, 'record'> | null,
    private readonly ended: Pick<BackgroundWriter<string>, 'add' | 'isFull'>,
  ) {}

  record(visit: Visit, visitor: Visitor, via: string | null, request: IncomingMessage, variant: string | null): void {
    if (!this.clicks) return;
    const click = this.reader.read(visit, visitor, via, request);
    if (!click) return;
    this.clicks.record(click);
    if (variant === null || visitor.robot) return;
    const { projectId, at } = click;
    this.variants?.record({ projectId, dynamicLinkId: visit.link.id, platform: visitor.platform, variant, at });
  }

  /** Returns whether `record` would count the visit. */
  counts(visit: Visit, visitor: Visitor, via: string | null, request: IncomingMessage): boolean {
    return this.clicks !== null && this.reader.read(visit, visitor, via, request) !== null;
  }

  /** @param visitor null for the form of a page, which the visitor got before the end */
  recordEnded({ link }: Visit, visitor: Visitor | null, request: IncomingMessage): void {
    const isPerson = visitor === null || (request.method === 'GET' && !visitor.robot);
    if (isPerson && this.clicks && !this.ended.isFull) this.ended.add(link.id);
  }

  /** Notes that a page offers the way out of an in-app browser, so that the visit in the other browser does not count. */
  offerEscape(visit: Visit, request: IncomingMessage): void {
    if (this.clicks) this.reader.offerEscape(visit, request);
  }
}
