/** Calls `run` for all items, `width` at a time. Returns the results in order. */
export async function inParallel<T, R>(items: T[], run: (item: T, at: number) => Promise<R>, width = 8): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const worker = async (): Promise<void> => {
    for (const [at, item] of queue) results[at] = await run(item, at);
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
}
