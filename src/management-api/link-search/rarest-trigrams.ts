/** Measured with cached pages: reading an entry of the trigram index, and reading a link to see whether it matches. */
const entryUs = 0.025;
const linkUs = 8;

/** Links with one trigram of a word mostly have the others too. */
const shareWithinWord = 0.5;

interface CountedTrigram {
  text: string;
  /** The number of the word that has it. */
  word: number;
  /** How many links contain it, about. */
  links: number;
}

/**
 * Selects the trigrams by which the links of a rare text are found fastest. The index reads all links of each trigram. So a few
 * that leave few links to read take less time than all trigrams of a long text.
 *
 * @param size the number of links of the project
 */
export function rarestTrigrams(trigrams: CountedTrigram[], size: number): CountedTrigram[] {
  const left = new Set(trigrams);
  const selected: CountedTrigram[] = [];
  let found = size;
  let entries = 0;
  const costOf = (links: number, read: number) => links * entryUs + read * linkUs;
  for (;;) {
    let best: CountedTrigram | undefined;
    let bestFound = found;
    let bestCost = selected.length === 0 ? Infinity : costOf(entries, found);
    for (const trigram of left) {
      const isNear = selected.some(({ word }) => word === trigram.word);
      const share = trigram.links / Math.max(size, 1);
      const remaining = found * (isNear ? Math.max(share, shareWithinWord) : share);
      const cost = costOf(entries + trigram.links, remaining);
      if (cost < bestCost) [best, bestFound, bestCost] = [trigram, remaining, cost];
    }
    if (!best) return selected;
    selected.push(best);
    left.delete(best);
    entries += best.links;
    found = bestFound;
  }
}
