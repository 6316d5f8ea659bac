import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import type { CloudEventDto } from '../../../src/tenancy/webhooks/webhook-event.dto';
import { endServer, listenOnLoopback } from '../../support/loopback';

export type ReceivedEvent = CloudEventDto & { data: { after: Record<string, unknown> | null } };

export interface Received {
  id: string;
  headers: IncomingMessage['headers'];
  text: string;
  event: ReceivedEvent;
}

export type Behaviour = (response: ServerResponse, event: ReceivedEvent) => void;

export const accepts: Behaviour = (response) => void response.writeHead(204).end();
export const refuses =
  (status = 500, headers: Record<string, string> = {}): Behaviour =>
  (response) =>
    void response.writeHead(status, headers).end('maintenance');
export const hangs: Behaviour = () => {};

/** A receiver of webhooks on loopback. */
export class Receiver {
  /** Requests in the order of their arrival. */
  readonly received: Received[] = [];
  /** Events that it has accepted, by the first arrival of each. */
  readonly accepted: ReceivedEvent[] = [];
  behaviour: Behaviour = accepts;
  /** Verifies requests when they arrive, because a signature is valid for five minutes. */
  secret: string | null = null;
  /** Requests whose signature is wrong. */
  readonly refused: Received[] = [];
  readonly #ids = new Set<string>();

  private constructor(
    private readonly server: Server,
    readonly port: number,
  ) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void this.#receive(request, response));
  }

  static async start(): Promise<Receiver> {
    const server = createServer();
    return new Receiver(server, await listenOnLoopback(server));
  }

  url(host = 'hooks.example.com'): string {
    return `http://${host}:${this.port}/events`;
  }

  types(): string[] {
    return this.accepted.map(({ type }) => type);
  }

  stop(): Promise<void> {
    return endServer(this.server);
  }

  async #receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request).catch(() => null);
    if (body === null) return;
    const event = JSON.parse(body) as ReceivedEvent;
    const id = String(request.headers['webhook-id']);
    const received = { id, headers: request.headers, text: body, event };
    this.received.push(received);
    if (this.secret !== null && !isVerified(this.secret, received)) this.refused.push(received);
    this.behaviour(response, event);
    const isAccepted = response.writableEnded && response.statusCode < 300;
    if (!isAccepted || this.#ids.has(id)) return;
    this.#ids.add(id);
    this.accepted.push(event);
  }
}

/** Checks a request by the library of Standard Webhooks. @throws WebhookVerificationError */
export const verify = (secret: string, { text: body, headers }: Received): unknown =>
  new Webhook(secret).verify(body, headers as Record<string, string>);

function isVerified(secret: string, received: Received): boolean {
  try {
    verify(secret, received);
    return true;
  } catch {
    return false;
  }
}
