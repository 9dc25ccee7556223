/**
 * Fails if a migration that is on the main branch was changed or removed.
 * Part of `npm run check`.
 */
import { resolve } from 'node:path';
import { findMigrationFaults } from './migration-digests.ts';

const faults = await findMigrationFaults(resolve(import.meta.dirname, '..'));
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
