/** Reads bytes of a file from a position. Returns fewer at its end. */
export type ReadBytes = (from: number, length: number) => Promise<Buffer>;

/** Bytes of a read. A batch of rows of usual length takes one. Tests lower them. */
export const windowLimits = { readBytes: 65_536 };

/** A part of a file that grows at its end, and is dropped at its begin. Positions are those of the file. */
export class ByteWindow {
  #bytes: Buffer = Buffer.alloc(0);
  /** Whether the window ends where the file does. */
  isWhole = false;

  constructor(
    private readonly read: ReadBytes,
    private start: number,
  ) {}

  /** Returns the bytes from `position` on. */
  from(position: number): Buffer {
    return this.#bytes.subarray(position - this.start);
  }

  /** Drops what is before the position, and reads further bytes. */
  async grow(position: number): Promise<void> {
    const rest = this.from(position);
    const { readBytes } = windowLimits;
    const read = await this.read(position + rest.length, readBytes);
    this.isWhole = read.length < readBytes;
    this.#bytes = rest.length === 0 ? read : Buffer.concat([rest, read]);
    this.start = position;
  }
}
