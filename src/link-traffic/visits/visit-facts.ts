import type { IncomingMessage } from 'node:http';
import { preferredLanguageOf } from '../../link-routing/visitor/preferred-language';
import type { RuleFacts } from '../../link-routing/visited-link/rules';
import { type System, systemOf } from '../../link-routing/visitor/system';
import type { Visitor } from '../../link-routing/visitor/visitor';
import type { ClickReader } from '../recording/click-reader';
import { referringHost } from '../../link-routing/visitor/referring-host';

/** Reads what rules compare from a request, each value when the first rule asks for it. */
export class VisitFacts implements RuleFacts {
  readonly appVersion = null;
  #system: System | undefined;
  #country: string | null | undefined;
  #language: string | null | undefined;
  #address: string | null | undefined;

  constructor(
    private readonly request: IncomingMessage,
    private readonly visitor: Visitor,
    readonly query: string,
    private readonly via: string | null,
    /** Milliseconds since 1970 by the clock of the database. */
    readonly at: number,
    private readonly clickReader: Pick<ClickReader, 'countryOf' | 'proxiedAddressOf'>,
  ) {}

  get system(): System {
    const { headers } = this.request;
    const clientHint = (headers['sec-ch-ua-platform'] as string | undefined) ?? '';
    return (this.#system ??= systemOf(this.visitor, headers['user-agent'] ?? '', clientHint));
  }

  get browser(): string | null {
    return this.visitor.browser;
  }

  get country(): string | null {
    if (this.#country === undefined) this.#country = this.clickReader.countryOf(this.request);
    return this.#country;
  }

  get language(): string | null {
    if (this.#language === undefined) this.#language = preferredLanguageOf(this.request.headers['accept-language']);
    return this.#language;
  }

  get referringHost(): string | null {
    return referringHost(this.request.headers.referer);
  }

  get address(): string | null {
    if (this.#address === undefined) this.#address = this.clickReader.proxiedAddressOf(this.request);
    return this.#address;
  }

  get qr(): boolean {
    return this.via === 'qr';
  }
}
