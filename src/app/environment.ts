import type { Log } from '../platform/observability/log';
import type { Tracing } from '../platform/observability/tracing.otel';
import type { Clock } from '../shared/clock';
import type { Config } from './config';

/** Everything that the application is built from. */
export interface Environment {
  config: Config;
  database: { url: string; directUrl: string };
  log: Log;
  clock?: Clock | undefined;
  tracing?: Tracing | undefined;
}
