import { readFileSync, type StatWatcher, unwatchFile, watchFile } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { type Response, Reader } from 'mmdb-lib';
import { BadSetting } from '../shared/bad-setting';

const checkIntervalMs = 10_000;

/** A record of MaxMind and DB-IP, or of a file that has the country alone. */
interface CountryRecord {
  country?: { iso_code?: string };
  country_code?: string;
}

type CountryReader = Reader<CountryRecord & Response>;

/** Looks up the countries of addresses in a file in MaxMind's DB format. The file is in memory, and addresses are not stored. */
export class CountryDatabase {
  #reader: CountryReader;

  /** @throws BadSetting if the file cannot be read */
  constructor(
    private readonly path: string,
    private readonly warn: (message: string) => void,
  ) {
    try {
      this.#reader = new Reader(readFileSync(path));
    } catch (error) {
      throw new BadSetting(
        `COUNTRY_DATABASE: cannot be read as a file of MaxMind's DB format: ${(error as Error).message}`,
      );
    }
  }

  /** Reads the file again when it changes or is replaced. */
  watch(): StatWatcher {
    return watchFile(this.path, { interval: checkIntervalMs, persistent: false }, (now, before) => {
      if (now.mtimeMs !== before.mtimeMs || now.ino !== before.ino) void this.reload();
    });
  }

  unwatch(): void {
    unwatchFile(this.path);
  }

  /** Keeps the former content if the file cannot be read. */
  async reload(): Promise<void> {
    try {
      this.#reader = new Reader(await readFile(this.path));
    } catch (error) {
      this.warn(`COUNTRY_DATABASE is not read again: ${(error as Error).message}`);
    }
  }

  /** Returns the code of the country in upper case; null if the file does not have the address. */
  countryOf(address: string): string | null {
    // A file of IPv4 addresses would be read with the first bits of an IPv6 address.
    if (this.#reader.metadata.ipVersion === 4 && address.includes(':')) return null;
    try {
      const record = this.#reader.get(address);
      const code = record?.country?.iso_code ?? record?.country_code;
      return typeof code === 'string' && /^[A-Z]{2}$/.test(code) ? code : null;
    } catch {
      // A damaged record must not fail the visit.
      return null;
    }
  }
}
