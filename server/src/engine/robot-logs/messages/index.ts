export { createDecoder, type DecodeMessage, type MessageFields } from './decoder.ts';
export { isFields, toBytes, toNumber, toTimestampNs } from './values.ts';
