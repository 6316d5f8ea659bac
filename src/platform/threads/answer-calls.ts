import type { MessagePort } from 'node:worker_threads';
import { toSentError } from './sent-error';
import type { FromThread, ToThread } from './thread-messages';

/** The functions of a thread, by name. `chunks` has no bytes unless the caller sends some. */
export type ThreadFunctions = Record<string, (argument: never, chunks: AsyncIterable<Buffer>) => unknown>;

/** A wait for the bytes of a call. */
interface Taker {
  resolve: (bytes: Uint8Array | null) => void;
  reject: (error: Error) => void;
}

/** Ends the bytes of a call. The caller knows the reason, and gets no other error. */
class BrokenChunks extends Error {}

/**
 * Answers the calls of a `WorkerThread`.
 * @param close is awaited before the thread ends
 */
export function answerCalls(port: MessagePort, functions: ThreadFunctions, close: () => Promise<void>): void {
  const takers = new Map<number, Taker>();
  const send = (message: FromThread): void => port.postMessage(message);

  async function* chunksOf(call: number): AsyncGenerator<Buffer> {
    for (;;) {
      const bytes = await new Promise<Uint8Array | null>((resolve, reject) => {
        takers.set(call, { resolve, reject });
        send({ kind: 'wanted', call });
      }).finally(() => takers.delete(call));
      if (bytes === null) return;
      yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    }
  }

  const answer = async ({ call, name, argument, hasChunks }: Extract<ToThread, { kind: 'call' }>): Promise<void> => {
    try {
      const result = await functions[name]!(argument as never, hasChunks ? chunksOf(call) : noChunks());
      send({ kind: 'done', call, result });
    } catch (error) {
      send({ kind: 'failed', call, error: toSentError(error) });
    }
  };

  port.on('message', (message: ToThread) => {
    switch (message.kind) {
      case 'call':
        return void answer(message);
      case 'chunk':
        return takers.get(message.call)?.resolve(message.bytes);
      case 'broken':
        return takers.get(message.call)?.reject(new BrokenChunks());
      case 'close':
        return void close().finally(() => port.close());
    }
  });
}

async function* noChunks(): AsyncGenerator<Buffer> {}
