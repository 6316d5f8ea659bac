import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { diag, DiagLogLevel, propagation, ROOT_CONTEXT, SpanKind, trace, type Tracer } from '@opentelemetry/api';
import { core, NodeSDK, resources } from '@opentelemetry/sdk-node';
import type { Log } from './log';
import { versionOfThis } from './version';
import { methodOf, RequestSpan } from './request-span.otel';
import { statementSpans } from './statement-spans.otel';

/** Milliseconds that a collector has at the end of the process, to take what it was not sent yet. */
const flushTimeoutMs = 2000;

/** Milliseconds between two lines of the log that say that spans are lost. */
const warningIntervalMs = 60_000;

/**
 * Spans of requests, and of what they ask the database, for an OpenTelemetry collector. Importing this file loads the SDK (0.2 s,
 * 26 MB), so it is imported only where traces are wanted; and before `pg`, which is instrumented while it is loaded.
 *
 * The SDK itself reads its standard variables: where spans go, how, how many of them, and what they are of
 * (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/).
 */
export class Tracing {
  private constructor(
    private readonly sdk: NodeSDK,
    private readonly tracer: Tracer,
    private readonly complain: (message: string) => void,
  ) {}

  static start(log: Log): Tracing {
    const own = { 'service.name': 'signpost', 'service.version': versionOfThis() };
    const sdk = new NodeSDK({
      // `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` go before it.
      resource: resources.defaultResource().merge(resources.resourceFromAttributes(own)),
      instrumentations: [statementSpans()],
      metricReaders: [],
      logRecordProcessors: [],
    });
    const complain = (message: string) => log.warn(`traces: ${message}`);
    listenTo(complain); // each variable that the SDK does not understand
    sdk.start();
    const complainSometimes = notMoreOftenThan(warningIntervalMs, complain);
    listenTo(complainSometimes);
    core.setGlobalErrorHandler((error) => complainSometimes(`spans are lost: ${messageOf(error)}`));
    return new Tracing(sdk, trace.getTracer('signpost'), complainSometimes);
  }

  /**
   * The span of a request, which goes on with the trace that its headers name (W3C Trace Context).
   *
   * @param route a template: paths tell who visits what, and are without end
   */
  begin(request: IncomingMessage, route: string | undefined): RequestSpan {
    const method = methodOf(request);
    const parent = propagation.extract(ROOT_CONTEXT, request.headers);
    const verb = method === '_OTHER' ? 'HTTP' : method;
    const name = route === undefined ? verb : `${verb} ${route}`;
    return new RequestSpan(this.tracer.startSpan(name, { kind: SpanKind.SERVER }, parent), method, route);
  }

  /** Sends what was not sent yet, as far as the collector takes it within two seconds. */
  async stop(): Promise<void> {
    const sent = this.sdk.shutdown().catch((error: unknown) => this.complain(`spans are lost: ${messageOf(error)}`));
    await Promise.race([sent, sleep(flushTimeoutMs)]);
  }
}

function listenTo(complain: (message: string) => void): void {
  const ignore = (): void => {};
  diag.setLogger(
    { error: complain, warn: complain, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}

function notMoreOftenThan(interval: number, say: (message: string) => void): (message: string) => void {
  let quietUntil = 0;
  return (message) => {
    if (performance.now() < quietUntil) return;
    quietUntil = performance.now() + interval;
    say(message);
  };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
