export type ReadBytes = (from: number, length: number) => Promise<Buffer>;

/** Bytes of a read. A batch of rows of usual length takes one. Tests lower them. */
export const windowLimits = { readBytes: 65_536 };

/** A part of a file that grows at its end, and is dropped at its begin. Positions are those of the file. */
export class ByteWindow {
  #bytes: Buffer = Buffer.alloc(0);
  isWhole = false;

  constructor(
    private readonly read: ReadBytes,
    private start: number,
  ) {}

  from(position: number): Buffer {
    return this.#bytes.subarray(position - this.start);
  }

  async grow(position: number): Promise<void> {
    const rest = this.from(position);
    const { readBytes } = windowLimits;
    const read = await this.read(position + rest.length, readBytes);
    this.isWhole = read.length < readBytes;
    this.#bytes = rest.length === 0 ? read : Buffer.concat([rest, read]);
    this.start = position;
  }
}
