import { type Response, Reader } from 'mmdb-lib';
import { WatchedFile } from '../../shared/watched-file';

/** A record of MaxMind and DB-IP, or of a file that has the country alone. */
interface CountryRecord {
  country?: { iso_code?: string };
  country_code?: string;
}

/** Looks up the countries of addresses in a file in MaxMind's DB format. The file is in memory, and addresses are not stored. */
export class CountryDatabase extends WatchedFile<Reader<CountryRecord & Response>> {
  /**
   * @param onRead receives the time at which the file was built, whenever it is read
   * @throws BadSetting if the file cannot be read
   */
  constructor(path: string, warn: (message: string) => void, onRead: (builtAt: Date) => void) {
    const read = (bytes: Buffer) => {
      const reader = new Reader<CountryRecord & Response>(bytes);
      onRead(reader.metadata.buildEpoch);
      return reader;
    };
    super('COUNTRY_DATABASE', path, "a file of MaxMind's DB format", read, warn);
  }

  /** Returns the code of the country in upper case; null if the file does not have the address. */
  countryOf(address: string): string | null {
    // A file of IPv4 addresses would be read with the first bits of an IPv6 address.
    if (this.content.metadata.ipVersion === 4 && address.includes(':')) return null;
    try {
      const record = this.content.get(address);
      const code = record?.country?.iso_code ?? record?.country_code;
      return typeof code === 'string' && /^[A-Z]{2}$/.test(code) ? code : null;
    } catch {
      // A damaged record must not fail the visit.
      return null;
    }
  }
}
