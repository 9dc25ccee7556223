/** Monitoring: metrics of this process in the format OpenMetrics, and probes, on a port of their own. */
export { createMonitoring, type Monitoring } from './monitoring.ts';
