import type { LoggerService } from '@nestjs/common';
import { type DestinationStream, type Logger, pino } from 'pino';

/** The process's log: a JSON object a line on standard output. */
export class Log implements LoggerService {
  readonly logger: Logger;

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

  // What Nest itself has to say: its start-up chatter is for debugging.
  log(message: unknown, context?: string): void {
    this.logger.debug({ context }, String(message));
  }

  warn(message: unknown, context?: string): void {
    this.logger.warn({ context }, String(message));
  }

  error(message: unknown, stack?: string, context?: string): void {
    this.logger.error({ context, stack }, String(message));
  }
}

/**
 * No line of ours has a key or a token in it; this holds it for lines that quote what somebody sent, such as a path, or what a
 * library says. A token begins as the JSON object does that its header is.
 */
const withoutSecrets = (line: string): string =>
  line.includes('svc_live_') || line.includes('eyJ')
    ? line
        .replace(/svc_live_[0-9A-Za-z]+/g, 'svc_live_[redacted]')
        .replace(/eyJ[\w-]{10,}\.[\w-]+(?:\.[\w-]*)?/g, '[redacted token]')
    : line;

/** Standard output, written in blocks: a system call a line would be a tenth of what a request costs. */
function bufferedOutput(): DestinationStream {
  const output = pino.destination({ sync: false, minLength: 4096 });
  setInterval(() => output.flush(), 250).unref();
  return output;
}
