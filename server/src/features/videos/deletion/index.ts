export { createDeletion } from './deletion.ts';
