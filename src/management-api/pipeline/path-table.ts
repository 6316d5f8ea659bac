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

  /** @param path a template with `:name` for a segment; slashes at its ends do not count */
  add(path: string, create: () => T): T {
    const template = `/${path.split('/').filter(Boolean).join('/')}`;
    const segments = template.split('/');
    const entries = (this.#entries[segments.length] ??= []);
    let entry = entries.find((known) => known.template === template);
    if (!entry) entries.push((entry = { template, segments, value: create() }));
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

function paramsOf(template: string[], segments: string[]): Record<string, string> | null {
  let params: Record<string, string> | undefined;
  for (let at = 1; at < template.length; at++) {
    const wanted = template[at]!;
    const given = segments[at]!;
    if (wanted.charCodeAt(0) !== colon) {
      if (wanted !== given) return null;
    } else if (given === '') return null;
    else (params ??= {})[wanted.slice(1)] = given;
  }
  return params ?? {};
}

const colon = ':'.charCodeAt(0);
