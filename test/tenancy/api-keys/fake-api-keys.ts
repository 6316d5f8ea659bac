import type { CallerRepository, KnownKey } from '../../../src/tenancy/api-keys/caller.repository';

/** Implements the port of authentication in memory. Its look-ups and writes can be delayed, or made to fail. */
export class FakeApiKeys implements CallerRepository {
  /** By digest in hex. Keys that were revoked are not among them. */
  readonly known = new Map<string, KnownKey>();
  readonly lastUses = new Map<string, Date>();
  lookups = 0;
  writes = 0;
  beforeLookupEnds: () => Promise<void> = async () => {};
  beforeWrite: () => Promise<void> = async () => {};

  /** @param now the clock of the database */
  constructor(private readonly now: () => number) {}

  async find(digest: Buffer): Promise<KnownKey | null> {
    this.lookups++;
    const key = this.known.get(digest.toString('hex'));
    await this.beforeLookupEnds();
    return key && key.validUntilMs > performance.now() ? key : null;
  }

  async touch(lastUses: ReadonlyMap<string, number>): Promise<void> {
    await this.beforeWrite();
    this.writes++;
    const keyIds = new Set([...this.known.values()].map(({ caller }) => caller.apiKeyId));
    for (const [id, usedAt] of lastUses) {
      const moment = this.now() - (performance.now() - usedAt);
      const at = new Date(moment - (moment % 60_000));
      const before = this.lastUses.get(id);
      if (keyIds.has(id) && (!before || before < at)) this.lastUses.set(id, at);
    }
  }
}
