/** Limits of a bulk request. The body has 2,000,000 bytes at most, with the names around the operations. */
export const bulkLimits = { operations: 1000, bytes: 1_990_000 };

export interface Sized<Item> {
  item: Item;
  /** Operations of the item; 1 by default. */
  operations?: number;
  /** Bytes as JSON. */
  bytes: number;
}

export const sized = <Item>(item: Item): Sized<Item> => ({
  item,
  bytes: Buffer.byteLength(JSON.stringify(item)) + 1,
});

/** Groups operations, in their order, into requests. The operations of an item stay together. One that is too large alone gets a request, which the service refuses. */
export async function* batchesOf<Item>(
  items: AsyncIterable<Sized<Item>> | Iterable<Sized<Item>>,
  limits = bulkLimits,
): AsyncGenerator<Item[]> {
  let batch: Item[] = [];
  let operations = 0;
  let bytes = 0;
  for await (const { item, operations: moreOperations = 1, bytes: moreBytes } of items) {
    const isFull = operations + moreOperations > limits.operations || bytes + moreBytes > limits.bytes;
    if (batch.length > 0 && isFull) {
      yield batch;
      batch = [];
      operations = 0;
      bytes = 0;
    }
    batch.push(item);
    operations += moreOperations;
    bytes += moreBytes;
  }
  if (batch.length > 0) yield batch;
}
