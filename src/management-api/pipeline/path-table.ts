interface Entry<T> {
  template: string;
  segments: string[];
  value: T;
}

interface Match<T> {
  /** Such as `/api/v1/projects/:projectId`. */
  template: string;
  value: T;
  params: Record<string, string>;
}

/** Finds a value by a path without wild cards. Of several templates that match, the first one counts, as in Express. */
export class PathTable<T> {
  /** By the number of segments. */
  readonly #entries: (Entry<T>[] | undefined)[] = [];

  /** @param prefersWords whether a template with a word counts before those with a parameter there, in whichever order they are added */
  constructor(private readonly prefersWords = false) {}

  /** @param path a template with `:name` for a segment; slashes at its ends do not count */
  add(path: string, create: () => T): T {
    const template = `/${path.split('/').filter(Boolean).join('/')}`;
    const segments = template.split('/');
    const entries = (this.#entries[segments.length] ??= []);
    let entry = entries.find((known) => known.template === template);
    if (!entry) {
      entries.push((entry = { template, segments, value: create() }));
      if (this.prefersWords) entries.sort(wordsFirst);
    }
    return entry.value;
  }

  find(path: string): Match<T> | undefined {
    const segments = path.split('/');
    for (const { template, segments: wanted, value } of this.#entries[segments.length] ?? []) {
      const params = paramsOf(wanted, segments);
      if (params) return { template, value, params };
    }
    return undefined;
  }
}

/** Orders templates with as many segments by the first place where one has a parameter. */
function wordsFirst(one: Entry<unknown>, other: Entry<unknown>): number {
  const at = one.segments.findIndex((segment, place) => isParam(segment) !== isParam(other.segments[place]!));
  return at === -1 ? 0 : Number(isParam(one.segments[at]!)) - Number(isParam(other.segments[at]!));
}

function paramsOf(template: string[], segments: string[]): Record<string, string> | null {
  let params: Record<string, string> | undefined;
  for (let at = 1; at < template.length; at++) {
    const wanted = template[at]!;
    const given = segments[at]!;
    if (!isParam(wanted)) {
      if (wanted !== given) return null;
    } else if (given === '') return null;
    else (params ??= {})[wanted.slice(1)] = given;
  }
  return params ?? {};
}

const colon = ':'.charCodeAt(0);

const isParam = (segment: string): boolean => segment.charCodeAt(0) === colon;
