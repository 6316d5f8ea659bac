import {
  type Channels,
  type DeferredReason,
  type DeferredStatus,
  type Effect,
  type FirstLaunch,
  type FirstLaunchEvent,
  newFirstLaunch,
  next,
} from './first-launch.js';
import { linkOf, parseUrl, type SignpostLink } from './link.js';
import { appOf, createOpenQueue, newId } from './open-queue.js';
import type { SignpostOptions } from './options.js';
import { attempt, send, within } from './requests.js';

export interface DeferredResult {
  status: DeferredStatus;
  reason: DeferredReason;
}

export interface Signpost {
  /** Whether the URL is a link of the project. Routers handle other URLs themselves. */
  owns(url: string): boolean;
  /** Returns the link that launched the app, or null. It does not go to `onLink` as well. */
  getInitialLink(): Promise<SignpostLink | null>;
  /** Calls back for each link once, also for those before the call, and for late updates. Returns a function that ends it. */
  onLink(callback: (link: SignpostLink) => void): () => void;
  /** Resolves a URL, such as from a scanned QR code. Returns null for URLs of other hosts. It does not go to `onLink`. */
  resolve(url: string): Promise<SignpostLink | null>;
  /**
   * Looks for the link that led to the installation, and delivers it to `onLink`. Call it at every launch. It reads the clipboard only
   * with `paste: true`, after the status `ask`. `paste: false` declines.
   */
  claimDeferred(answer?: { paste?: boolean }): Promise<DeferredResult>;
  /** Claims a text that the person pasted, from a paste button or a text field. Only a token of our form is sent. */
  paste(text: string | null): Promise<DeferredResult>;
  /** Deletes all stored data, except that the first launch is over. */
  forget(): Promise<void>;
  /** Ends the subscription to the system. */
  stop(): void;
}

const key = 'signpost.first-launch';
/** A smaller `installedAt` cannot be in milliseconds since 1970. */
const minTime = 1e12;
/** Two events with one URL in this time are one tap. */
const sameTapMs = 3000;

interface Tap {
  link: Promise<SignpostLink>;
  /** Whether the app has the link. */
  taken: boolean;
  /** Ends the time in which other events are the same tap. A timer, because the clock may be changed. */
  timer: ReturnType<typeof setTimeout>;
}

export function createSignpost(options: SignpostOptions): Signpost {
  const {
    hosts,
    app,
    storage,
    links,
    referrer,
    clipboard,
    installedAt,
    fetch,
    timeoutMs = 1500,
    now = Date.now,
  } = options;
  const opens = createOpenQueue({ storage, now, fetch });
  void opens.flush();

  // Delivery
  const listeners = new Set<(link: SignpostLink) => void>();
  let waiting: (() => void)[] = [];
  const emit = (link: SignpostLink) => listeners.forEach((listener) => listener(link));
  /** Runs the delivery, or keeps it until a listener comes. */
  const whenListening = (deliver: () => void) => void (listeners.size > 0 ? deliver() : waiting.push(deliver));
  function takeAndEmit(tap: Tap, link: SignpostLink): void {
    if (tap.taken) return;
    tap.taken = true;
    emit(link);
  }

  // Direct links
  const taps = new Map<string, Tap>();
  const routesOfTaps = new Set<string>();
  function tapOf(url: string): Tap | null {
    const parsed = parseUrl(url, hosts);
    if (!parsed) return null;
    const known = taps.get(url);
    if (known) return known;
    const timer = setTimeout(() => taps.delete(url), sameTapMs);
    const tap: Tap = { link: open(url, parsed), taken: false, timer };
    taps.set(url, tap);
    return tap;
  }

  async function open(
    url: string,
    parsed: { host: string; path: string; params: SignpostLink['params'] },
  ): Promise<SignpostLink> {
    const base = { id: newId(), type: 'direct' as const, url, path: parsed.path, params: parsed.params };
    const complete = (answer: Awaited<ReturnType<typeof opens.send>> | null): SignpostLink => {
      const link = linkOf(base, answer?.body);
      routesOfTaps.add(link.route);
      return answer?.status === 404 ? { ...link, answer: 'unknown' } : link;
    };
    routesOfTaps.add(complete(null).route);
    if (!app) return complete(null);
    const answering = opens.send(parsed.host, 'open', { url, app: appOf(app), open_id: base.id });
    const answer = await within(timeoutMs, answering);
    if (answer === null)
      void answering.then((late) => {
        const link = { ...complete(late), late: true };
        if (link.answer !== 'unanswered') whenListening(() => emit(link));
      });
    const link = complete(answer);
    if (link.answer === 'resolved') void opens.flush();
    return link;
  }

  const initial: Promise<Tap | null> = attempt(() => links.getInitialURL()).then(
    (url) => (url ? tapOf(url) : null),
    () => null,
  );
  function deliverTap(tap: Tap | null): void {
    void tap?.link.then((link) => whenListening(() => takeAndEmit(tap, link)));
  }
  void initial.then(deliverTap);
  const unsubscribe = links.subscribe((url) => deliverTap(tapOf(url)));

  async function take(tap: Tap | null): Promise<SignpostLink | null> {
    if (!tap) return null;
    tap.taken = true;
    return tap.link;
  }
  let initialLink: Promise<SignpostLink | null> | undefined;

  // The deferred link
  const channels: Channels = { referrer: referrer !== undefined, clipboard: clipboard !== undefined };
  let state = newFirstLaunch;
  let canStore = true;
  let loading: Promise<void> | undefined;
  let installation: number | null = null;

  async function load(): Promise<void> {
    installation = installedAt ? await within(timeoutMs, attempt(installedAt)) : null;
    let text: string | null | undefined;
    try {
      text = await storage.getItem(key);
    } catch {
      canStore = false;
    }
    try {
      const stored = JSON.parse(text ?? 'null') as FirstLaunch | null;
      if (stored && typeof stored.step === 'string') state = { ...newFirstLaunch, ...stored };
    } catch {
      // Damaged. The token works once, so a second search opens nothing twice.
    }
    if (canStore && state.step === 'new') await save();
  }
  let writing: Promise<unknown> = Promise.resolve();
  async function save(): Promise<void> {
    // A failed reading may hide a state that must not be replaced by a new one.
    if (!canStore && state.step === 'new') return;
    const text = JSON.stringify(state);
    writing = writing
      .then(async () => storage.setItem(key, text))
      .catch(() => {
        canStore = false;
      });
    await writing;
  }

  async function dispatch(event: FirstLaunchEvent): Promise<void> {
    const [after, effect] = next(state, event);
    const isChanged = after !== state;
    state = after;
    if (isChanged) await save();
    // `forget` does not wait for the others.
    if (state === after) await perform(effect);
  }

  async function perform(effect: Effect): Promise<void> {
    const before = state;
    let event: FirstLaunchEvent | null = null;
    if (effect === 'read-referrer') {
      const text = (await within(timeoutMs, attempt(referrer!))) ?? null;
      event = {
        type: 'referrer',
        text,
        now: now(),
        hosts,
        clipboard: channels.clipboard && canStore,
        claimId: newId(),
      };
    }
    if (effect === 'probe-clipboard') event = { type: 'clipboard', holds: await probe() };
    if (effect === 'claim') {
      const { body, status, retryAfterMs } = await send(fetch, `https://${state.host}/deferred-links/claim`, {
        token: state.token,
        claim_id: state.claimId,
      });
      event = { type: 'answer', status, body, retryAfterMs, now: now() };
    }
    if (effect === 'open') openDeferred();
    if (event && state === before) await dispatch(event);
  }

  async function probe(): Promise<'url' | 'text' | 'nothing' | 'unknown'> {
    try {
      if (await clipboard!.hasUrl()) return 'url';
      return (await clipboard!.hasText?.()) ? 'text' : 'nothing';
    } catch {
      return 'unknown';
    }
  }

  let isLate = false;
  let opening = false;
  function openDeferred(): void {
    const { link } = state;
    if (!link || opening) return;
    opening = true;
    whenListening(() => {
      // The person may have tapped the link again when the app was installed.
      const sameLink = routesOfTaps.has(link.route);
      const late = isLate || routesOfTaps.size > 0;
      // Stored first, so that a killed app does not open the link twice.
      void dispatch({ type: 'opened', sameLink }).then(() => {
        opening = false;
        if (!sameLink && state.step === 'claimed') emit({ ...link, late });
      });
    });
  }

  /**
   * Reports the first launch and its outcome, each once for the installation, for the statistics. Without storage they would be
   * reported at each launch. An app that gets the SDK by an update is not new.
   */
  async function report(): Promise<void> {
    const { launchId, launchedAt, outcome, outcomeUrl: url, reported, token } = state;
    const since = installation !== null && installation > minTime ? installation : launchedAt;
    if (!app || !canStore || launchId === null || now() - since > 7 * 86_400_000) return;
    if (reported === 'open' && outcome === null) return;
    const fields = outcome === null ? {} : { outcome, ...(token ? { token } : {}), ...(url ? { url } : {}) };
    void opens.send(hosts[0]!, 'first-launch', { launch_id: launchId, app: appOf(app), ...fields }, since);
    await dispatch({ type: 'reported', what: outcome === null ? 'open' : 'outcome' });
  }

  let running: Promise<void> = Promise.resolve();
  const result = (): DeferredResult => ({ status: state.status, reason: state.reason });
  const launchEvent = (type: 'launch' | 'again'): FirstLaunchEvent => ({
    type,
    now: now(),
    installedAt: installation,
    channels,
    canStore,
    launchId: newId(),
  });
  /** Runs events one after another, the launch first. Returns the status after the time limit at the latest. */
  async function step(event: () => FirstLaunchEvent): Promise<DeferredResult> {
    isLate = false;
    running = running.then(async () => {
      const isFirst = !loading;
      await (loading ??= load());
      const made = event();
      if (isFirst && made.type !== 'forget') await dispatch(launchEvent('launch'));
      if (!isFirst || made.type !== 'again') await dispatch(made);
      await report();
    });
    const isDone = await within(
      timeoutMs,
      running.then(() => true),
    );
    isLate ||= !isDone;
    return result();
  }
  const search = () => step(() => launchEvent('again'));
  const paste = (text: string | null) => step(() => ({ type: 'paste', text, now: now(), hosts, claimId: newId() }));

  /** The question of the system stays as long as the person thinks, so no time limit applies. */
  async function readClipboard(): Promise<DeferredResult> {
    if (!loading) await search();
    const mayRead = state.step === 'asking' && (await probe()) === 'url';
    return mayRead ? paste((await attempt(() => clipboard!.read()).catch(() => null)) ?? null) : result();
  }

  return {
    owns: (url) => parseUrl(url, hosts) !== null,
    getInitialLink: () => (initialLink ??= initial.then((tap) => (tap?.taken ? null : take(tap)))),
    onLink(callback) {
      const listener = (link: SignpostLink) => callback(link);
      listeners.add(listener);
      // In a later task, so that a component that mounts twice gets each link once.
      void Promise.resolve().then(() => {
        if (listeners.size === 0) return;
        const deliveries = waiting;
        waiting = [];
        deliveries.forEach((deliver) => deliver());
      });
      return () => void listeners.delete(listener);
    },
    resolve: (url) => take(tapOf(url)),
    async claimDeferred(answer = {}) {
      if (answer.paste === true) return readClipboard();
      return answer.paste === false ? step(() => ({ type: 'decline' })) : search();
    },
    paste,
    async forget() {
      waiting = [];
      taps.forEach(({ timer }) => clearTimeout(timer));
      taps.clear();
      opening = false;
      // A claim without an answer must not delay the deletion.
      running = Promise.resolve();
      await step(() => ({ type: 'forget' }));
      await opens.clear();
    },
    stop() {
      unsubscribe();
      taps.forEach(({ timer }) => clearTimeout(timer));
    },
  };
}
