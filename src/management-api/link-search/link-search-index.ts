import { LRUCache } from 'lru-cache';
import { EventLoopTurns } from '../../shared/event-loop-turns';
import type { UnitOfWork } from '../../shared/unit-of-work';
import { frequentTexts, thinned } from './frequent-texts';
import { LinkCounts } from './link-counts';
import type { LinkSearchRepository, Place } from './link-search.repository';
import { searchLimits } from './search-limits';
import { separator, TextTrie } from './text-trie';

const batchSize = 2000;
const countsPerStatement = 4000;

const sampledBlocks = 100;

/** Bounds the rows of a project, which has one per text and pair of apps. */
const maxCounts = 400_000;

/** Bounds memory. Scripts with thousands of letters have more texts of two characters. */
const maxShortTexts = 50_000;

/** Bounds memory, because a project with 40,000 texts takes some 2 MB. */
const maxTries = 10;

const changesPerFold = 20_000;

/** Builds the counts of a project, and adds noted changes to them (docs/decisions/0035-search-in-large-projects.md). */
export class LinkSearchIndex {
  /** The texts of built projects, which are many and change with a build only. */
  readonly #tries = new LRUCache<string, { builtAt: number; trie: TextTrie }>({ max: maxTries });

  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly links: LinkSearchRepository,
  ) {}

  /**
   * Replaces all counts of the project by those of one snapshot. Changes that the snapshot sees are in the counts, so it removes
   * them. Changes of later transactions stay.
   * @throws the reason of the signal, in which case nothing is replaced
   */
  build(projectId: string, builtAt: Date | null, size: number, signal: AbortSignal): Promise<void> {
    return this.unitOfWork.run(async () => {
      const turns = new EventLoopTurns(signal);
      if (!(await this.links.lockSnapshot(projectId, builtAt))) return;
      const trie = await trieOf(await this.#frequentTexts(projectId, size, turns), turns);
      const counts = new LinkCounts(trie, turns);
      let read = 0;
      for (let batch = await this.#read(projectId, null); batch; batch = await this.#read(projectId, batch.last)) {
        for (const texts of batch.texts) {
          await counts.add(texts);
          read += texts.names.length;
        }
        signal.throwIfAborted();
      }
      while ((await this.links.takeChanges(projectId, changesPerFold)).length > 0);
      while (await this.links.removeSomeCounts(projectId, changesPerFold));
      for (const batch of counts.batches(countsPerStatement)) {
        await this.links.insertCounts(projectId, batch);
        signal.throwIfAborted();
      }
      await this.links.setBuilt(projectId, read, !trie.lacksShort, trie.characters());
    });
  }

  /** Adds changes to the counts. Returns whether more may be left. */
  async fold(projectId: string, builtAt: Date, signal: AbortSignal): Promise<boolean> {
    return this.unitOfWork.run(async () => {
      const turns = new EventLoopTurns(signal);
      // The texts that have counts are those of the last build.
      if (!(await this.links.lock(projectId, builtAt))) return false;
      const changes = await this.links.takeChanges(projectId, changesPerFold);
      if (changes.length === 0) return false;
      const trie = await this.#trieOf(projectId, builtAt.getTime(), turns);
      const counts = new LinkCounts(trie, turns);
      let taken = 0;
      for (const texts of changes) {
        await counts.add(texts);
        taken += texts.names.length;
      }
      for (const batch of counts.batches(countsPerStatement)) await this.links.addCounts(projectId, batch);
      await this.links.setShortTexts(projectId, !trie.lacksShort, trie.characters());
      return taken === changesPerFold;
    });
  }

  /** Removes everything that is kept for a project, in steps that each take little time. */
  async remove(projectId: string): Promise<void> {
    await this.links.setUnbuilt(projectId);
    while (await this.links.removeSomeCounts(projectId, changesPerFold));
    await this.links.forget(projectId);
  }

  #read(projectId: string, from: Place | null) {
    return this.links.read(projectId, from, batchSize);
  }

  async #trieOf(projectId: string, builtAt: number, turns: EventLoopTurns): Promise<TextTrie> {
    const known = this.#tries.get(projectId);
    if (known?.builtAt === builtAt) return known.trie;
    const trie = await trieOf(await this.links.longTexts(projectId), turns);
    this.#tries.set(projectId, { builtAt, trie });
    return trie;
  }

  /** Reads blocks of links that are spread over their whole order. */
  async #frequentTexts(projectId: string, size: number, turns: EventLoopTurns): Promise<string[]> {
    const isPartly = size > searchLimits.sampledLinks;
    const perBlock = isPartly ? Math.ceil(searchLimits.sampledLinks / sampledBlocks) : batchSize;
    const skipped = isPartly ? Math.floor(size / sampledBlocks) - perBlock : 0;
    const rows: string[] = [];
    const apps = new Set<string>();
    let from: Place | null = null;
    for (;;) {
      const batch = await this.links.read(projectId, from, perBlock);
      if (!batch) break;
      for (const { names, paths, iosAppId, androidAppId } of batch.texts) {
        apps.add(`${iosAppId}/${androidAppId}`);
        names.forEach((name, at) => rows.push(name + separator + paths[at]!));
      }
      from = skipped > 0 ? await this.links.skip(projectId, batch.last, skipped) : batch.last;
      if (!from) break;
    }
    const sample = thinned(rows);
    const share = Math.max(searchLimits.minShare, searchLimits.minMatches / Math.max(size, 1));
    const maxTexts = Math.ceil(maxCounts / Math.max(apps.size, 1));
    return frequentTexts(sample, Math.max(2, share * sample.length), maxTexts, turns);
  }
}

async function trieOf(texts: string[], turns: EventLoopTurns): Promise<TextTrie> {
  const trie = new TextTrie(maxShortTexts);
  for (const text of texts) {
    trie.add(text);
    const turn = turns.next();
    if (turn) await turn;
  }
  return trie;
}
