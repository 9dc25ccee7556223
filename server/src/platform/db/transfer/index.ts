/**
 * Copies of the rows of the database, embedded or server, independent of the version of PostgreSQL. The schema is not
 * copied: migrations make it again.
 */
export { type ExportedTable, exportDatabase } from './export.ts';
export { importDatabase, isInUse } from './import.ts';
