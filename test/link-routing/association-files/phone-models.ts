// Models of how phones read association files, written from the published rules and not from the service's code.

/** A component of either file, as parsed JSON. */
interface Component {
  '/'?: string;
  '?'?: string | Record<string, string>;
  '#'?: string;
  exclude?: boolean;
}

interface AppleFile {
  applinks?: { details?: { appIDs?: string[]; components?: Component[] }[] };
}

interface Statement {
  relation: string[];
  target: { namespace: string; package_name: string; sha256_cert_fingerprints: string[] };
  relation_extensions?: Record<string, { dynamic_app_link_components?: Component[] }>;
}

const handleUrls = 'delegate_permission/common.handle_all_urls';

/**
 * Matches as Apple does (Apple, "applinks.Details.Components"): `*` is zero or more characters, as many as possible, and `?` is one
 * character. Comparison is case-sensitive by default.
 */
function matchesForApple(pattern: string, text: string): boolean {
  const source = [...pattern]
    .map((char) => (char === '*' ? '.*' : char === '?' ? '.' : char.replace(/[\\^$.|+()[\]{}]/, '\\$&')))
    .join('');
  return new RegExp(`^${source}$`, 's').test(text);
}

/**
 * Matches as Android does (Android Developers, "Configure website associations and dynamic rules"). `*` is zero or more characters
 * up to the first occurrence of the character that follows it. `?` is one character, and `?*` is one or more.
 */
function matchesForAndroid(pattern: string, text: string): boolean {
  let at = 0;
  for (let index = 0; index < pattern.length; index++) {
    const char = pattern[index]!;
    if (char === '*') {
      const next = pattern[index + 1];
      if (next === undefined) return true;
      const found = text.indexOf(next, at);
      if (found < 0) return false;
      at = found;
    } else if (char === '?') {
      if (at >= text.length) return false;
      at++;
    } else if (text[at++] !== char) return false;
  }
  return at === text.length;
}

/** Returns whether a URL matches all parts that a component names; absent ones match everything. */
function matchesComponent(component: Component, url: URL, matches: (pattern: string, text: string) => boolean) {
  const { '/': path = '*', '?': query = '*', '#': fragment = '*' } = component;
  const queryMatches =
    typeof query === 'string'
      ? matches(query, url.search.slice(1))
      : Object.entries(query).every(([name, pattern]) =>
          url.searchParams.getAll(name).some((value) => matches(pattern, value)),
        );
  return matches(path, url.pathname) && queryMatches && matches(fragment, url.hash.slice(1));
}

/** Returns the ids of the apps that iOS opens for a URL of another host. The first component that matches decides for an app. */
export function appsOnIos(json: string, address: string): string[] {
  const url = new URL(address);
  const { applinks } = JSON.parse(json) as AppleFile;
  return (applinks?.details ?? []).flatMap(({ appIDs = [], components = [] }) => {
    const first = components.find((component) => matchesComponent(component, url, matchesForApple));
    return first && first.exclude !== true ? appIDs : [];
  });
}

/** Returns the packages that Android opens for a URL. Versions before 15 do not know the components. */
export function appsOnAndroid(json: string, address: string, version: number): string[] {
  const url = new URL(address);
  const statements = JSON.parse(json) as Statement[];
  return statements
    .filter(({ relation, target }) => relation.includes(handleUrls) && target.sha256_cert_fingerprints.length > 0)
    .filter(({ relation_extensions: extensions }) => {
      const components = extensions?.[handleUrls]?.dynamic_app_link_components;
      // A field that is malformed or empty discards all rules, and the manifest alone decides.
      if (version < 15 || components === undefined || !components.every(isWellFormed) || components.length === 0)
        return true;
      const first = components.find((component) => matchesComponent(component, url, matchesForAndroid));
      return first !== undefined && first.exclude !== true;
    })
    .map(({ target }) => target.package_name);
}

function isWellFormed(component: Component): boolean {
  const { '/': path, '?': query, '#': fragment, exclude, ...others } = component;
  const texts = [path, fragment, ...(typeof query === 'object' ? Object.values(query) : [])];
  return (
    Object.keys(others).length === 0 &&
    texts.every((text) => text === undefined || (typeof text === 'string' && text !== '')) &&
    (exclude === undefined || typeof exclude === 'boolean') &&
    [path, query, fragment].some((part) => part !== undefined)
  );
}
