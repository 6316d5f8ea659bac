import { linkOf, parseReferrer, parseUrl, type Params, type SignpostLink } from './link.js';

/** `ask`: the clipboard may hold the link; ask the person. `waiting`: there was no answer yet; a later call continues. */
export type DeferredStatus = 'claimed' | 'none' | 'ask' | 'declined' | 'waiting' | 'used' | 'expired';

/** The fact that decided the status. */
export type DeferredReason =
  | 'first-launch'
  | 'no-channel'
  | 'referrer-pending'
  | 'referrer-missing'
  | 'referrer-without-token'
  | 'clipboard-pending'
  | 'clipboard-has-url'
  | 'clipboard-has-text'
  | 'clipboard-without-url'
  | 'clipboard-without-token'
  | 'interrupted'
  | 'ignored'
  | 'person-declined'
  | 'system-declined'
  | 'storage'
  | 'claiming'
  | 'offline'
  | 'busy'
  | 'answered'
  | 'answer-lost'
  | 'opened-before'
  | 'same-link'
  | 'known-token'
  | 'refused'
  | 'too-old'
  | 'forgotten';

/** The outcome of the first launch, as the statistics count it. */
export type LaunchOutcome =
  | 'claimed'
  | 'offline_later'
  | Extract<DeferredStatus, 'none' | 'declined' | 'expired' | 'used'>;

/** The state of the search for the link that led to the installation. It is stored after each change. */
export interface FirstLaunch {
  step: 'new' | 'asking' | 'waiting' | 'claimed' | 'ended';
  status: DeferredStatus;
  reason: DeferredReason;
  /** Identifies the installation, so that a restored backup is recognised; null if the platform does not know. */
  installedAt: number | null;
  /** Failed attempts in this step. */
  tries: number;
  token: string | null;
  /** Drawn for the claim. The service answers the same claim again for an hour. */
  claimId: string | null;
  /** Receives the claim. */
  host: string | null;
  /** The copied URL, without the token's query; null if the token came with the referrer. */
  url: string | null;
  path: string;
  params: Params;
  firstSeenAt: number;
  /** No claim before this time, Unix time in milliseconds. */
  retryAt: number;
  /** Whether a claim is under way. If it is at a launch, the app was killed before the answer. */
  sending: boolean;
  /** Whether the service may have carried out a claim whose answer was lost. */
  unanswered: boolean;
  link: SignpostLink | null;
  opened: boolean;
  /** Drawn for the installation, and null once its outcome is reported. */
  launchId: string | null;
  launchedAt: number;
  /** Whether the app was started again while the claim had no answer. */
  later: boolean;
  outcome: LaunchOutcome | null;
  /** The link of the outcome, if its URL is known. */
  outcomeUrl: string | null;
  reported: 'nothing' | 'open' | 'outcome';
}

export interface Channels {
  referrer: boolean;
  clipboard: boolean;
}

export type FirstLaunchEvent =
  /** The first call in a process, or a later one. */
  | {
      type: 'launch' | 'again';
      now: number;
      installedAt: number | null;
      channels: Channels;
      canStore: boolean;
      launchId: string;
    }
  /** Null: the store did not answer. */
  | {
      type: 'referrer';
      text: string | null;
      now: number;
      hosts: readonly string[];
      clipboard: boolean;
      claimId: string;
    }
  | { type: 'clipboard'; holds: 'url' | 'text' | 'nothing' | 'unknown' }
  /** Null or empty: the person declined the question of the system. */
  | { type: 'paste'; text: string | null; now: number; hosts: readonly string[]; claimId: string }
  | { type: 'decline' }
  /** Status null: there was no answer. */
  | { type: 'answer'; status: number | null; body: unknown; retryAfterMs: number; now: number }
  | { type: 'opened'; sameLink: boolean }
  | { type: 'reported'; what: 'open' | 'outcome' }
  | { type: 'forget' };

export type Effect = 'read-referrer' | 'probe-clipboard' | 'claim' | 'open' | null;

const maxReferrerTries = 10;
const maxProbeTries = 3;
const maxClaimTries = 10;
const dayMs = 86_400_000;
const hourMs = 3_600_000;
/** Play keeps referrers for 90 days, and the service its tokens. Copied tokens expire after 7 days. */
const lifetimeMs = (state: FirstLaunch): number => (state.url === null ? 90 : 7) * dayMs;

export const newFirstLaunch: FirstLaunch = {
  step: 'new',
  status: 'waiting',
  reason: 'first-launch',
  installedAt: null,
  tries: 0,
  token: null,
  claimId: null,
  host: null,
  url: null,
  path: '/',
  params: {},
  firstSeenAt: 0,
  retryAt: 0,
  sending: false,
  unanswered: false,
  link: null,
  opened: false,
  launchId: null,
  launchedAt: 0,
  later: false,
  outcome: null,
  outcomeUrl: null,
  reported: 'nothing',
};

type Result = [FirstLaunch, Effect];

const changed = (state: FirstLaunch, change: Partial<FirstLaunch>, effect: Effect = null): Result => [
  { ...state, ...change },
  effect,
];

/** The first outcome counts, also if a later paste finds a link. */
const withOutcome = (state: FirstLaunch, outcome: LaunchOutcome, url: string | null): Partial<FirstLaunch> =>
  state.outcome === null ? { outcome, outcomeUrl: url } : {};

const ended = (
  state: FirstLaunch,
  status: Exclude<LaunchOutcome & DeferredStatus, 'claimed'>,
  reason: DeferredReason,
): Result =>
  changed(state, {
    ...withOutcome(state, status, state.url),
    step: 'ended',
    status,
    reason,
    sending: false,
    host: null,
    url: null,
    params: {},
    link: null,
  });

/** Decides the next state and what to do. Pure, so that every launch of the docs is a test. */
export function next(state: FirstLaunch, event: FirstLaunchEvent): Result {
  switch (event.type) {
    case 'launch':
    case 'again':
      return launched(state, event);
    case 'referrer':
      return state.step === 'new' ? withReferrer(state, event) : [state, null];
    case 'clipboard':
      return state.step === 'new' || state.step === 'asking' ? withClipboard(state, event.holds) : [state, null];
    case 'paste':
      return state.step === 'waiting' || state.step === 'claimed' ? [state, null] : withPaste(state, event);
    case 'decline':
      return state.step === 'asking' || state.step === 'new'
        ? ended(state, 'declined', 'person-declined')
        : [state, null];
    case 'answer':
      return state.step === 'waiting' ? withAnswer(state, event) : [state, null];
    case 'opened':
      return state.step === 'claimed'
        ? changed(state, { opened: true, link: null, ...(event.sameLink ? { reason: 'same-link' } : {}) })
        : [state, null];
    case 'reported':
      return changed(state, { reported: event.what, ...(event.what === 'outcome' ? { launchId: null } : {}) });
    case 'forget':
      return ended({ ...newFirstLaunch, installedAt: state.installedAt, reported: 'outcome' }, 'none', 'forgotten');
  }
}

function launched(before: FirstLaunch, event: Extract<FirstLaunchEvent, { type: 'launch' | 'again' }>): Result {
  const { now, installedAt, channels, canStore } = event;
  const isOther = before.installedAt !== null && installedAt !== null && before.installedAt !== installedAt;
  const known: FirstLaunch = isOther
    ? // Storage from a backup. The installation may have another token, but a token that was claimed stays used.
      { ...newFirstLaunch, installedAt, token: before.step === 'waiting' ? null : before.token }
    : { ...before, installedAt: installedAt ?? before.installedAt };
  const isNew = known.launchId === null && known.reported === 'nothing';
  const state: FirstLaunch = isNew ? { ...known, launchId: event.launchId, launchedAt: now } : known;
  switch (state.step) {
    case 'new':
      if (channels.referrer) return [state, 'read-referrer'];
      if (!channels.clipboard) return ended(state, 'none', 'no-channel');
      // The state would not be remembered, so every launch would ask.
      return canStore ? [state, 'probe-clipboard'] : changed(state, { reason: 'storage' });
    case 'asking':
      if (event.type === 'again') return [state, null];
      // An app that was killed asks once more.
      if (state.tries > 0) return ended(state, 'declined', 'ignored');
      return changed(state, { tries: 1 }, 'probe-clipboard');
    case 'waiting':
      if (state.tries >= maxClaimTries && now - state.firstSeenAt >= lifetimeMs(state))
        return ended(state, 'expired', 'too-old');
      // A longer wait means that the clock was changed.
      if (now < state.retryAt && state.retryAt - now <= hourMs) return [state, null];
      return changed(
        state,
        { sending: true, unanswered: state.unanswered || state.sending, later: state.later || event.type === 'launch' },
        'claim',
      );
    case 'claimed':
      if (!state.opened) return [state, 'open'];
      return event.type === 'again' ? [state, null] : changed(state, { status: 'used', reason: 'opened-before' });
    case 'ended':
      return [state, null];
  }
}

function withReferrer(state: FirstLaunch, event: Extract<FirstLaunchEvent, { type: 'referrer' }>): Result {
  const tries = state.tries + 1;
  if (event.text === null)
    return tries < maxReferrerTries
      ? changed(state, { tries, status: 'waiting', reason: 'referrer-pending' })
      : ended(state, 'none', 'referrer-missing');
  const { token, params } = parseReferrer(event.text);
  if (token !== null)
    return toClaim(state, { token, params, host: event.hosts[0] ?? null, url: null, path: '/' }, event);
  return event.clipboard
    ? changed(state, { tries: 0 }, 'probe-clipboard')
    : ended(state, 'none', 'referrer-without-token');
}

function withClipboard(state: FirstLaunch, holds: 'url' | 'text' | 'nothing' | 'unknown'): Result {
  if (holds === 'nothing') return ended(state, 'none', 'clipboard-without-url');
  if (holds === 'unknown') {
    const tries = state.tries + 1;
    return tries < maxProbeTries
      ? changed(state, { step: 'new', tries, status: 'waiting', reason: 'clipboard-pending' })
      : ended(state, 'none', 'clipboard-without-url');
  }
  if (state.step === 'asking') return changed(state, { status: 'ask', reason: 'interrupted' });
  return changed(state, {
    step: 'asking',
    tries: 0,
    status: 'ask',
    reason: holds === 'url' ? 'clipboard-has-url' : 'clipboard-has-text',
  });
}

function withPaste(state: FirstLaunch, event: Extract<FirstLaunchEvent, { type: 'paste' }>): Result {
  if (!event.text) return state.step === 'ended' ? [state, null] : ended(state, 'declined', 'system-declined');
  const parsed = parseUrl(event.text, event.hosts);
  if (!parsed?.token) return ended(state, 'none', 'clipboard-without-token');
  const { host, path, params, token } = parsed;
  return toClaim(state, { token, params, host, path, url: `https://${host}${path}` }, event);
}

type Claim = Pick<FirstLaunch, 'token' | 'params' | 'host' | 'url' | 'path'>;

/** A token is claimed once per storage, which a backup may have brought from another phone. */
function toClaim(state: FirstLaunch, claim: Claim, event: { now: number; claimId: string }): Result {
  if (claim.token === state.token) return ended(state, 'used', 'known-token');
  const { now, claimId } = event;
  const fresh = { tries: 0, firstSeenAt: now, retryAt: 0, sending: true, unanswered: false, link: null, opened: false };
  return changed(
    state,
    { ...claim, ...fresh, claimId, step: 'waiting', status: 'waiting', reason: 'claiming' },
    'claim',
  );
}

function withAnswer(state: FirstLaunch, event: Extract<FirstLaunchEvent, { type: 'answer' }>): Result {
  const { status, body, now } = event;
  const base = {
    id: state.token ?? '',
    type: 'deferred' as const,
    url: state.url ?? '',
    path: state.path,
    params: state.params,
  };
  const link = linkOf(base, body);
  if (status === 200 && link.answer === 'resolved')
    return claimed(state, { ...link, url: link.fullUrl ?? link.url }, 'answered');
  if (status === 404) {
    // The copied URL has the path, so a link whose answer was lost can be opened without the service.
    if (state.unanswered && state.url !== null) return claimed(state, link, 'answer-lost');
    if (state.unanswered) return ended(state, 'used', 'answer-lost');
    return now - state.firstSeenAt >= lifetimeMs(state)
      ? ended(state, 'expired', 'too-old')
      : ended(state, 'used', 'refused');
  }
  if (status === 400 || status === 413 || status === 415) return ended(state, 'used', 'refused');
  return changed(state, {
    tries: state.tries + 1,
    sending: false,
    status: 'waiting',
    reason: status === null || status < 400 ? 'offline' : 'busy',
    retryAt: now + Math.min(event.retryAfterMs, hourMs),
    unanswered: state.unanswered || status !== 429,
  });
}

const claimed = (state: FirstLaunch, link: SignpostLink, reason: DeferredReason): Result =>
  changed(
    state,
    {
      ...withOutcome(state, state.later ? 'offline_later' : 'claimed', link.url || null),
      step: 'claimed',
      status: 'claimed',
      reason,
      link,
      opened: false,
      sending: false,
      url: null,
      host: null,
    },
    'open',
  );
