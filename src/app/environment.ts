import type { Log } from '../platform/observability/log';
import type { Tracing } from '../platform/observability/tracing.otel';
import type { ThreadProgram } from '../platform/threads/worker-thread';
import type { Clock } from '../shared/clock';
import type { Config } from './config';

/** Everything that the application is built from. */
export interface Environment {
  config: Config;
  database: { url: string; directUrl: string };
  log: Log;
  clock?: Clock | undefined;
  /** The program that imports work in; absent if they work in the thread of the requests. */
  importThread?: ThreadProgram | undefined;
  tracing?: Tracing | undefined;
}
