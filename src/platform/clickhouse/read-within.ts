/** Limits the time of the body too. The client listens to the signal until the head of the answer has come. */
export async function readWithin<T>(
  answer: { close(): void },
  signal: AbortSignal,
  read: () => Promise<T>,
): Promise<T> {
  let onAbort = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => {
      answer.close();
      reject(signal.reason as Error);
    };
  });
  signal.addEventListener('abort', onAbort);
  try {
    if (signal.aborted) onAbort();
    return await Promise.race([aborted, read()]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
