import type { ThrottlerStorage } from '@nestjs/throttler';
import type { LevelWithSilent } from 'pino';
import type { ClickRecorder } from '../clicks/recording/click-recorder';
import type { LinkHosts } from '../link-paths/paths/link-hosts';
import type { BrowserEscapes } from '../link-routing/escapes/escape-choice';
import type { PictureStoreSettings } from '../links/pictures/picture-store';
import type { ChangeListener } from '../platform/change-notifications/change-listener';
import type { Log } from '../platform/observability/log';
import type { Metrics } from '../platform/observability/metrics';
import type { Tracing } from '../platform/observability/tracing.otel';
import type { AdaptivePool } from '../platform/postgres/adaptive-pool';
import type { DatabaseSettings } from '../platform/postgres/database-settings';
import type { PoolFactory } from '../platform/postgres/pool-factory';
import type { RateLimitSettings } from '../platform/rate-limit/rate-limit';
import type { Clock } from '../shared/clock';

export class LinkTrafficSettings {
  readonly linkCacheBytes: number;
  /** Addresses and CIDR ranges of proxies whose `X-Forwarded-For` and country header are trusted. */
  readonly trustedProxies: string[];
  /** In lower case. */
  readonly countryHeader: string | undefined;
  /** Path of a file in MaxMind's DB format. */
  readonly countryDatabase: string | undefined;
  /** Path of a file that replaces the built-in ways out of in-app browsers. */
  readonly browserEscapesFile: string | undefined;
  readonly visitLogLevel: LevelWithSilent;
  readonly tracing: Tracing | undefined;
}

export interface LinkTrafficDependencies {
  settings: LinkTrafficSettings;
  database: Pick<DatabaseSettings, 'poolSize'>;
  /** Limits claims of deferred links, and opens, per network. */
  rateLimit: Pick<RateLimitSettings, 'perMinute'>;
  pictures: PictureStoreSettings;
  hosts: LinkHosts;
  pools: PoolFactory;
  changeListener: ChangeListener;
  /** Null if visits are not recorded. */
  clicks: ClickRecorder | null;
  rateLimits: ThrottlerStorage;
  clock: Clock;
  log: Log;
  metrics: Metrics | null;
  /** The ways out of in-app browsers, which link traffic keeps up to date for the diagnostics too. */
  escapes: BrowserEscapes;
  /** Undefined in a process on the database of the primary. */
  region?: { code: number; primary: AdaptivePool };
}
