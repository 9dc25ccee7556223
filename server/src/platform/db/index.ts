/**
 * The database: PostgreSQL, either the one that DATABASE_URL names or the embedded one that this room runs. Callers
 * cannot tell the difference. `openConfiguredDatabase` opens it, migrated to this version and checked.
 */
export { type ConfiguredDatabase, openConfiguredDatabase } from './connect.ts';
export { toJson } from './json.ts';
export { isDiskFull } from './retry.ts';
export type { DB } from './schema.generated.ts';
export { createSockets } from './sockets.ts';
export { PLANNED_BY_VALUES } from './statements.ts';
export { DERIVED_SCHEMA } from './transfer/tables.ts';
export type { ConnectionOptions, Database, Db, Queryable, Session, Transaction, UnitOfWork } from './types.ts';
export { currentUnit } from './unit-of-work.ts';
