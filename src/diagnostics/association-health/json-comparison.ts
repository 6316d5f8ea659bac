/**
 * Compares a JSON text that arrives in chunks with an expected one, without keeping it. White space between tokens and the spelling
 * of escapes do not matter; the order of members does.
 */
export class JsonComparison {
  readonly #expected: Buffer;
  /** Bytes received while the text equals the expected one; null since a chunk differed. */
  #equalBytes: number | null = 0;
  #reader = new TokenReader();
  /** Those of the expected text after its equal beginning. */
  #expectedTokens: Buffer = Buffer.alloc(0);
  #at = 0;
  #isDifferent = false;

  /** @param json written by `JSON.stringify` */
  constructor(json: string) {
    this.#expected = Buffer.from(json);
  }

  add(chunk: Buffer): void {
    if (this.#isDifferent) return;
    if (this.#equalBytes !== null) {
      const end = this.#equalBytes + chunk.length;
      if (this.#expected.subarray(this.#equalBytes, end).equals(chunk)) {
        this.#equalBytes = end;
        return;
      }
      this.#compareTokensFrom(this.#equalBytes);
    }
    const tokens = this.#reader.read(chunk);
    const end = this.#at + tokens.length;
    if (this.#expectedTokens.subarray(this.#at, end).equals(tokens)) this.#at = end;
    else this.#isDifferent = true;
  }

  /** Whether the text differs, whatever follows. */
  get isDifferent(): boolean {
    return this.#isDifferent;
  }

  /** Call it after the last chunk. */
  get isSame(): boolean {
    if (this.#isDifferent) return false;
    if (this.#equalBytes !== null) return this.#equalBytes === this.#expected.length;
    return this.#at === this.#expectedTokens.length;
  }

  #compareTokensFrom(equalBytes: number): void {
    this.#equalBytes = null;
    const expected = new TokenReader();
    for (const reader of [this.#reader, expected]) reader.read(this.#expected.subarray(0, equalBytes));
    this.#expectedTokens = expected.read(this.#expected.subarray(equalBytes));
  }
}

const [space, tab, lineFeed, carriageReturn] = [0x20, 0x09, 0x0a, 0x0d];
const [quote, backslash, letterU] = [0x22, 0x5c, 0x75];
/** Stands for a quotation mark inside a string. It occurs in no UTF-8 text. */
const quoteInString = 0xff;

/** Characters after a backslash that stand for others (RFC 8259, section 7). */
const escapes = new Map([
  [quote, quoteInString],
  [0x62, 0x08],
  [0x66, 0x0c],
  [0x6e, lineFeed],
  [0x72, carriageReturn],
  [0x74, tab],
]);

/** Returns whether the byte belongs to a number, `true`, `false` or `null`. */
const isLiteral = (byte: number): boolean =>
  (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x30 && byte <= 0x39) || byte === 0x2d || byte === 0x2e;

type State = 'outside' | 'string' | 'escape' | 'code';

/** Reads a JSON text as the bytes of its tokens: without white space between them, and with escapes replaced. */
class TokenReader {
  #state: State = 'outside';
  /** The hex digits of `\uXXXX` so far. */
  #code = '';
  #highSurrogate: number | null = null;
  #last = 0;
  #spaced = false;

  read(chunk: Buffer): Buffer {
    // White space inside a literal adds a byte.
    const tokens = Buffer.allocUnsafe(2 * chunk.length + 4);
    let size = 0;
    for (const byte of chunk) {
      if (this.#state === 'outside') {
        if (byte === space || byte === lineFeed || byte === tab || byte === carriageReturn) {
          this.#spaced = true;
          continue;
        }
        // `tr ue` is not `true`.
        if (this.#spaced && isLiteral(byte) && isLiteral(this.#last)) tokens[size++] = space;
        this.#spaced = false;
        this.#last = byte;
        if (byte === quote) this.#state = 'string';
        tokens[size++] = byte;
      } else if (this.#state === 'string') {
        if (byte === backslash) {
          this.#state = 'escape';
          continue;
        }
        if (byte === quote) this.#state = 'outside';
        tokens[size++] = byte;
      } else if (this.#state === 'escape') {
        this.#state = byte === letterU ? 'code' : 'string';
        if (byte !== letterU) tokens[size++] = escapes.get(byte) ?? byte;
      } else {
        this.#code += String.fromCharCode(byte);
        if (this.#code.length === 4) for (const decoded of this.#decode()) tokens[size++] = decoded;
      }
    }
    return tokens.subarray(0, size);
  }

  /** Returns the character of `\uXXXX` in UTF-8; nothing for the first half of a surrogate pair. */
  #decode(): Iterable<number> {
    const unit = parseInt(this.#code, 16);
    this.#code = '';
    this.#state = 'string';
    const high = this.#highSurrogate;
    this.#highSurrogate = unit >= 0xd800 && unit <= 0xdbff ? unit : null;
    if (this.#highSurrogate !== null) return [];
    if (unit === quote) return [quoteInString];
    return Buffer.from(high === null ? String.fromCharCode(unit) : String.fromCharCode(high, unit));
  }
}
