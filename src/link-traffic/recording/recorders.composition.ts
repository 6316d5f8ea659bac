import { PgAppEventRepository } from '../../clicks/app-events/pg-app-event.repository';
import { PgClickIdRepository } from '../../clicks/conversions/pg-click-id.repository';
import { type BrowserEscapes, droppedEscapes } from '../../link-routing/escapes/escape-choice';
import type { Log } from '../../platform/observability/log';
import type { Metrics } from '../../platform/observability/metrics';
import type { AdaptivePool } from '../../platform/postgres/adaptive-pool';
import type { Clock } from '../../shared/clock';
import { AppEventRecorder } from './app-event-recorder';
import { ClickIds } from './click-ids';
import { EscapeCounter } from './escape-counter';
import { PgEscapeCountsRepository } from './pg-escape-counts.repository';
import { VariantClicks } from './variant-clicks';

/** Builds what records beside clicks: click ids, clicks on variants, events of apps, and ways out of in-app browsers. */
export class Recorders {
  readonly clickIds: ClickIds;
  readonly variantClicks: VariantClicks;
  readonly opens: AppEventRecorder;
  readonly escapes: EscapeCounter;

  constructor(writes: AdaptivePool, escapes: BrowserEscapes, clock: Pick<Clock, 'now'>, log: Pick<Log, 'warn'>) {
    const warning = (text: string) => (error: unknown) => log.warn(`${text}: ${(error as Error).message}`);
    this.clickIds = new ClickIds(
      new PgClickIdRepository(writes),
      () => clock.now(),
      warning('click ids are not written yet'),
    );
    // In a region, the functions of the statements keep events for the primary.
    const events = new PgAppEventRepository(writes);
    this.variantClicks = new VariantClicks(events, warning('clicks on variants are not written yet'));
    this.opens = new AppEventRecorder(events, warning('opens of apps are not written yet'));
    const counts = new PgEscapeCountsRepository(writes);
    this.escapes = new EscapeCounter(escapes, counts, warning('ways out of in-app browsers are not counted yet'));
  }

  start(): Promise<void> {
    return this.escapes.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.opens.stop(), this.clickIds.stop(), this.variantClicks.stop(), this.escapes.stop()]);
  }
}

/** @param recorders null if visits are not recorded, so that all counts are 0 */
export function watchRecorders(metrics: Metrics, recorders: Recorders | null, escapes: BrowserEscapes): void {
  const opens = (count: 'received' | 'recorded' | 'waiting' | 'dropped') => () => recorders?.opens.counts[count] ?? 0;
  const clickIds = (count: 'issued' | 'waiting' | 'dropped') => () => recorders?.clickIds.counts[count] ?? 0;
  const variants = (count: 'recorded' | 'waiting' | 'dropped') => () => recorders?.variantClicks.counts[count] ?? 0;
  const ways = (count: 'offers' | 'arrivals') => () =>
    (recorders?.escapes.totals ?? []).map(
      ({ labels, ...counts }) => [labels, counts[count]] as [typeof labels, number],
    );
  metrics.watch({
    signpost_opens_received_total: opens('received'),
    signpost_opens_recorded_total: opens('recorded'),
    signpost_opens_waiting: opens('waiting'),
    signpost_opens_dropped_total: opens('dropped'),
    signpost_click_ids_issued_total: clickIds('issued'),
    signpost_click_ids_waiting: clickIds('waiting'),
    signpost_click_ids_dropped_total: clickIds('dropped'),
    signpost_variant_clicks_recorded_total: variants('recorded'),
    signpost_variant_clicks_waiting: variants('waiting'),
    signpost_variant_clicks_dropped_total: variants('dropped'),
    signpost_browser_escapes_offered_total: ways('offers'),
    signpost_browser_escapes_arrived_total: ways('arrivals'),
    signpost_browser_escapes_dropped: () =>
      droppedEscapes(escapes).map(({ app, platform, way }) => [{ app, platform, way }, 1]),
  });
}
