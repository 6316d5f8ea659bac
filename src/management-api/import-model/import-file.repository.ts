/** Stores files of imports in chunks. `ImportRepository` removes them with their import. */
export abstract class ImportFileRepository {
  /** Stores a chunk of `chunkBytes`, or the last one. Returns false if it is stored already, so that it can be repeated. */
  abstract addChunk(id: string, number: number, bytes: Buffer): Promise<boolean>;
  /** Adds bytes at the end of the file, which has `fileBytes`. */
  abstract append(id: string, fileBytes: number, bytes: Buffer): Promise<void>;
  /** Returns bytes of the file; fewer at its end. */
  abstract read(id: string, from: number, length: number): Promise<Buffer>;
}

/** Bytes of a chunk, except for the last one of a file. */
export const chunkBytes = 131_072;
