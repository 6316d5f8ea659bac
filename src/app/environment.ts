import type { Log } from '../platform/observability/log';
import type { Tracing } from '../platform/observability/tracing.otel';
import type { ImportProcesses } from '../imports/model/import-processes';
import type { Clock } from '../shared/clock';
import type { Config } from './settings/config';

export interface Environment {
  config: Config;
  database: { url: string; directUrl: string };
  log: Log;
  clock?: Clock | undefined;
  /** The processes of imports that this process starts; absent if it starts none. */
  importProcesses?: ImportProcesses | undefined;
  /** Whether another process of the service has started this one, for its imports. */
  isChild?: boolean | undefined;
  tracing?: Tracing | undefined;
}
