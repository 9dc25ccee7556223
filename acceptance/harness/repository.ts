import { fileURLToPath } from 'node:url';

/** The checkout under test. */
export const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url));
