import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import { until } from './eventually';
import { endServer, listenOnLoopback } from './loopback';

export interface ReceivedSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  /** The OTLP span kind: 2 is server, 3 is client. */
  kind: number;
  attributes: Record<string, unknown>;
  events: { name: string; attributes: Record<string, unknown> }[];
  status: { code?: number; message?: string };
  resource: Record<string, unknown>;
}

interface OtlpAttribute {
  key: string;
  value: { stringValue?: string; intValue?: number; boolValue?: boolean };
}

type OtlpSpan = Omit<ReceivedSpan, 'attributes' | 'events' | 'resource'> & {
  attributes: OtlpAttribute[];
  events: { name: string; attributes: OtlpAttribute[] }[];
};

/** Receives spans as an OpenTelemetry collector does over OTLP/HTTP, on port 4318 or another. */
export class TraceCollector {
  /** The unparsed request bodies. */
  readonly bodies: Buffer[] = [];
  readonly requests: { url: string; headers: IncomingHttpHeaders }[] = [];
  readonly #spans: ReceivedSpan[] = [];

  #port = 0;

  private constructor(private readonly server: Server) {}

  /**
   * Starts a collector.
   * @param answer the response to each request; by default 200
   */
  static async listen(answer: (response: ServerResponse) => void = accept): Promise<TraceCollector> {
    const server = createServer();
    const collector = new TraceCollector(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = Buffer.concat(chunks);
        collector.bodies.push(body);
        collector.requests.push({ url: request.url ?? '', headers: request.headers });
        if (request.headers['content-type'] === 'application/json') collector.#spans.push(...spansOf(body));
        answer(response);
      });
    });
    collector.#port = await listenOnLoopback(server);
    return collector;
  }

  /** The settings of a program that exports its spans here, in JSON and without delay. */
  get environment(): Record<string, string> {
    return {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${this.#port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
      OTEL_BSP_SCHEDULE_DELAY: '50',
    };
  }

  get spans(): readonly ReceivedSpan[] {
    return this.#spans;
  }

  trace(id: string): ReceivedSpan[] {
    return this.#spans.filter(({ traceId }) => traceId === id);
  }

  /** Waits for the server span of a trace and returns it. Its child spans have arrived before it. */
  async serverSpan(traceId: string): Promise<ReceivedSpan> {
    const find = (): ReceivedSpan | undefined => this.trace(traceId).find(({ kind }) => kind === 2);
    await until(() => find() !== undefined);
    return find()!;
  }

  close(): Promise<void> {
    return endServer(this.server);
  }
}

function accept(response: ServerResponse): void {
  response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
}

function spansOf(body: Buffer): ReceivedSpan[] {
  const { resourceSpans } = JSON.parse(body.toString()) as {
    resourceSpans: { resource: { attributes: OtlpAttribute[] }; scopeSpans: { spans: OtlpSpan[] }[] }[];
  };
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans
      .flatMap(({ spans }) => spans)
      .map((span) => ({
        ...span,
        attributes: read(span.attributes),
        events: (span.events ?? []).map(({ name, attributes }) => ({ name, attributes: read(attributes) })),
        resource: read(resource.attributes),
      })),
  );
}

const read = (attributes: OtlpAttribute[] = []): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
