import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { diag, DiagLogLevel, propagation, ROOT_CONTEXT, SpanKind, trace, type Tracer } from '@opentelemetry/api';
import { getBooleanFromEnv, getStringFromEnv, setGlobalErrorHandler } from '@opentelemetry/core';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  hostDetector,
  processDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace-node';
import type { Log } from './log';
import { versionOfThis } from '../../shared/package-root';
import { methodOf, RequestSpan } from './request-span.otel';
import { instrumentStatements } from './statement-spans.otel';
import { traceTimeLimits } from './time-limits';

const warningIntervalMs = 60_000;

/**
 * Sends spans of requests and statements to an OpenTelemetry collector. Import this file only if traces are enabled, because it
 * loads the SDK. Measured: 0.2 s, 26 MB.
 *
 * The SDK reads its standard variables
 * (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/).
 */
export class Tracing {
  private constructor(
    private readonly provider: NodeTracerProvider | null,
    private readonly tracer: Tracer,
    private readonly warn: (message: string) => void,
  ) {}

  static start(log: Log): Tracing {
    const warn = (message: string) => log.warn(`traces: ${message}`);
    logDiagnostics(warn); // each variable that the SDK does not understand
    const provider = providerOfVariables();
    provider?.register();
    if (provider) instrumentStatements();
    const warnSometimes = throttle(warningIntervalMs, warn);
    logDiagnostics(warnSometimes);
    setGlobalErrorHandler((error) => warnSometimes(`spans are lost: ${messageOf(error)}`));
    return new Tracing(provider, trace.getTracer('signpost'), warnSometimes);
  }

  /**
   * Starts the span of a request, which continues the trace of its headers (W3C Trace Context).
   *
   * @param route a template, because paths are personal data and unbounded
   */
  begin(request: IncomingMessage, route: string | undefined): RequestSpan {
    const method = methodOf(request);
    const parent = propagation.extract(ROOT_CONTEXT, request.headers);
    const verb = method === '_OTHER' ? 'HTTP' : method;
    const name = route === undefined ? verb : `${verb} ${route}`;
    return new RequestSpan(this.tracer.startSpan(name, { kind: SpanKind.SERVER }, parent), method, route);
  }

  async stop(): Promise<void> {
    const sent = this.provider?.shutdown().catch((error: unknown) => this.warn(`spans are lost: ${messageOf(error)}`));
    await Promise.race([sent, sleep(traceTimeLimits.traceFlush)]);
  }
}

/** Returns null if a variable switches traces off. The classes of the SDK read those of sampling, batches and headers. */
function providerOfVariables(): NodeTracerProvider | null {
  if (getBooleanFromEnv('OTEL_SDK_DISABLED') || getStringFromEnv('OTEL_TRACES_EXPORTER') === 'none') return null;
  const defaults = { 'service.name': 'signpost', 'service.version': versionOfThis() };
  const resource = defaultResource()
    .merge(resourceFromAttributes(defaults))
    .merge(detectResources({ detectors: [envDetector, processDetector, hostDetector] }));
  return new NodeTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(exporterOfVariables())] });
}

function exporterOfVariables(): SpanExporter {
  const protocol =
    getStringFromEnv('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') ?? getStringFromEnv('OTEL_EXPORTER_OTLP_PROTOCOL');
  if (protocol === 'http/json') return new JsonExporter();
  if (protocol !== undefined && protocol !== 'http/protobuf')
    diag.warn(`OTEL_EXPORTER_OTLP_PROTOCOL does not support "${protocol}". Use http/protobuf or http/json.`);
  return new ProtobufExporter();
}

function logDiagnostics(warn: (message: string) => void): void {
  const ignore = (): void => {};
  diag.setLogger(
    { error: warn, warn, info: ignore, debug: ignore, verbose: ignore },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
}

function throttle(intervalMs: number, write: (message: string) => void): (message: string) => void {
  let quietUntil = 0;
  return (message) => {
    if (performance.now() < quietUntil) return;
    quietUntil = performance.now() + intervalMs;
    write(message);
  };
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
