/** How what is prepared ends. */
type Ending = Partial<Record<'stop' | 'drop' | 'kill' | 'remove' | 'close', () => unknown>>;

/** Ends what is prepared, the latest last. */
const ends: (() => unknown)[] = [];

/**
 * Prepares something before the tests of a file or block, and ends it after them, in reverse order.
 * @returns a stand-in for it, which tests and later hooks can use
 */
export function prepared<T extends object>(prepare: () => Promise<T>): T {
  let it: T | undefined;
  beforeAll(async () => {
    ends.push(() => {
      const { stop, drop, kill, remove, close } = (it ?? {}) as Ending;
      return (stop ?? drop ?? kill ?? remove ?? close)?.call(it);
    });
    it = await prepare();
  });
  afterAll(() => ends.pop()!());
  return new Proxy({} as T, {
    get: (_, name) => {
      const value: unknown = Reflect.get(it!, name);
      return typeof value === 'function' ? (value.bind(it) as unknown) : value;
    },
    set: (_, name, value) => Reflect.set(it!, name, value),
    ownKeys: () => Reflect.ownKeys(it!),
    getOwnPropertyDescriptor: (_, name) => Object.getOwnPropertyDescriptor(it!, name),
  });
}
