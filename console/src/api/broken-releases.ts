import type { ReleaseDetails } from 'signpost-client';
import { errorOf } from './api-error';

type BrokenRelease = ReleaseDetails['releases'][number];

/** A refused change that waits for the answer of the person. */
export interface BrokenReleasesQuestion {
  releases: readonly BrokenRelease[];
  answer(isAcknowledged: boolean): void;
}

type Listener = () => void;

/** Asks whether a change may break released versions of apps, and tells of those that a change has broken. */
class BrokenReleases {
  question: BrokenReleasesQuestion | null = null;
  /** Versions that the last change has broken. */
  reported: string | null = null;
  readonly #listeners = new Set<Listener>();

  readonly subscribe = (listener: Listener): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  ask(releases: readonly BrokenRelease[]): Promise<boolean> {
    this.question?.answer(false);
    return new Promise((resolve) => {
      const answer = (isAcknowledged: boolean): void => {
        this.#set({ question: null });
        resolve(isAcknowledged);
      };
      this.#set({ question: { releases, answer } });
    });
  }

  report(versions: string | null): void {
    this.#set({ reported: versions });
  }

  #set(state: Partial<Pick<BrokenReleases, 'question' | 'reported'>>): void {
    Object.assign(this, state);
    for (const listener of this.#listeners) listener();
  }
}

export const brokenReleases = new BrokenReleases();

/** Sends a request. If it breaks released versions and the person agrees, sends it again with all of them acknowledged. */
export async function fetchAcknowledged(request: Request): Promise<Response> {
  const repetition = request.method === 'GET' ? null : request.clone();
  const response = await fetch(request);
  const versions = response.headers.get('Broken-App-Versions');
  if (versions !== null) brokenReleases.report(versions);
  if (repetition === null || response.status !== 409) return response;
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => null);
  const { code, details } = errorOf(response, body);
  if (code !== 'BREAKS_RELEASED_APP' || details === undefined || !('releases' in details)) return response;
  if (!(await brokenReleases.ask(details.releases))) return response;
  const url = new URL(repetition.url);
  url.searchParams.set('acknowledge', [...new Set(details.releases.map(({ version }) => version))].join(','));
  // A request with another URL would stream its body, which browsers do over HTTP/2 only.
  const { method, headers, signal } = repetition;
  const sent = await repetition.text();
  return fetch(url, { method, headers, signal, ...(sent !== '' && { body: sent }) });
}
