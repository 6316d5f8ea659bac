import type { Variant } from '../../link-paths/rules/variants';
import { destinationsOf, hostsOfSamePath } from './own-address';
import { hasOtherSchemes, servedDestination } from './served-values';
import type { VisitedLink, VisitedVariant } from './visited-link';

/**
 * Compiles variants. Each is the link with another destination, so that one function decides all answers. Returns null if no
 * visitor can get one.
 * @param path the visited path
 * @param ofRule the variants replace all destinations of the link, not `desktop_url` alone
 */
export function compileVariants<L extends VisitedLink>(
  link: L,
  variants: readonly Variant[],
  path: string,
  ofRule: boolean,
): VisitedVariant<L>[] | null {
  const compiled = variants.flatMap(({ name, url, weight }): VisitedVariant<L>[] => {
    const desktopUrl = servedDestination(url);
    if (desktopUrl === null) return [];
    const phones = ofRule ? { iosFallbackUrl: desktopUrl, androidFallbackUrl: desktopUrl } : {};
    const visited: L = { ...link, variants: null, variant: { name, ofRule }, desktopUrl, ...phones };
    const urls = destinationsOf(visited);
    const parts = { hostsOfSamePath: hostsOfSamePath(path, urls), hasOtherSchemes: hasOtherSchemes(urls) };
    return [{ name, weight, link: { ...visited, ...parts } }];
  });
  return compiled.some(({ weight }) => weight > 0) ? compiled : null;
}

/** Bytes of the hash of a visitor for each variant. */
const draw = 6;

/**
 * Chooses the variant of a visitor by weighted rendezvous hashing. Each variant draws a number from the hash, by its place. So the
 * visitors of the others keep theirs if the weight of one becomes 0.
 * @param hash 32 bytes that look random
 */
export function chosenVariant<V extends { weight: number }>(variants: readonly V[], hash: Buffer): V {
  let chosen = variants[0]!;
  let least = Infinity;
  for (const [at, variant] of variants.entries()) {
    // The time of the first event of a process with this rate: the one with the least time is chosen in proportion to the rates.
    const time = -Math.log((hash.readUIntBE(at * draw, draw) + 1) / 2 ** (8 * draw)) / variant.weight;
    if (variant.weight === 0 || time >= least) continue;
    chosen = variant;
    least = time;
  }
  return chosen;
}

/** Returns the variant that robots get: the first that is not ended. */
export const firstVariant = <V extends { weight: number }>(variants: readonly V[]): V =>
  variants.find(({ weight }) => weight > 0)!;
