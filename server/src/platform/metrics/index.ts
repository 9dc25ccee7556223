/** Monitoring: metrics of this process in the format OpenMetrics, and probes, on a port of their own. */
export type { MetricSources, Metrics } from './metrics.ts';
export { createMonitoring, type Monitoring } from './monitoring.ts';
