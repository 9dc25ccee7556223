export { createDecoder, type DecodeMessage, type MessageFields } from './decoder.ts';
export { isFields, timeOf, toBytes, toNumber, toTimestampNs } from './values.ts';
