export {
  currentTraceparent,
  isTracing,
  type OpenSpan,
  openJobSpan,
  openRequestSpan,
  startTracing,
  type TraceSpan,
  traceFields,
  withSpan,
} from './tracing.ts';
