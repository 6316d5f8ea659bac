import type { Signpost } from './create-signpost.js';
import type { LinkSource } from './options.js';

/** The properties of `linking` of a `NavigationContainer` that Signpost supplies. */
export interface SignpostLinking {
  prefixes: string[];
  getInitialURL(): Promise<string | null>;
  subscribe(listener: (url: string) => void): () => void;
}

/**
 * Returns `linking` for a `NavigationContainer`: `{ ...signpostLinking(…), config }`. Late links do not navigate. URLs of other hosts and
 * schemes go through unchanged.
 */
export function signpostLinking(options: {
  signpost: Signpost;
  hosts: readonly string[];
  /** The same source as that of `createSignpost`. */
  links: LinkSource;
  /** Prefixes of the app besides those of the hosts, such as `acme://`. */
  prefixes?: readonly string[];
}): SignpostLinking {
  const { signpost, hosts, links, prefixes = [] } = options;
  const prefix = `https://${hosts[0]}`;
  const isOther = (url: string | null | undefined): url is string => Boolean(url) && !signpost.owns(url!);
  return {
    prefixes: [...hosts.map((host) => `https://${host}`), ...prefixes],
    async getInitialURL() {
      const url = await links.getInitialURL();
      if (isOther(url)) return url;
      const link = await signpost.getInitialLink();
      return link ? prefix + link.route : null;
    },
    subscribe(listener) {
      const ends = [
        signpost.onLink(({ late, route }) => {
          if (!late) listener(prefix + route);
        }),
        links.subscribe((url) => {
          if (isOther(url)) listener(url);
        }),
      ];
      return () => ends.forEach((end) => end());
    },
  };
}
