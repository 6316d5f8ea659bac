import type { EventLoopTurns } from '../../shared/event-loop-turns';
import { separator, type TextTrie } from './text-trie';

/** Links with the same apps: their names and paths in lower case, in the same order. */
export interface LinkTexts {
  iosAppId: string | null;
  androidAppId: string | null;
  names: string[];
  paths: string[];
  /** 1 or -1 for each link; without it, each counts 1. */
  changes?: number[];
}

export interface LinkCount {
  text: string;
  iosAppId: string | null;
  androidAppId: string | null;
  links: number;
}

interface Counts {
  iosAppId: string | null;
  androidAppId: string | null;
  links: Int32Array;
}

/** Counts for each text of a trie, and for each text of one or two characters, how many links contain it, by their apps. */
export class LinkCounts {
  readonly #byApps = new Map<string, Counts>();

  constructor(
    private readonly trie: TextTrie,
    private readonly turns: EventLoopTurns,
  ) {}

  async add({ iosAppId, androidAppId, names, paths, changes }: LinkTexts): Promise<void> {
    const counts = this.#countsOf(iosAppId, androidAppId);
    for (let at = 0; at < names.length; at++) {
      const change = changes?.[at] ?? 1;
      counts.links = this.trie.count(names[at]! + separator + paths[at]!, counts.links, change);
      const turn = this.turns.next();
      if (turn) await turn;
    }
  }

  /** Returns the counts that are not zero, in batches. */
  *batches(size: number): Generator<LinkCount[]> {
    let batch: LinkCount[] = [];
    for (let node = 0; node < this.trie.size; node++) {
      let text: string | undefined;
      for (const { iosAppId, androidAppId, links } of this.#byApps.values()) {
        const count = links[node];
        if (!count) continue;
        text ??= this.trie.textOf(node);
        if (!text.isWellFormed()) break;
        batch.push({ text, iosAppId, androidAppId, links: count });
      }
      if (batch.length >= size) {
        yield batch;
        batch = [];
      }
    }
    if (batch.length > 0) yield batch;
  }

  #countsOf(iosAppId: string | null, androidAppId: string | null): Counts {
    const key = `${iosAppId}/${androidAppId}`;
    let counts = this.#byApps.get(key);
    if (!counts) {
      counts = { iosAppId, androidAppId, links: new Int32Array(this.trie.size) };
      this.#byApps.set(key, counts);
    }
    return counts;
  }
}
