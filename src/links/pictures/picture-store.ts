/** Stores the bytes of pictures by their ids, each written once. */
export abstract class PictureStore {
  abstract write(id: string, bytes: Buffer): Promise<void>;
  /** Returns null if the store does not have it. */
  abstract read(id: string): Promise<Buffer | null>;
  /** Does nothing if the store does not have it. */
  abstract remove(id: string): Promise<void>;
}
