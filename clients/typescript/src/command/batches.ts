/** Limits of a bulk request. The body has 2,000,000 bytes at most, with the names around the operations. */
export const bulkLimits = { operations: 1000, bytes: 1_990_000 };

export interface Sized<Item> {
  item: Item;
  /** Bytes as JSON. */
  bytes: number;
}

export const sized = <Item>(item: Item): Sized<Item> => ({
  item,
  bytes: Buffer.byteLength(JSON.stringify(item)) + 1,
});

/** Groups operations, in their order, into requests. An operation that is too large alone gets a request, which the service refuses. */
export async function* batchesOf<Item>(
  items: AsyncIterable<Sized<Item>> | Iterable<Sized<Item>>,
  limits = bulkLimits,
): AsyncGenerator<Item[]> {
  let batch: Item[] = [];
  let bytes = 0;
  for await (const { item, bytes: more } of items) {
    if (batch.length > 0 && (batch.length >= limits.operations || bytes + more > limits.bytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(item);
    bytes += more;
  }
  if (batch.length > 0) yield batch;
}
