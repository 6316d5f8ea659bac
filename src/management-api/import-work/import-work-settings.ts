import type { ThreadProgram } from '../../platform/threads/worker-thread';

/** Configures where imports work. */
export class ImportWorkSettings {
  /** Undefined if they work in the thread of the requests. */
  readonly thread: ThreadProgram | undefined;
}
