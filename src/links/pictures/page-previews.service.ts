import { Injectable } from '@nestjs/common';
import { HostAddresses } from '../../platform/outbound/host-addresses';
import { type OutboundAnswer, OutboundConnection } from '../../platform/outbound/outbound-connection';
import { OutboundFailure } from '../../platform/outbound/outbound.errors';
import { ProbeLimits } from '../../platform/outbound/probe-limits';
import { ProbeSettings } from '../../platform/outbound/probe-settings';
import { destinationUrl } from '../../shared/destination-url';
import { InvalidInput } from '../../shared/problem';
import type { Plan } from '../../tenancy/accounts/plan';
import type { Project } from '../projects/project';
import { decodePage, type PageHead, readPageHead } from './page-head';
import { maxPictureBytes, type StoredPicture } from './picture';
import { PicturesService } from './pictures.service';

/** Networks read the head of a page only, which is rarely longer. */
const maxPageBytes = 500_000;
const maxRedirects = 3;
/** Of each request. All requests of a preview end within the time of a probe. */
const timeoutMs = 4000;
const totalMs = 9000;

export const pageFailures = ['not_resolved', 'private_address', 'unreachable', 'certificate', 'no_page'] as const;
type PageFailure = (typeof pageFailures)[number];

export interface PagePreview extends Pick<PageHead, 'title' | 'description'> {
  /** Null if the page has none that can be stored. */
  picture: StoredPicture | null;
  /** Null if the page was read. */
  failure: PageFailure | null;
}

/** Reads title, description and picture of web pages, by the rules of probes for addresses. */
@Injectable()
export class PagePreviewsService {
  constructor(
    private readonly addresses: HostAddresses,
    private readonly settings: ProbeSettings,
    private readonly limits: ProbeLimits,
    private readonly pictures: PicturesService,
  ) {}

  /** @throws TooManyProbes, and the refusals of an upload except those of the picture itself */
  async preview(project: Project, plan: Plan, url: URL): Promise<PagePreview> {
    const read = await this.limits.run(project.accountId, () => this.#read(url, AbortSignal.timeout(totalMs)));
    if ('failure' in read) return { title: null, description: null, picture: null, failure: read.failure };
    const { title, description } = read.head;
    const picture = read.image && (await this.#store(project, plan, read.image));
    return { title, description, picture, failure: null };
  }

  async #read(
    start: URL,
    signal: AbortSignal,
  ): Promise<{ failure: PageFailure } | { head: PageHead; image: Buffer | null }> {
    try {
      const { answer, url } = await this.#get(start, { maxAnswerBytes: maxPageBytes, cutsBody: true }, signal);
      // A page that was compressed in spite of `Accept-Encoding` could have any size.
      const isReadable = (answer.headers['content-encoding'] ?? 'identity') === 'identity';
      if (answer.status !== 200 || !isReadable) return { failure: 'no_page' };
      const head = readPageHead(decodePage(answer.body!, answer.headers['content-type']));
      return { head, image: await this.#imageOf(head, url, signal) };
    } catch (error) {
      const reason = error instanceof OutboundFailure ? error.reason : 'no_page';
      return { failure: pageFailures.find((failure) => failure === reason) ?? 'no_page' };
    }
  }

  /** Returns null without an image, or if it cannot be read. */
  async #imageOf({ imageUrl }: PageHead, page: URL, signal: AbortSignal): Promise<Buffer | null> {
    const url = imageUrl === null ? null : resolved(imageUrl, page);
    if (!url) return null;
    try {
      const { answer } = await this.#get(url, { maxAnswerBytes: maxPictureBytes }, signal);
      return answer.status === 200 ? answer.body : null;
    } catch {
      return null;
    }
  }

  async #store(project: Project, plan: Plan, image: Buffer): Promise<StoredPicture | null> {
    try {
      return await this.pictures.upload(project, plan, async () => image);
    } catch (error) {
      if (error instanceof InvalidInput) return null;
      throw error;
    }
  }

  /** Follows redirects. Each has a separate connection, so that the addresses of each host are checked. */
  async #get(
    start: URL,
    limits: { maxAnswerBytes: number; cutsBody?: boolean },
    signal: AbortSignal,
  ): Promise<{ answer: OutboundAnswer; url: URL }> {
    let url = start;
    for (let redirects = 0; ; redirects++) {
      const connection = new OutboundConnection(this.addresses, {
        allowPrivateAddresses: this.settings.allowPrivateAddresses,
        allowHttp: true,
        timeoutMs,
        ...limits,
      });
      const headers = { 'User-Agent': 'Signpost page preview', Accept: 'text/html, image/*;q=0.9, */*;q=0.5' };
      const answer = await connection.send({ method: 'GET', url, headers }, signal).finally(() => connection.close());
      const location = answer.status >= 300 && answer.status < 400 ? answer.headers.location : undefined;
      const next = location === undefined ? null : resolved(location, url);
      if (!next) return { answer, url };
      if (redirects === maxRedirects) throw new OutboundFailure('no_answer');
      url = next;
    }
  }
}

/** Returns null for another scheme, and for a text that is not a URL. */
function resolved(reference: string, base: URL): URL | null {
  let url: URL;
  try {
    url = new URL(reference, base);
  } catch {
    return null;
  }
  return destinationUrl.tryParse(url.href) === null ? null : url;
}
