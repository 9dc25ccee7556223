/**
 * Structured output: fields that a client requests, filled from measurements, and by a model where those do not
 * suffice.
 */
export { checkOutputSchema } from './check-schema.ts';
export { fillFields } from './fill-fields.ts';
export { inferOutputSchema } from './infer-schema.ts';
export { createAskPhrase } from './known-values.ts';
export { outputSchemaSchema } from './schema.ts';
export { createSchemaWriter } from './schema-writer.ts';
export type { FieldReader, OutputSchema, StructuredOutput, UnfilledFields } from './types.ts';
