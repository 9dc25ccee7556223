/** Daily digests of saved questions. */
export { createDigests, type Recaps } from './digests.ts';
