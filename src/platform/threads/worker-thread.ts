import { Worker } from 'node:worker_threads';
import type { Log } from '../observability/log';
import { fromSentError } from './sent-error';
import type { FromThread, ToThread } from './thread-messages';

export interface ThreadProgram {
  /** The path of a file that calls `answerCalls`. */
  file: string;
  /** The `workerData` of the thread. */
  data: unknown;
  /** Limits the heap, in megabytes. A thread that needs more ends, and the process goes on. */
  maxHeapMb: number;
}

interface Call {
  chunks: AsyncIterator<Uint8Array, undefined> | null;
  /** Why the bytes have ended too early. */
  fault?: { error: unknown };
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

/** The time without calls after which a thread ends, because its modules take memory. */
const idleMs = 60_000;

/** The longest wait for a thread that closes its connections. */
const closeTimeoutMs = 5000;

/** The new objects of a thread, in megabytes. Its garbage collection delays no request, so that it may be frequent. */
const maxNewObjectsMb = 12;

/**
 * Calls functions of a program in another thread of this process, so that its work and its garbage collection delay no request.
 * The first call starts the thread. A thread without calls ends after a minute.
 */
export class WorkerThread {
  #worker: Worker | undefined;
  #calls = new Map<number, Call>();
  #lastCall = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(
    private readonly program: ThreadProgram,
    private readonly log: Log,
  ) {}

  /**
   * Calls a function of the program.
   * @param argument is copied
   * @param chunks are read while the function takes them
   * @throws what the function throws, as far as `SentError` keeps it; the error of `chunks` itself; Error if the thread ends
   */
  async call<T>(name: string, argument: unknown, chunks: AsyncIterable<Uint8Array> | null = null): Promise<T> {
    clearTimeout(this.#idle);
    const worker = (this.#worker ??= this.#start());
    const calls = this.#calls;
    const call = ++this.#lastCall;
    const iterator = chunks?.[Symbol.asyncIterator]() ?? null;
    try {
      return await new Promise<T>((resolve, reject) => {
        calls.set(call, { chunks: iterator, resolve: resolve as (result: unknown) => void, reject });
        send(worker, { kind: 'call', call, name, argument, hasChunks: iterator !== null });
      });
    } finally {
      calls.delete(call);
      if (this.#worker === worker && calls.size === 0) this.#idle = setTimeout(() => void this.close(), idleMs).unref();
      // It may wait for bytes that never arrive.
      void iterator?.return?.().catch(() => {});
    }
  }

  /** Calls a function of the program if its thread runs. */
  async callIfRunning(name: string, argument: unknown): Promise<void> {
    if (this.#worker) await this.call(name, argument);
  }

  /** Ends the thread. A later call starts another one. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const worker = this.#worker;
    if (!worker) return;
    this.#worker = undefined;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    send(worker, { kind: 'close' });
    const timer = setTimeout(() => void worker.terminate(), closeTimeoutMs);
    await ended;
    clearTimeout(timer);
  }

  #start(): Worker {
    const { file, data, maxHeapMb } = this.program;
    const worker = new Worker(file, {
      workerData: data,
      resourceLimits: { maxOldGenerationSizeMb: maxHeapMb, maxYoungGenerationSizeMb: maxNewObjectsMb },
    });
    // Calls of a thread that has ended must not count for the next one.
    const calls = (this.#calls = new Map<number, Call>());
    let fault: Error | undefined = undefined;
    worker.on('message', (message: FromThread) => {
      if (message.kind === 'unusable') fault = fromSentError(message.error);
      else void this.#receive(worker, calls, message);
    });
    worker.on('error', (error) => {
      fault = error;
      this.log.error(`a thread has ended: ${error.message}`);
    });
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined;
      for (const { reject } of calls.values()) reject(fault ?? new Error('The thread has ended'));
    });
    return worker;
  }

  async #receive(
    worker: Worker,
    calls: Map<number, Call>,
    message: Exclude<FromThread, { kind: 'unusable' }>,
  ): Promise<void> {
    const call = calls.get(message.call);
    if (!call) return;
    if (message.kind === 'done') call.resolve(message.result);
    else if (message.kind === 'failed') call.reject(call.fault ? call.fault.error : fromSentError(message.error));
    else
      try {
        const next: IteratorResult<Uint8Array, undefined> = await call.chunks!.next();
        sendChunk(worker, message.call, next.done ? null : next.value);
      } catch (error) {
        call.fault = { error };
        send(worker, { kind: 'broken', call: message.call });
      }
  }
}

const send = (worker: Worker, message: ToThread): void => worker.postMessage(message);

/** Sends a copy, because bytes of a connection may share their memory with others. */
function sendChunk(worker: Worker, call: number, chunk: Uint8Array | null): void {
  const bytes = chunk && new Uint8Array(chunk);
  worker.postMessage({ kind: 'chunk', call, bytes } satisfies ToThread, bytes ? [bytes.buffer] : []);
}
