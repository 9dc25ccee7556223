import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Database } from '#platform/db/index';
import { openTestDatabase } from '#test/database/test-database';
import { createAccounts } from './index.ts';

let database: Database;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ database, close } = await openTestDatabase());
});
afterAll(() => close());

test('an empty database gets one organization and owner, also when five nodes start at once', async () => {
  const accounts = createAccounts({ database });
  expect(await accounts.owner()).toBeNull();
  const owners = await Promise.all([1, 2, 3, 4, 5].map(() => database.transaction((trx) => accounts.bootstrap(trx))));
  expect(new Set(owners.map((owner) => owner.userId)).size).toBe(1);
  expect(await accounts.owner()).toEqual(owners[0]);
  expect(await database.db.selectFrom('organizations').select('id').execute()).toEqual([{ id: owners[0]!.orgId }]);
});
