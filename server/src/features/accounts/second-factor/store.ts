import type { Queryable, Transaction } from '#platform/db/index';
import type { EncryptedSecret } from '#platform/secrets/index';

export type SecondFactorRow = {
  userId: string;
  encryptedKey: EncryptedSecret;
  confirmedAt: Date | null;
  lastStep: number | null;
};

const factors = (db: Queryable) =>
  db.selectFrom('secondFactors').select(['userId', 'encryptedKey', 'confirmedAt', 'lastStep']);

type Row = Awaited<ReturnType<ReturnType<typeof factors>['executeTakeFirstOrThrow']>>;
const factorOf = ({ encryptedKey, ...row }: Row): SecondFactorRow => ({
  ...row,
  encryptedKey: encryptedKey as EncryptedSecret,
});

/** The second factor of a user, locked until the transaction ends. */
export async function lockFactor(trx: Transaction, userId: string): Promise<SecondFactorRow | null> {
  const row = await factors(trx).where('userId', '=', userId).forUpdate().executeTakeFirst();
  return row ? factorOf(row) : null;
}

/** Stores a key that the user has not confirmed. Replaces an earlier one; false if the user has confirmed that. */
export async function putKey(trx: Transaction, userId: string, key: EncryptedSecret): Promise<boolean> {
  const encryptedKey = JSON.stringify(key);
  const row = await trx
    .insertInto('secondFactors')
    .values({ userId, encryptedKey })
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet({ encryptedKey }).where('secondFactors.confirmedAt', 'is', null),
    )
    .returning('userId')
    .executeTakeFirst();
  return row !== undefined;
}

export async function updateFactor(
  trx: Transaction,
  userId: string,
  change: { confirmedAt?: Date; lastStep: number },
): Promise<void> {
  await trx.updateTable('secondFactors').set(change).where('userId', '=', userId).execute();
}

/** Deletes the second factor of a user with its recovery codes. False if there was no confirmed one. */
export async function deleteFactor(trx: Transaction, userId: string): Promise<boolean> {
  const deleted = trx.deleteFrom('secondFactors').where('userId', '=', userId).returning('confirmedAt');
  return ((await deleted.executeTakeFirst())?.confirmedAt ?? null) !== null;
}

export async function replaceRecoveryCodes(trx: Transaction, userId: string, hashes: readonly Buffer[]): Promise<void> {
  await trx.deleteFrom('recoveryCodes').where('userId', '=', userId).execute();
  await trx
    .insertInto('recoveryCodes')
    .values(hashes.map((hash) => ({ userId, hash })))
    .execute();
}

/** Uses up a recovery code. False if the user has none with this digest. */
export async function useRecoveryCode(trx: Transaction, userId: string, hash: Buffer): Promise<boolean> {
  const used = trx.deleteFrom('recoveryCodes').where('userId', '=', userId).where('hash', '=', hash).returning('hash');
  return (await used.executeTakeFirst()) !== undefined;
}

export async function countRecoveryCodes(db: Queryable, userId: string): Promise<number> {
  const counted = db.selectFrom('recoveryCodes').select(({ fn }) => fn.countAll<number>().as('count'));
  return Number((await counted.where('userId', '=', userId).executeTakeFirstOrThrow()).count);
}

/** The keys of all users. */
export async function listKeys(db: Queryable): Promise<{ userId: string; key: EncryptedSecret }[]> {
  const rows = await db.selectFrom('secondFactors').select(['userId', 'encryptedKey']).orderBy('userId').execute();
  return rows.map(({ userId, encryptedKey }) => ({ userId, key: encryptedKey as EncryptedSecret }));
}

/** Replaces a key that has not changed meanwhile. False if it has. */
export async function replaceKey(
  db: Queryable,
  { userId, key }: { userId: string; key: EncryptedSecret },
  fresh: EncryptedSecret,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('secondFactors')
    .set({ encryptedKey: JSON.stringify(fresh) })
    .where('userId', '=', userId)
    .where('encryptedKey', '=', JSON.stringify(key))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
