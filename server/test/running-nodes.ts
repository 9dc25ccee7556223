import { sql } from 'kysely';
import type { Database } from '#platform/db/index';

type RunningNode = Pick<Database, 'db'>;

const nodes = new Set<RunningNode>();

/** Notes a node of this process whose worker runs jobs. Returns a function that is called when it closes. */
export function noteNode(node: RunningNode): () => void {
  nodes.add(node);
  return () => nodes.delete(node);
}

/**
 * Jobs that wait or run on any node of this process, without those that start later, such as erasures, and those that
 * every node runs by the clock.
 */
export async function dueJobs(): Promise<string[]> {
  const due = await Promise.all([...nodes].map(readDueJobs));
  return due.flat().map(({ name, state }) => `${name} (${state})`);
}

async function readDueJobs({ db }: RunningNode): Promise<{ name: string; state: string }[]> {
  const due = sql<{ name: string; state: string }>`select name, state from pgboss.job
    where state < 'completed' and (state = 'active' or start_after <= now())
      and name not in (select name from pgboss.schedule) and not starts_with(name, '__pgboss')`;
  return (await due.execute(db)).rows;
}
