import type { VectorSearchState } from '../types.ts';
import type { PgvectorServer } from './server-store.ts';

/** The first version that continues a search until enough vectors pass its filters. */
const OLDEST = [0, 8] as const;

export function isSupported(version: string | null): boolean {
  const [major = 0, minor = 0] = (version ?? '0.0').split('.').map(Number);
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

/** The reason why the index cannot be built on this server, with the remedy; null if it can. */
export function obstacleOf(server: PgvectorServer): string | null {
  const { available, installed, role, database } = server;
  if (installed === null && available === null) return NOT_AVAILABLE;
  if (!isSupported(installed ?? available)) {
    return `The database server has pgvector ${installed ?? available}, and version ${OLDEST.join('.')} or later is needed: upgrade it${installed === null ? '' : ', then run "alter extension vector update"'}.`;
  }
  if (installed === null && !server.mayCreate) {
    return `The database server has pgvector ${available}, but the role ${role} may not create it: run "create extension vector" in the database ${database} as a superuser.`;
  }
  if (!server.mayCreateSchema) {
    return `The database has pgvector ${installed}, but the role ${role} may not create the schema of its index: run "grant create on database ${database} to ${role}" as its owner.`;
  }
  return null;
}

const NOT_AVAILABLE = `Install pgvector ${OLDEST.join('.')} or later on the database server, which then searches by an index.`;

type Counts = Pick<VectorSearchState, 'stored' | 'indexed' | 'memory'>;

/** States how vectors are searched. `isUsed`: a complete index exists. */
export function describeSearch(
  server: PgvectorServer,
  { isUsed, isOff, ...counts }: Counts & { isUsed: boolean; isOff: boolean },
): VectorSearchState {
  const { stored, indexed, memory } = counts;
  const common = { version: server.installed, ...counts };
  if (isUsed) return { method: 'pgvector', ...common, reason: null };
  const tooMany =
    stored <= memory
      ? []
      : [
          `The exact scan keeps ${count(memory)} vectors in memory, and ${count(stored)} are stored: searches among more read the rest from the database each time, which takes seconds.`,
        ];
  const obstacle = obstacleOf(server);
  const why = isOff
    ? tooMany.length > 0
      ? ['SIGHTLINE_VECTOR_INDEX is "off": with "auto" and pgvector, the database searches by an index.']
      : []
    : obstacle === NOT_AVAILABLE && tooMany.length === 0
      ? []
      : [
          obstacle ??
            `The index of pgvector is being built (${count(indexed)} of ${count(stored)} vectors are copied); until it is complete, the exact scan searches.`,
        ];
  return { method: 'exact', ...common, reason: [...tooMany, ...why].join(' ') || null };
}

const count = (value: number) => value.toLocaleString('en-US');
