import { readFileSync, unwatchFile, watchFile } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { BadSetting } from './bad-setting';

export const watchTimes = { checkMs: 10_000 };

/** Reads a file that a setting names, and reads it again after a change. The former content stays if the new one is invalid. */
export class WatchedFile<Content> {
  #content: Content;
  #isCurrent = true;

  /**
   * @param variable the setting, which messages name
   * @param format of the file, for messages
   * @param parse throws an error whose message says what is wrong
   * @throws BadSetting if the file cannot be read or parsed
   */
  constructor(
    private readonly variable: string,
    private readonly path: string,
    private readonly format: string,
    private readonly parse: (bytes: Buffer) => Content,
    private readonly warn: (message: string) => void,
  ) {
    try {
      this.#content = parse(readFileSync(path));
    } catch (error) {
      throw new BadSetting(`${variable}: cannot be read as ${format}: ${(error as Error).message}`);
    }
  }

  get content(): Content {
    return this.#content;
  }

  /** Whether the content is that of the file when it was last read. */
  get isCurrent(): boolean {
    return this.#isCurrent;
  }

  /** Reads the file again when it changes or is replaced. */
  watch(): void {
    watchFile(this.path, { interval: watchTimes.checkMs, persistent: false }, (now, before) => {
      if (now.mtimeMs !== before.mtimeMs || now.ino !== before.ino) void this.reload();
    });
  }

  unwatch(): void {
    unwatchFile(this.path);
  }

  async reload(): Promise<void> {
    try {
      this.#content = this.parse(await readFile(this.path));
      this.#isCurrent = true;
    } catch (error) {
      this.#isCurrent = false;
      this.warn(
        `${this.variable}: keeps the former content, because the file cannot be read as ${this.format}: ${(error as Error).message}`,
      );
    }
  }
}
