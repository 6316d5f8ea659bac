const root = 0;

const initialLength = 4096;

/** Separates texts that belong together. No field can contain it, so no counted text spans it. */
export const separator = '\0';

/**
 * A set of texts as a trie over UTF-16 code units. It finds all its texts in a string, in time proportional to the length of the
 * string and the depth of the matches. Nodes are numbers, so that callers keep counts in arrays.
 */
export class TextTrie {
  #size = 1;
  #parents = new Int32Array(initialLength);
  #codes = new Uint16Array(initialLength);
  /** Open addressing: the node that continues a node by a code unit. The root marks a free place. */
  #children = new Int32Array(initialLength);
  #isText = new Uint8Array(initialLength);
  /** The last visit that met a node, so that a text which occurs twice counts once. */
  #met = new Int32Array(initialLength);
  #visit = 0;
  #shortNodes = 0;

  /** @param maxShort the number of texts of one and two code units that it may have */
  constructor(private readonly maxShort: number) {}

  /** The number of nodes. All are below it. */
  get size(): number {
    return this.#size;
  }

  /** Whether `count` had to leave out a text of one or two code units. */
  get lacksShort(): boolean {
    return this.#shortNodes >= this.maxShort;
  }

  /** Returns all characters of its texts and of visited texts, unless it lacks short texts. */
  characters(): string {
    const found = new Set<string>();
    for (let node = 1; node < this.#size; node++) {
      const parent = this.#parents[node]!;
      // A character beyond U+FFFF has two code units.
      if (parent !== root && this.#parents[parent] !== root) continue;
      for (const character of this.textOf(node)) if (character.isWellFormed()) found.add(character);
    }
    return Array.from(found).join('');
  }

  add(text: string): void {
    let node = root;
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      node = this.#child(node, code) || this.#create(node, code);
    }
    this.#isText[node] = 1;
  }

  textOf(node: number): string {
    let text = '';
    for (let at = node; at !== root; at = this.#parents[at]!) text = String.fromCharCode(this.#codes[at]!) + text;
    return text;
  }

  /**
   * Adds `change` once to the count of each text of the trie that `text` contains. Texts of one or two code units, and the empty
   * text, count too. Returns the counts by node, in a longer array if necessary.
   */
  count(text: string, counts: Int32Array, change: number): Int32Array {
    const visit = ++this.#visit;
    let into = counts;
    into[root]! += change;
    for (let start = 0; start < text.length; start++) {
      let node = root;
      for (let at = start; at < text.length; at++) {
        const code = text.charCodeAt(at);
        if (code === 0) break;
        const isShort = at - start < 2;
        const child = this.#child(node, code);
        if (child === root && !(isShort && this.#shortNodes < this.maxShort)) break;
        node = child || this.#create(node, code);
        if (this.#met[node] === visit) continue;
        this.#met[node] = visit;
        if (!isShort && this.#isText[node] === 0) continue;
        if (node >= into.length) into = extended(into, new Int32Array(this.#parents.length));
        into[node]! += change;
      }
    }
    return into;
  }

  /** Returns the root if the trie has no such node. */
  #child(parent: number, code: number): number {
    for (let place = this.#placeOf(parent, code); ; place = (place + 1) & (this.#children.length - 1)) {
      const node = this.#children[place]!;
      if (node === root || (this.#parents[node] === parent && this.#codes[node] === code)) return node;
    }
  }

  #create(parent: number, code: number): number {
    if ((this.#size + 1) * 2 > this.#children.length) this.#grow();
    const node = this.#size++;
    this.#parents[node] = parent;
    this.#codes[node] = code;
    this.#insert(node);
    if (parent === root || this.#parents[parent] === root) this.#shortNodes++;
    return node;
  }

  #insert(node: number): void {
    let place = this.#placeOf(this.#parents[node]!, this.#codes[node]!);
    while (this.#children[place] !== root) place = (place + 1) & (this.#children.length - 1);
    this.#children[place] = node;
  }

  #placeOf(parent: number, code: number): number {
    return (Math.imul(parent, 0x9e3779b1) ^ Math.imul(code, 0x85ebca6b)) & (this.#children.length - 1);
  }

  #grow(): void {
    const length = this.#children.length * 2;
    this.#parents = extended(this.#parents, new Int32Array(length));
    this.#codes = extended(this.#codes, new Uint16Array(length));
    this.#isText = extended(this.#isText, new Uint8Array(length));
    this.#met = extended(this.#met, new Int32Array(length));
    this.#children = new Int32Array(length);
    for (let node = 1; node < this.#size; node++) this.#insert(node);
  }
}

function extended<A extends Int32Array | Uint16Array | Uint8Array>(values: A, into: A): A {
  into.set(values);
  return into;
}
