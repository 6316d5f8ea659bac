import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, pino } from 'pino';
import { inSources } from './source-positions';

export class Log implements LoggerService {
  readonly logger: Logger;
  /** Errors that Nest or the start and stop of the process have logged. */
  errors = 0;

  constructor(level: string, destination: DestinationStream = bufferedOutput()) {
    this.logger = pino(
      {
        level,
        base: null,
        timestamp: pino.stdTimeFunctions.isoTime,
        messageKey: 'message',
        formatters: { level: (label) => ({ level: label }) },
      },
      { write: (line) => destination.write(withoutSecrets(line)) },
    );
  }

  log(message: unknown, context?: string): void {
    this.logger.debug({ context }, String(message));
  }

  warn(message: unknown, context?: string): void {
    this.logger.warn({ context }, String(message));
  }

  error(message: unknown, stack?: string, context?: string): void {
    this.errors++;
    this.logger.error({ context, stack: stack && inSources(stack) }, String(message));
  }
}

/**
 * Redacts API keys and tokens that a line quotes from a request or a library. A JWT begins with an encoded `{"`. A match without
 * a dot is kept, so that no search begins again inside of it, which would take quadratic time.
 */
const withoutSecrets = (line: string): string =>
  line.includes('svc_') || line.includes('eyJ')
    ? line
        .replace(/(svc_(?:live|pub)_)[0-9A-Za-z]+/g, '$1[redacted]')
        .replace(/eyJ[\w-]{10,}(\.[\w-]+(?:\.[\w-]*)?)?/g, (text, rest) => (rest ? '[redacted token]' : text))
    : line;

/** In bytes. If the reader of the log stalls for longer, further lines are dropped. */
const maxBufferedLog = 16_000_000;

/**
 * Buffers standard output, because a system call per line would add a tenth to the cost of a request. A reader that stalls or ends
 * blocks neither the service nor its end.
 */
function bufferedOutput(): DestinationStream {
  let isExiting = false;
  process.prependListener('exit', () => (isExiting = true));
  const output = pino.destination({
    sync: false,
    minLength: 4096,
    maxLength: maxBufferedLog,
    // A full pipe is tried again for as long as the process lives.
    retryEAGAIN: () => !isExiting,
  });
  const flushSync = output.flushSync.bind(output);
  output.flushSync = () => {
    try {
      flushSync();
    } catch {
      // The rest of the log has no reader.
    }
  };
  setInterval(() => output.flush(), 250).unref();
  return output;
}
