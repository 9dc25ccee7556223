import { sql } from 'kysely';
import type { Queryable } from '#platform/db/index';
import type { JobDefinition } from './types.ts';

/** All queue names of these definitions: present and former ones. Throws if two definitions share a name. */
export function listQueueNames(definitions: readonly JobDefinition[]): string[] {
  const names = definitions.flatMap(({ name, formerNames = [] }) => [name, ...formerNames]);
  const repeated = names.find((name, i) => names.indexOf(name) !== i);
  if (repeated !== undefined) throw new Error(`job ${repeated} is defined twice`);
  return names;
}

/**
 * Moves waiting jobs of renamed queues to the queue with the present name, and removes schedules of former names.
 * Running jobs stay: a node of the earlier version may run them. A later call moves them when they wait for a retry.
 */
export async function moveRenamedJobs(db: Queryable, definitions: readonly JobDefinition[]): Promise<void> {
  const renamed = definitions.flatMap(({ name, formerNames = [], givenUp }) =>
    formerNames.map((former) => ({ former, name, givenUp: givenUp?.name ?? null })),
  );
  if (renamed.length === 0) return;
  const former = renamed.map((each) => each.former);
  await sql`
    update pgboss.job set name = renamed.name, dead_letter = renamed.given_up
    from unnest(${former}::text[], ${renamed.map((each) => each.name)}::text[],
      ${renamed.map((each) => each.givenUp)}::text[]) as renamed (former, name, given_up)
    where job.name = renamed.former and state < 'active'`.execute(db);
  await sql`delete from pgboss.schedule where name = any(${former}::text[])`.execute(db);
}
