import { timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type AuditActor, recordAction } from '#features/audit/index';
import { canManage } from '#platform/access/index';
import type { Database, Transaction } from '#platform/db/index';
import { type Caller, httpProblems, readIdPage, type Scope } from '#platform/http/index';
import { newId } from '#platform/ids';
import type { Log } from '#platform/log';
import { createKeyCache, REVOCATION_CHANNEL } from './key-cache.ts';
import { problems } from './problems.ts';
import type { ApiKey } from './schema.ts';
import * as store from './store.ts';
import { digestOf, isToken, newToken, prefixOf } from './token.ts';

export const SCOPES: readonly Scope[] = ['read', 'write', 'admin'];
export const DEFAULT_DAYS = 90;
/** The operator's key has no expiry in practice; it ends by revocation. */
const OPERATOR_DAYS = 3_650;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

export type NewKey = {
  orgId: string;
  userId: string;
  /** Name of the key: 1 to 100 characters. */
  name: string;
  /** Default: read and write. */
  scopes?: readonly string[] | null;
  /** Default: 90, or the operator's maximum if that is less. */
  expiresInDays?: number | null;
  /** The only folder the key can access, which its user must see; default: no such limit. Not for admin keys. */
  folderId?: string | null;
};

export interface Keys {
  /** Resolves a key to its caller. Throws `key_malformed` (403), `key_unknown`, `key_expired`, `key_revoked` (401). */
  authenticate(token: string): Promise<Caller>;
  /**
   * Creates a key. `key` is its full value, which is not stored: show it once. `by` is the creator (default: the
   * operator); `made` runs in the same transaction. Throws `key_request_invalid` (400), `key_folder_unknown` (404) or
   * `key_folder_forbidden` (403).
   */
  create(
    key: NewKey,
    options?: { by?: AuditActor; made?: (trx: Transaction, id: string) => Promise<void> },
  ): Promise<{ key: string; record: ApiKey }>;
  /** All keys of an organization, newest first. */
  list(orgId: string): Promise<ApiKey[]>;
  /** A page of the keys that the caller manages. Throws `cursor_invalid` (400). */
  page(
    caller: Caller,
    options: { limit: number; cursor?: string | null },
  ): Promise<{ keys: ApiKey[]; hasMore: boolean; nextCursor: string | null }>;
  /**
   * Revokes a key by id or prefix, for good and on all nodes. Revoking it again changes nothing. With a
   * `caller`, only a key that the caller manages. Throws `key_not_found` (404), `key_forbidden` (403) or
   * `key_prefix_ambiguous` (409).
   */
  revoke(orgId: string, idOrPrefix: string, options?: { by?: AuditActor; caller?: Caller }): Promise<ApiKey>;
  /**
   * The first start. Stores the operator's key (`SIGHTLINE_BOOTSTRAP_KEY`) with all scopes, unless it was revoked;
   * without one, creates an admin key if there is no key, and returns it to be shown once. Call it in the transaction
   * of `accounts.bootstrap`.
   */
  bootstrap(
    trx: Transaction,
    owner: { orgId: string; userId: string },
    operatorKey: string | null,
  ): Promise<string | null>;
  /** Waits for pending writes of last uses. */
  close(): Promise<void>;
}

export function createKeysService(deps: { database: Database; log: Log; maxDays?: number; now?: () => number }): Keys {
  const { database, log, maxDays = OPERATOR_DAYS, now = Date.now } = deps;
  const checked = createKeyCache<CheckedKey>(database);
  const lastRecorded = new LRUCache<string, number>({ max: 10_000 });
  const pendingUses = new Set<Promise<void>>();

  /** At most one write per key, minute and node; requests do not wait for it. */
  function recordUse(keyId: string) {
    const at = now();
    if (at - (lastRecorded.get(keyId) ?? 0) < MINUTE_MS) return;
    lastRecorded.set(keyId, at);
    const pending = store
      .markUsed(database.db, keyId, new Date(at))
      .catch((err) => log.warn({ err }, 'could not record the use of a key'))
      .finally(() => pendingUses.delete(pending));
    pendingUses.add(pending);
  }

  async function lookUp(digest: Buffer): Promise<CheckedKey | null> {
    const row = await store.keyByDigest(database.db, digest);
    if (!row || !timingSafeEqual(row.hash, digest)) return null;
    const caller: Caller = {
      keyId: row.id,
      userId: row.userId,
      orgId: row.orgId,
      email: row.email,
      scopes: scopesLeft(row),
      expiresAt: row.expiresAt,
      ...(row.folderId === null ? {} : { folderId: row.folderId }),
    };
    return { id: row.id, caller, revoked: revokedAt(row) !== null };
  }

  async function insert(trx: Transaction, token: string, { expiresInDays, ...key }: CheckedNewKey, by: AuditActor) {
    const { orgId, name, scopes, folderId } = key;
    const id = newId();
    const expiresAt = new Date(now() + expiresInDays * DAY_MS);
    if (await store.insertKeyOnce(trx, { ...key, id, prefix: prefixOf(token), hash: digestOf(token), expiresAt })) {
      const limit = folderId ? { folder_id: folderId } : {};
      const detail = { name, scopes, expires_at: expiresAt.toISOString(), ...limit };
      await recordAction(trx, by, { orgId, action: 'key.created', subjectId: id, detail });
    }
    return id;
  }

  return {
    async authenticate(token) {
      if (!isToken(token)) throw httpProblems.key_malformed();
      const digest = digestOf(token);
      const key = await checked.get(digest.toString('base64'), () => lookUp(digest));
      if (!key) throw problems.key_unknown();
      if (key.revoked) throw problems.key_revoked();
      if (key.caller.expiresAt.getTime() <= now()) throw problems.key_expired();
      recordUse(key.id);
      return key.caller;
    },
    async create(wanted, { by = null, made } = {}) {
      const newKey = checkNewKey(wanted, maxDays);
      const { orgId, folderId } = newKey;
      const key = newToken();
      return database.transaction(async (trx) => {
        const isSeen = folderId ? await store.seesFolder(trx, newKey, folderId) : true;
        if (isSeen === null) throw problems.key_folder_unknown();
        if (!isSeen) throw problems.key_folder_forbidden();
        const id = await insert(trx, key, newKey, by);
        await made?.(trx, id);
        const [row] = await store.keysNamed(trx, orgId, id);
        return { key, record: recordOf(row!, now()) };
      });
    },
    async list(orgId) {
      const at = now();
      return (await store.listKeys(database.db, orgId)).map((row) => recordOf(row, at));
    },
    async page(caller, page) {
      const read = (before: string | null, limit: number) => store.pageOfKeys(database.db, { caller, before, limit });
      const { rows, ...next } = await readIdPage(page, read, ({ id }) => id);
      const at = now();
      return { keys: rows.map((row) => recordOf(row, at)), ...next };
    },
    async revoke(orgId, idOrPrefix, { by = null, caller } = {}) {
      return database
        .transaction(async (trx) => {
          const named = await store.keysNamed(trx, orgId, idOrPrefix);
          const found = named.filter((key) => !caller || canManage(caller, { orgId, ownerId: key.userId }));
          const [row] = found;
          if (!row)
            throw (await store.keyExists(trx, idOrPrefix)) ? problems.key_forbidden() : problems.key_not_found();
          if (found.length > 1) throw problems.key_prefix_ambiguous();
          const at = new Date(now());
          if (await store.markRevoked(trx, row.id, at)) {
            await recordAction(trx, by, {
              orgId,
              action: 'key.revoked',
              subjectId: row.id,
              detail: { name: row.name },
            });
          }
          await database.notify(trx, REVOCATION_CHANNEL, row.id);
          return recordOf({ ...row, revokedAt: row.revokedAt ?? at }, now());
        })
        .finally(checked.forget);
    },
    async bootstrap(trx, { orgId, userId }, operatorKey) {
      const adminKey = { orgId, userId, scopes: [...SCOPES], folderId: null };
      if (operatorKey) {
        const name = 'SIGHTLINE_BOOTSTRAP_KEY';
        await insert(trx, operatorKey, { ...adminKey, name, expiresInDays: OPERATOR_DAYS }, null);
        return null;
      }
      if (await store.anyKey(trx)) return null;
      const key = newToken();
      await insert(trx, key, { ...adminKey, name: 'first key', expiresInDays: Math.min(DEFAULT_DAYS, maxDays) }, null);
      return key;
    },
    async close() {
      checked.close();
      await Promise.all(pendingUses);
    },
  };
}

type CheckedNewKey = Pick<NewKey, 'orgId' | 'userId' | 'name'> & {
  scopes: Scope[];
  expiresInDays: number;
  folderId: string | null;
};
type CheckedKey = { id: string; caller: Caller; revoked: boolean };

function checkNewKey({ orgId, userId, ...wanted }: NewKey, maxDays: number): CheckedNewKey {
  const name = wanted.name.trim();
  const scopes = wanted.scopes ?? ['read', 'write'];
  const expiresInDays = wanted.expiresInDays ?? Math.min(DEFAULT_DAYS, maxDays);
  const folderId = wanted.folderId ?? null;
  if (name === '' || name.length > 100) throw problems.key_request_invalid('The name must have 1 to 100 characters.');
  const unknown = scopes.find((scope) => !SCOPES.includes(scope as Scope));
  if (unknown !== undefined || scopes.length === 0) {
    throw problems.key_request_invalid(
      `The scopes must be one or more of ${SCOPES.join(', ')}${unknown === undefined ? '' : `; "${unknown}" is unknown`}.`,
    );
  }
  if (folderId !== null && scopes.includes('admin')) {
    throw problems.key_request_invalid('A key with the scope `admin` cannot be limited to a folder.');
  }
  if (!Number.isInteger(expiresInDays) || expiresInDays < 1 || expiresInDays > maxDays) {
    throw problems.key_request_invalid(`The key must expire in 1 to ${maxDays} days.`);
  }
  return { orgId, userId, name, scopes: SCOPES.filter((scope) => scopes.includes(scope)), expiresInDays, folderId };
}

/** A key cannot exceed the current role of its user: without the role admin, the scope admin is dropped. */
const scopesLeft = ({ scopes, role }: Pick<store.KeyRow, 'scopes' | 'role'>) =>
  (scopes as Scope[]).filter((scope) => scope !== 'admin' || role !== 'member');

/** Time of revocation of the key, or of the removal of its user. */
const revokedAt = (row: Pick<store.KeyRow, 'revokedAt' | 'removedAt'>) => row.revokedAt ?? row.removedAt;

function recordOf({ id, ...row }: store.KeyRow, at: number): ApiKey {
  const revoked = revokedAt(row);
  const active = revoked === null && row.expiresAt.getTime() > at;
  return { ...row, keyId: id, scopes: scopesLeft(row), revokedAt: revoked, status: active ? 'active' : 'inactive' };
}
