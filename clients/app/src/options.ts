type MaybePromise<T> = T | Promise<T>;

/** AsyncStorage, Preferences or anything alike. */
export interface SignpostStorage {
  getItem(key: string): MaybePromise<string | null | undefined>;
  setItem(key: string, value: string): MaybePromise<unknown>;
}

/** The URLs that the system delivers. */
export interface LinkSource {
  getInitialURL(): MaybePromise<string | null | undefined>;
  /** Returns a function that ends the subscription. */
  subscribe(listener: (url: string) => void): () => void;
}

/** The clipboard. Neither `hasUrl` nor `hasText` may cause a question or a notice of the system. */
export interface ClipboardSource {
  /** Whether the system says that it probably holds a web URL. */
  hasUrl(): MaybePromise<boolean | undefined>;
  /** Whether it holds any text, for apps with a paste button of the system. */
  hasText?(): MaybePromise<boolean>;
  /** Reads the text. The system may ask the person, who may decline: then null or an empty text. */
  read(): MaybePromise<string | null | undefined>;
}

/** The app, as the statistics name it. */
export type AppInfo = { version: string; build?: string | undefined } & (
  | { bundleId: string; packageName?: never }
  | { packageName: string; bundleId?: never }
);

export interface FetchResponse {
  status: number;
  headers: { get(name: string): string | null };
  json(): Promise<unknown>;
}
export type FetchFunction = (
  url: string,
  init: { method: string; headers: Record<string, string>; body: string },
) => Promise<FetchResponse>;

/** The part of the options that an adapter supplies. */
export interface Platform {
  app: AppInfo | null;
  links: LinkSource;
  /** The install referrer of Android. Null or a rejection: the store did not answer; empty: it does not exist. */
  referrer?: (() => MaybePromise<string | null | undefined>) | undefined;
  clipboard?: ClipboardSource | undefined;
  /** A time or number that a re-installation changes, and an update does not. */
  installedAt?: (() => MaybePromise<number | null>) | undefined;
}

export interface SignpostOptions extends Platform {
  /** All hosts of the project's links: link host, open host, custom domains and former ones. Claims go to the first. */
  hosts: readonly string[];
  storage: SignpostStorage;
  fetch?: FetchFunction | undefined;
  /** Unix time in milliseconds. */
  now?: (() => number) | undefined;
  /** How long a link waits for the service. */
  timeoutMs?: number | undefined;
}
