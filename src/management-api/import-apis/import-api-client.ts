import { setTimeout as sleep } from 'node:timers/promises';
import { type JsonFault, jsonFaultOf } from '../../platform/http/json-limits';
import type { HostAddresses } from '../../platform/outbound/host-addresses';
import {
  type OutboundAnswer,
  OutboundConnection,
  type OutboundRequest,
} from '../../platform/outbound/outbound-connection';
import { OutboundFailure, type OutboundReason } from '../../platform/outbound/outbound.errors';
import type { Clock } from '../../shared/clock';
import type { ImportApiSettings } from './import-api-settings';
import { urlBelow } from './api-url';
import type { ApiChoice, ApiPage, ApiQuestion, ImportApi } from './import-api';
import { EndlessList, ImportApiFailure, IncompleteList, type ListFault, StrangeAnswer } from './import-api.errors';
import { pauseMs } from './retry-pause';

/** A page has 150 links at most, or 500 small ones of YOURLS. Parsing it must not keep visitors waiting, or fill the memory. */
const maxAnswerBytes = 2_000_000;

const timeoutMs = 60_000;

/** Pages without a link, one after the other, after which a list has no end. Domains and groups may be empty. */
const maxEmptyPages = 1000;

/** Failures that may pass. */
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

/** The cost of an answer. */
export interface ParsedAnswer {
  bytes: number;
  parsedInMs: number;
}

/** Reads the lists of other systems. */
export class ImportApiClient {
  /** Questions to APIs by result, for metrics. */
  readonly counts = { answered: 0, limited: 0, failed: 0 };

  constructor(
    private readonly addresses: HostAddresses,
    private readonly settings: ImportApiSettings,
    private readonly clock: Clock,
    /** Replaces the CA certificates of Node and the port, for servers of tests. */
    private readonly server: { caCertificates?: string; port?: number } = {},
  ) {}

  /**
   * Reads the pages of the list, and waits as long as the API asks for.
   * @param afterAnswer is awaited after each answer
   * @throws ImportApiFailure; the reason of `signal` if that aborts; what `afterAnswer` throws
   */
  async *pages(
    { api, token, url, choice }: ListRequest,
    signal: AbortSignal,
    afterAnswer: (answer: ParsedAnswer) => Promise<void>,
  ): AsyncGenerator<ApiPage> {
    const connection = new OutboundConnection(this.addresses, {
      ...this.settings,
      ...this.server,
      maxAnswerBytes,
      timeoutMs,
    });
    const common = { 'User-Agent': 'Signpost import', ...api.headers(token) };
    const ask = async ({ path, query, form, headers: further }: ApiQuestion): Promise<unknown> => {
      const headers = { ...common, ...further };
      const request: OutboundRequest = { method: 'GET', url: urlBelow(api.baseUrl ?? url!, path, query), headers };
      if (form) {
        const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
        const body = new URLSearchParams(form).toString();
        const length = { 'Content-Length': String(Buffer.byteLength(body)) };
        Object.assign(request, { method: 'POST', headers: { ...headers, ...type, ...length }, body });
      }
      const answer = await this.#send(api, connection, request, signal);
      const startedAt = performance.now();
      const json = jsonOf(api, answer);
      await afterAnswer({ bytes: answer.body.length, parsedInMs: performance.now() - startedAt });
      return json;
    };
    try {
      yield* checkedPages(api, api.pages(ask, choice, token));
    } finally {
      connection.close();
    }
  }

  async #send(
    api: ImportApi,
    connection: OutboundConnection,
    request: OutboundRequest,
    signal: AbortSignal,
  ): Promise<OutboundAnswer> {
    // Separate, because a fault may come after hours of waits for a limit.
    const attempts = { failed: 0, limited: 0 };
    for (;;) {
      const result = await this.#attempt(connection, request, signal);
      const reason = reasonOf(result);
      if (!(result instanceof OutboundFailure) && result.status === 200) {
        this.counts.answered++;
        return result;
      }
      this.counts[reason ?? 'failed']++;
      const retryAfter = result instanceof OutboundFailure ? undefined : result.headers['retry-after'];
      const pause = reason && pauseMs(reason, ++attempts[reason], retryAfter, this.clock.now());
      if (pause === null) throw failureOf(api, result);
      await sleep(pause, undefined, { signal, ref: false }).catch(() => signal.throwIfAborted());
    }
  }

  async #attempt(
    connection: OutboundConnection,
    request: OutboundRequest,
    signal: AbortSignal,
  ): Promise<OutboundAnswer | OutboundFailure> {
    try {
      return await connection.send(request, signal);
    } catch (error) {
      if (error instanceof OutboundFailure) return error;
      throw error;
    }
  }
}

/** Returns why another attempt may succeed; null if none will. */
function reasonOf(result: OutboundAnswer | OutboundFailure): 'failed' | 'limited' | null {
  if (result instanceof OutboundFailure) return passing.has(result.reason) ? 'failed' : null;
  if (result.status === 429) return 'limited';
  return result.status >= 500 ? 'failed' : null;
}

/** Returns the failure of a question that no other attempt can answer. */
export function failureOf({ name, baseUrl }: ImportApi, result: OutboundAnswer | OutboundFailure): ImportApiFailure {
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

/** A page of 500 small links, or of 150 large ones, has some thousands of values. */
const maxValues = 50_000;

const jsonFaults: Record<JsonFault, string> = {
  too_deep: 'that nests arrays and objects too deep',
  too_many_values: 'with too many values',
};

function jsonOf({ name }: ImportApi, { body }: OutboundAnswer): unknown {
  const fault = jsonFaultOf(body, maxValues);
  if (fault !== null) throw new StrangeAnswer(name, jsonFaults[fault]);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    return JSON.parse(controls.test(text) ? withEscapedControls(text) : text);
  } catch {
    throw new StrangeAnswer(name, 'that is not JSON');
  }
}

const controls = /[\0-\x1f]/;

/**
 * Escapes control characters in strings. Bitly sends titles with them, which JSON does not permit. A string that is not closed
 * matches to the end, because a search from each of its quotes would take quadratic time.
 */
const withEscapedControls = (text: string): string =>
  text.replaceAll(/"[^"\\]*(?:\\[\s\S][^"\\]*)*(?:"|\\?$)/g, (string) =>
    string.replaceAll(/[\0-\x1f]/g, (control) => JSON.stringify(control).slice(1, -1)),
  );

/** Ends lists that repeat themselves, and those of which links are missing. */
async function* checkedPages({ name }: ImportApi, pages: AsyncIterable<ApiPage>): AsyncGenerator<ApiPage> {
  let first = '';
  let empty = 0;
  let records = 0;
  const totals: number[] = [];
  for await (const page of pages) {
    const begin = page.records.length > 0 ? JSON.stringify(page.records[0]) : '';
    if (begin !== '' && begin === first) throw new EndlessList(name);
    first = begin;
    empty = begin === '' ? empty + 1 : 0;
    if (empty > maxEmptyPages) throw new EndlessList(name);
    records += page.counted ?? page.records.length;
    const { total } = page;
    if (total !== null) {
      if (total < (totals.at(-1) ?? 0)) throw new IncompleteList(name, 'has lost links while its list was read');
      totals[totals.length > 0 ? 1 : 0] = total;
    }
    yield page;
  }
  // Links that are new since the first page may be missing.
  const [wanted = 0] = totals;
  if (records < wanted) throw new IncompleteList(name, `has sent ${records} of ${wanted} links`);
}
