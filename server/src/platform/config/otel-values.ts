/** Values of the `OTEL_…` variables that this service supports. */
export const PROTOCOLS = ['http/protobuf'];
export const EXPORTERS = ['otlp', 'none'];
export const SAMPLERS = [
  'parentbased_ratelimited',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
];
