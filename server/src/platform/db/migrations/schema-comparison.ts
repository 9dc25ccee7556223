import { type Kysely, sql } from 'kysely';

/** Schema that exists only inside a transaction that is rolled back. */
const PROBE = 'sightline_probe';

/** Name of a schema object, the table that it belongs to (or null), and its definition. */
type SchemaObject = { name: string; relation: string | null; definition: string };

/**
 * Compares the current schema with the one that `script` creates. The script runs in a schema that is rolled back, so
 * that the same server describes both. Returns one phrase per difference. Other tables are ignored.
 */
export async function compareSchema(db: Kysely<unknown>, script: string): Promise<string[]> {
  const trx = await db.startTransaction().execute();
  try {
    const actual = await describe(trx);
    await sql`create schema ${sql.id(PROBE)}`.execute(trx);
    await sql`set local search_path to ${sql.id(PROBE)}`.execute(trx);
    await sql.raw(script).execute(trx);
    return differences(actual, await describe(trx));
  } finally {
    await trx.rollback().execute();
  }
}

function differences(actual: Map<string, SchemaObject>, expected: Map<string, SchemaObject>): string[] {
  const relations = new Set([...expected.values()].map(({ relation }) => relation));
  const wrong = [...expected.values()].flatMap(({ name, definition }) => {
    const found = actual.get(name);
    if (!found) return [`${name} is missing`];
    return found.definition === definition ? [] : [`${name} is different`];
  });
  const surplus = [...actual.values()].filter(
    ({ name, relation }) => relation !== null && relations.has(relation) && !expected.has(name),
  );
  return [...wrong, ...surplus.map(({ name }) => `${name} is unknown`)];
}

/** Columns, constraints, indexes and functions of the current schema by name, without the schema's name. */
async function describe(db: Kysely<unknown>): Promise<Map<string, SchemaObject>> {
  const { rows } = await sql<SchemaObject>`
    with relations as (
      select oid, relname from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')
    )
    select format('column %s.%s', relname, attname) as name, relname as relation,
      concat_ws(' ', format_type(atttypid, atttypmod), attcollation::regcollation, attnotnull, attidentity, attgenerated,
        pg_get_expr(adbin, adrelid)) as definition
    from relations join pg_attribute on attrelid = oid
      left join pg_attrdef on adrelid = attrelid and adnum = attnum
    where attnum > 0 and not attisdropped
    union all
    select format('constraint %s of %s', conname, relname), relname, pg_get_constraintdef(k.oid)
    from relations r join pg_constraint k on conrelid = r.oid where contype in ('p', 'u', 'c', 'f', 'x')
    union all
    select format('index %s', indexrelid::regclass), relname,
      replace(pg_get_indexdef(indexrelid), format(' ON %I.', current_schema()), ' ON ')
    from relations r join pg_index on indrelid = r.oid
    union all
    select format('function %s', p.oid::regprocedure), null, concat(prosrc, pg_get_function_sqlbody(p.oid))
    from pg_proc p where pronamespace = current_schema()::regnamespace`.execute(db);
  return new Map(rows.map((row) => [row.name, row]));
}
