import { LRUCache } from 'lru-cache';

interface Headers {
  userAgent: string;
  clientHint: string;
  /** A result of `embeddingAppOf`, not a header, because clients could fill the cache by arbitrary headers. */
  embeddingApp: string;
}

/** Longer headers are not cached, because they are rare and would let a client exhaust memory. */
const maxUserAgentChars = 512;
const maxClientHintChars = 64;

/** Caches visitors, of the type `V`, by the headers that identify them. Clients choose the headers, so bytes are limited, not entries. */
export class VisitorCache<V extends object> {
  readonly #visitors: LRUCache<string, V>;

  constructor(maxBytes: number) {
    // Visitors count nothing, because `classify` returns few distinct objects.
    this.#visitors = new LRUCache({ maxSize: maxBytes, sizeCalculation: (_, key) => key.length + 160 });
  }

  get size(): number {
    return this.#visitors.size;
  }

  get(headers: Headers, classify: (headers: Headers) => V): V {
    const { userAgent, clientHint, embeddingApp } = headers;
    if (userAgent.length > maxUserAgentChars || clientHint.length > maxClientHintChars) return classify(headers);
    // Headers contain no line break, so keys are unique.
    let key = clientHint === '' ? userAgent : `${clientHint}\n${userAgent}`;
    if (embeddingApp !== '') key = `${embeddingApp}\n${clientHint}\n${userAgent}`;
    let visitor = this.#visitors.get(key);
    if (!visitor) this.#visitors.set(key, (visitor = classify(headers)));
    return visitor;
  }
}
