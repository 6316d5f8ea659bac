import type { HostAddresses } from '../../platform/outbound/host-addresses';
import {
  type OutboundAnswer,
  OutboundConnection,
  type OutboundRequest,
} from '../../platform/outbound/outbound-connection';
import { OutboundFailure, type OutboundReason } from '../../platform/outbound/outbound.errors';
import type { Clock } from '../../shared/clock';
import type { SourceRecord } from '../sources/import-source';
import { ApiAnswer } from './api-answer';
import { jsonOf } from './api-json';
import { urlBelow } from './api-url';
import type { ApiChoice, ApiQuestion, Ask, ImportApi } from './import-api';
import { ImportApiFailure, type ListFault } from './import-api.errors';
import { type ListProgress, noProgress, progressAfter, requireListSize } from './list-progress';
import { type Attempts, pauseMs } from './retry-pause';

export class ImportApiSettings {
  readonly allowPrivateAddresses: boolean;
}

/** A page has 150 links at most, or 500 small ones of YOURLS. Parsing it must not keep visitors waiting, or fill the memory. */
const maxAnswerBytes = 2_000_000;

/** Short, because a list has a place among the others meanwhile. */
const timeoutMs = 20_000;

/**
 * Milliseconds of a step after which it asks nothing more. With its last answer it stays below the 60 s after which the queue gives a job
 * to another process (`PgImportQueue`). Tests lower it.
 */
export const stepLimits = { askingMs: 30_000 };

type Result = OutboundAnswer | OutboundFailure;

const passing: ReadonlySet<OutboundReason> = new Set(['unreachable', 'no_answer', 'timeout']);

const failures: Record<OutboundReason, readonly [ListFault, string]> = {
  not_resolved: ['not_resolved', 'has no address in the DNS; check the address'],
  private_address: [
    'private_address',
    'has an address that is not public; an operator can allow it by IMPORT_PRIVATE_ADDRESSES',
  ],
  unreachable: ['unreachable', 'cannot be reached; check the address, or try again later'],
  certificate: ['certificate_invalid', 'has no valid certificate; repair it first'],
  no_answer: ['no_answer', 'has closed the connection without a whole answer; try again later'],
  timeout: ['no_answer', `has not answered within ${timeoutMs / 1000} seconds; try again later`],
  compressed: ['strange_answer', 'has sent a compressed answer, although none was accepted; import a file'],
  too_large: ['strange_answer', 'has sent an answer of more than 2 MB; import a file'],
};

/** The parts of a request for a list. The token is in memory only, and in no message. */
export interface ListRequest {
  api: ImportApi;
  token: string;
  /** The address of an installation; null for hosted systems. */
  url: string | null;
  choice: ApiChoice;
}

export interface ListStep {
  records: readonly SourceRecord[];
  /** Null at the end of the list, which is complete then. */
  progress: ListProgress | null;
}

/** Ends a step that another attempt may complete. */
export class ReadLater extends Error {
  constructor(
    /** The wait before the next attempt, with fractions. */
    readonly afterSeconds: number,
    /** The state before the step, with this attempt. */
    readonly progress: ListProgress,
  ) {
    super('The list is read later');
  }
}

export class ImportApiClient {
  constructor(
    private readonly addresses: HostAddresses,
    private readonly settings: ImportApiSettings,
    private readonly clock: Clock,
    private readonly counts: Record<'answered' | keyof Attempts, number>,
    /** Replaces the CA certificates of Node and the port, for servers of tests. */
    private readonly server: { caCertificates?: string; port?: number } = {},
  ) {}

  /**
   * Reads a part of the list, and never waits between questions.
   * @param progress of the step before; null for the first step
   * @throws ReadLater if another attempt may succeed
   * @throws ImportApiFailure; the reason of `signal` if that aborts
   */
  async readPage(list: ListRequest, progress: ListProgress | null, signal: AbortSignal): Promise<ListStep> {
    const before = progress ?? noProgress;
    let { bytes } = before;
    const connection = new OutboundConnection(this.addresses, {
      ...this.settings,
      ...this.server,
      maxAnswerBytes,
      timeoutMs,
    });
    const begunAt = performance.now();
    const isLate = (): boolean => performance.now() - begunAt > stepLimits.askingMs;
    const send = (question: ApiQuestion): Promise<Result> =>
      connection.send(requestOf(list, question), signal).catch((error: unknown) => {
        if (error instanceof OutboundFailure) return error;
        throw error;
      });
    const ask: Ask = async (question) => {
      const result = isLate() ? new OutboundFailure('timeout') : await send(question);
      if (result instanceof OutboundFailure || result.status !== 200)
        throw this.#failed(list.api, result, { ...before, bytes });
      this.counts.answered++;
      const body = result.body!;
      bytes += body.length;
      requireListSize(bytes);
      return new ApiAnswer(list.api.name, jsonOf(list.api, body));
    };
    try {
      const step = await list.api.readPage(ask, before.cursor, list.choice, list.token);
      return { records: step.records ?? [], progress: progressAfter(list, before, step, bytes) };
    } finally {
      connection.close();
    }
  }

  #failed(api: ImportApi, result: Result, before: ListProgress): ReadLater | ImportApiFailure {
    const reason = reasonOf(result);
    this.counts[reason ?? 'failed']++;
    if (reason === null) return failureOf(api, result);
    const attempts = { ...before.attempts, [reason]: before.attempts[reason] + 1 };
    const retryAfter = result instanceof OutboundFailure ? undefined : result.headers['retry-after'];
    const pause = pauseMs(reason, attempts[reason], retryAfter, this.clock.now());
    return pause === null ? failureOf(api, result) : new ReadLater(pause / 1000, { ...before, attempts });
  }
}

function requestOf({ api, token, url: base }: ListRequest, question: ApiQuestion): OutboundRequest {
  const { path, query, form } = question;
  const url = urlBelow(api.baseUrl ?? base!, path, query);
  const headers = { 'User-Agent': 'Signpost import', ...api.headers(token), ...question.headers };
  if (!form) return { method: 'GET', url, headers };
  const body = new URLSearchParams(form).toString();
  const ofBody = {
    'Content-Type': 'application/x-www-form-urlencoded',
    'Content-Length': String(Buffer.byteLength(body)),
  };
  return { method: 'POST', url, headers: { ...headers, ...ofBody }, body };
}

/** Returns why another attempt may succeed; null if none will. */
function reasonOf(result: Result): keyof Attempts | null {
  if (result instanceof OutboundFailure) return passing.has(result.reason) ? 'failed' : null;
  if (result.status === 429) return 'limited';
  return result.status >= 500 ? 'failed' : null;
}

/** Returns the failure of a question that no other attempt can answer. */
export function failureOf({ name, baseUrl }: ImportApi, result: Result): ImportApiFailure {
  if (result instanceof OutboundFailure) {
    const [fault, text] = failures[result.reason];
    return new ImportApiFailure(fault, `The server of ${name} ${text}`);
  }
  const { status } = result;
  const [fault, remedy] = refusalOf(status, baseUrl === null);
  return new ImportApiFailure(fault, `${name} has answered with the status ${status}; ${remedy}`);
}

function refusalOf(status: number, isInstallation: boolean): readonly [ListFault, string] {
  const later = 'try again later, or import a file';
  if (status === 401 || status === 403) return ['token_refused', 'check the token and what it may read'];
  if (status === 404) return ['not_found', isInstallation ? 'check the address of the installation' : later];
  if (status >= 300 && status < 400)
    return ['redirected', 'redirects are not followed, so send the address that it redirects to'];
  if (status === 429) return ['rate_limited', 'its limit of requests is used up, so try again later'];
  return ['wrong_status', later];
}
