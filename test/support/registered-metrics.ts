import { metricDescriptions } from '../../src/platform/observability/metric-descriptions';
import { Metrics } from '../../src/platform/observability/metrics';

const registeredBy = (metrics: Metrics) =>
  metrics.registry.getMetricsAsArray() as unknown as { name: string; type: string; labelNames: string[] }[];

/** Registers the metrics of every module, and returns them with those of Node. No metric is read. */
export function registeredMetrics() {
  const metrics = new Metrics();
  metrics.watchKeySet(() => 0);
  const known = new Set(registeredBy(metrics).map(({ name }) => name));
  const others = Object.keys(metricDescriptions).filter((name) => !known.has(name));
  metrics.watch(Object.fromEntries(others.map((name) => [name, () => 0])));
  return registeredBy(metrics).map(({ name, type, labelNames }) => ({ name, type, labels: labelNames }));
}
