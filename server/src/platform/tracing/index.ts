export {
  currentTraceparent,
  isTracing,
  type OpenSpan,
  openJobSpan,
  openRequestSpan,
  type Span,
  startTracing,
  traceFields,
  withSpan,
} from './tracing.ts';
