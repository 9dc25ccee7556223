import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '#platform/db/index';
import type { Scope } from '#platform/http/index';
import { openTestDatabase } from '#test/database/test-database';
import {
  canChange,
  canManage,
  canRead,
  canUse,
  isManageable,
  isOwner,
  isReadable,
  isUsable,
  isVisibleAlike,
  type OwnedRow,
  type Principal,
} from './index.ts';

type Row = OwnedRow & { id: number; scope: NonNullable<OwnedRow['scope']> };

const ORGS = ['a', 'b'];
const USERS = ['ann', 'bob', 'eve'];
const SCOPES = ['user', 'org', 'sample'] as const;
const SCOPE_SETS: (readonly Scope[] | undefined)[] = [undefined, ['read'], ['read', 'write'], ['admin']];

/** Every combination of organization, owner and scope; `null` is the owner of a shared folder. */
const rows: Row[] = ORGS.flatMap((orgId) =>
  [...USERS, null].flatMap((ownerId) => SCOPES.map((scope) => ({ id: 0, orgId, ownerId, scope }))),
).map((row, id) => ({ ...row, id }));
const callers: Principal[] = ORGS.flatMap((orgId) =>
  USERS.flatMap((userId) => SCOPE_SETS.map((scopes) => ({ orgId, userId, scopes }))),
);

let database: Database;
let close: () => Promise<void>;
beforeAll(async () => {
  ({ database, close } = await openTestDatabase());
});
afterAll(() => close());

/** Ids of the rows that a condition on the table `t` selects. */
async function select(condition: ReturnType<typeof isReadable>): Promise<number[]> {
  const { rows: found } = await sql<{ id: number }>`
    select t.id from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as given (id integer, "orgId" text, "ownerId" text, scope text)
    cross join lateral (select given.id, "orgId" as org_id, "ownerId" as owner_id, given.scope) t
    where ${condition} order by t.id`.execute(database.db);
  return found.map(({ id }) => id);
}
const accepted = (accepts: (row: Row) => boolean) => rows.filter(accepts).map(({ id }) => id);

test.each([
  ['canManage', canManage, isManageable],
  ['canRead', canRead, isReadable],
  ['canUse', canUse, isUsable],
] as const)('%s and its SQL twin accept the same rows for every caller', async (_, rule, twin) => {
  for (const caller of callers) {
    expect([caller, await select(twin(caller, 't'))]).toEqual([caller, accepted((row) => rule(caller, row))]);
  }
});

test.each([
  ['canRead', canRead, isReadable],
  ['canUse', canUse, isUsable],
] as const)('the SQL twin of %s selects the rows of one scope', async (_, rule, twin) => {
  for (const caller of callers) {
    for (const scope of ['user', 'org'] as const) {
      const expected = accepted((row) => row.scope === scope && rule(caller, row));
      expect([caller, scope, await select(twin(caller, 't', scope))]).toEqual([caller, scope, expected]);
    }
  }
});

test('rows are visible alike if everybody who reads a new row reads them too', async () => {
  for (const orgId of ORGS) {
    for (const ownerId of USERS) {
      for (const scope of ['user', 'org'] as const) {
        const readers = callers.filter((caller) => canRead(caller, { orgId, ownerId, scope }));
        const expected = accepted((row) => row.scope !== 'sample' && readers.every((caller) => canRead(caller, row)));
        expect(await select(isVisibleAlike({ orgId, ownerId, scope }, 't'))).toEqual(expected);
      }
    }
  }
});

test('no rule crosses organizations, and what may be changed may be read', () => {
  for (const caller of callers) {
    for (const row of rows) {
      const allowed = [canRead, canChange, canManage, canUse, isOwner].map((rule) => rule(caller, row));
      if (row.orgId !== caller.orgId) expect([caller, row, allowed]).toEqual([caller, row, allowed.map(() => false)]);
      const needed = [canChange, canManage, canUse, isOwner].some((rule) => rule(caller, row));
      if (needed) expect([caller, row, canRead(caller, row)]).toEqual([caller, row, true]);
    }
  }
});

test.each([
  ['personal', 'ann', 'user', { owner: 'read change manage use', colleague: '', admin: 'read change manage' }],
  [
    'shared',
    'ann',
    'org',
    { owner: 'read change manage use', colleague: 'read change use', admin: 'read change manage use' },
  ],
  ['sample', null, 'sample', { owner: 'read', colleague: 'read', admin: 'read manage' }],
] as const)('who may do what with a %s row', (_, ownerId, scope, expected) => {
  const row = { orgId: 'a', ownerId, scope };
  const rules = { read: canRead, change: canChange, manage: canManage, use: canUse };
  const allowed = (caller: Principal) =>
    Object.entries(rules)
      .filter(([, rule]) => rule(caller, row))
      .map(([name]) => name)
      .join(' ');
  expect({
    owner: allowed({ orgId: 'a', userId: 'ann', scopes: ['read', 'write'] }),
    colleague: allowed({ orgId: 'a', userId: 'bob', scopes: ['read', 'write'] }),
    admin: allowed({ orgId: 'a', userId: 'eve', scopes: ['admin'] }),
  }).toEqual(expected);
});
