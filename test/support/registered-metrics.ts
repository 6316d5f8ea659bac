import { Metrics } from '../../src/platform/observability/metrics';

interface RegisteredMetric {
  name: string;
  type: string;
  labels: string[];
}

/** Registers the metrics of every module, and returns them with those of Node. No metric is read. */
export function registeredMetrics(): RegisteredMetric[] {
  const metrics = new Metrics();
  const watch = Object.entries(Object.getOwnPropertyDescriptors(Metrics.prototype)).filter(([name]) =>
    name.startsWith('watch'),
  );
  for (const [, { value }] of watch) Reflect.apply(value as (...sources: object[]) => void, metrics, [{}, {}]);
  const registered = metrics.registry.getMetricsAsArray() as unknown as {
    name: string;
    type: string;
    labelNames: string[];
  }[];
  return registered.map(({ name, type, labelNames }) => ({ name, type, labels: labelNames }));
}
