export { createIngest } from './ingest.ts';
