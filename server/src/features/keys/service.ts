import { timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { type Actor, recordAction } from '#features/audit/index';
import type { Database, Transaction } from '#platform/db/index';
import { type Caller, httpProblems, type Scope } from '#platform/http/index';
import { ID_PATTERN, newId } from '#platform/ids';
import type { Log } from '#platform/log';
import { createCheckedKeys, REVOKED } from './checked.ts';
import { problems } from './problems.ts';
import * as store from './store.ts';
import { digestOf, isToken, newToken, prefixOf } from './token.ts';

export const SCOPES: readonly Scope[] = ['read', 'write', 'admin'];
export const DEFAULT_DAYS = 90;
/** The operator's own key has no date in mind; it ends by revocation. */
const OPERATOR_DAYS = 3_650;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

export type NewKey = {
  orgId: string;
  userId: string;
  /** What a person calls it: 1 to 100 characters. */
  name: string;
  /** Default: read and write. */
  scopes?: readonly string[];
  /** Days until it expires, from now: default 90, or the operator's maximum where that is less. */
  days?: number;
  /** The one folder it reaches, which its user must see; default: all that its user sees. Not for admin keys. */
  folderId?: string;
};

/** A key as lists show it: never the key itself. */
export type KeyRecord = {
  id: string;
  name: string;
  /** The first 8 characters. */
  prefix: string;
  scopes: Scope[];
  userId: string;
  email: string;
  createdAt: Date;
  expiresAt: Date;
  /** Exact to a minute; null while unused. */
  lastUsedAt: Date | null;
  revokedAt: Date | null;
  /** The one folder it reaches; null: no such limit. The folder may be gone: then it reaches nothing. */
  folderId: string | null;
  /** `inactive` is expired or revoked. */
  status: 'active' | 'inactive';
};

export interface Keys {
  /** Resolves a key to its caller. Throws `key_malformed` (403), `key_unknown`, `key_expired` or `key_revoked` (401). */
  authenticate(token: string): Promise<Caller>;
  /**
   * Makes a key. `key` is its full value, which is not stored: show it once. `by` is who makes it (default: the operator); `made` runs in the
   * transaction that makes it. Throws `key_request_invalid` (400) or `key_folder_unknown` (404).
   */
  create(
    key: NewKey,
    options?: { by?: Actor; made?: (trx: Transaction, id: string) => Promise<void> },
  ): Promise<{ key: string; record: KeyRecord }>;
  /** All keys of an organisation, newest first. */
  list(orgId: string): Promise<KeyRecord[]>;
  /** A page of them; `userId` null means everyone's. Throws `cursor_invalid` (400). */
  page(
    orgId: string,
    options: { userId: string | null; limit: number; cursor?: string | null },
  ): Promise<{ keys: KeyRecord[]; nextCursor: string | null }>;
  /**
   * Revokes a key by its id or its prefix: final, and on every node at once. Revoking twice changes nothing. With a `userId` only a key of that user.
   * Throws `key_not_found` (404) or `key_prefix_ambiguous` (409).
   */
  revoke(orgId: string, idOrPrefix: string, options?: { by?: Actor; userId?: string | null }): Promise<KeyRecord>;
  /**
   * The first start: the operator's key (`SIGHTLINE_BOOTSTRAP_KEY`) is made valid, with all scopes, unless it was revoked; without one an
   * admin key is made when there is no key at all, and returned to be shown once. Call inside `accounts.bootstrap`'s transaction.
   */
  bootstrap(
    trx: Transaction,
    owner: { orgId: string; userId: string },
    operatorKey: string | null,
  ): Promise<string | null>;
  /** Waits for the last notes of use. */
  close(): Promise<void>;
}

export function createKeysService(deps: { database: Database; log: Log; maxDays?: number; now?: () => number }): Keys {
  const { database, log, maxDays = OPERATOR_DAYS, now = Date.now } = deps;
  const checked = createCheckedKeys<CheckedKey>(database);
  const lastNoted = new LRUCache<string, number>({ max: 10_000 });
  const notes = new Set<Promise<void>>();

  /** At most one write per key and minute and node, and no request waits for it. */
  function noteUse(keyId: string) {
    const at = now();
    if (at - (lastNoted.get(keyId) ?? 0) < MINUTE_MS) return;
    lastNoted.set(keyId, at);
    const note = store
      .markUsed(database.db, keyId, new Date(at))
      .catch((err) => log.warn({ err }, 'could not note the use of a key'))
      .finally(() => notes.delete(note));
    notes.add(note);
  }

  async function look(digest: Buffer): Promise<CheckedKey | null> {
    const row = await store.keyByDigest(database.db, digest);
    if (!row || !timingSafeEqual(row.hash, digest)) return null;
    const caller: Caller = {
      keyId: row.id,
      userId: row.user_id,
      orgId: row.org_id,
      email: row.email,
      scopes: scopesLeft(row),
      expiresAt: row.expires_at,
      ...(row.folder_id === null ? {} : { folderId: row.folder_id }),
    };
    return { id: row.id, caller, revoked: revokedAt(row) !== null };
  }

  async function insert(
    trx: Transaction,
    token: string,
    { orgId, userId, name, scopes, days, folderId }: StoredKey,
    by: Actor,
  ) {
    const row = {
      id: newId(),
      org_id: orgId,
      user_id: userId,
      name,
      prefix: prefixOf(token),
      hash: digestOf(token),
      scopes: [...scopes],
      expires_at: new Date(now() + days * DAY_MS),
      folder_id: folderId ?? null,
    };
    if (await store.insertKeyOnce(trx, row)) {
      const limit = folderId ? { folder_id: folderId } : {};
      const detail = { name, scopes, expires_at: row.expires_at.toISOString(), ...limit };
      await recordAction(trx, by, { orgId, action: 'key.created', subjectId: row.id, detail });
    }
    return row.id;
  }

  return {
    async authenticate(token) {
      if (!isToken(token)) throw httpProblems.key_malformed();
      const digest = digestOf(token);
      const key = await checked.get(digest.toString('base64'), () => look(digest));
      if (!key) throw problems.key_unknown();
      if (key.revoked) throw problems.key_revoked();
      if (key.caller.expiresAt.getTime() <= now()) throw problems.key_expired();
      noteUse(key.id);
      return key.caller;
    },
    async create(
      { orgId, userId, name, scopes = ['read', 'write'], days = Math.min(DEFAULT_DAYS, maxDays), folderId },
      { by = null, made } = {},
    ) {
      const wanted = checkNewKey({ name, scopes, days, maxDays, folderId });
      const key = newToken();
      return database.transaction(async (trx) => {
        if (folderId && !(await store.seesFolder(trx, { orgId, userId }, folderId)))
          throw problems.key_folder_unknown();
        const id = await insert(trx, key, { orgId, userId, days, folderId, ...wanted }, by);
        await made?.(trx, id);
        const [row] = await store.keysNamed(trx, orgId, id);
        return { key, record: recordOf(row!, now()) };
      });
    },
    async list(orgId) {
      const at = now();
      return (await store.keysOf(database.db, orgId)).map((row) => recordOf(row, at));
    },
    async page(orgId, { userId, limit, cursor }) {
      if (cursor && !new RegExp(ID_PATTERN).test(cursor)) throw httpProblems.cursor_invalid();
      const found = await store.pageOfKeys(database.db, { orgId, userId, before: cursor ?? null, limit: limit + 1 });
      const at = now();
      const keys = found.slice(0, limit).map((row) => recordOf(row, at));
      return { keys, nextCursor: found.length > limit ? keys.at(-1)!.id : null };
    },
    async revoke(orgId, idOrPrefix, { by = null, userId = null } = {}) {
      return database
        .transaction(async (trx) => {
          const named = await store.keysNamed(trx, orgId, idOrPrefix);
          const found = named.filter((key) => userId === null || key.user_id === userId);
          const [row] = found;
          if (!row) throw problems.key_not_found();
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
          await database.notify(trx, REVOKED, row.id);
          return recordOf({ ...row, revoked_at: row.revoked_at ?? at }, now());
        })
        .finally(checked.forget);
    },
    async bootstrap(trx, owner, operatorKey) {
      const everything = { ...owner, scopes: SCOPES };
      if (operatorKey) {
        await insert(trx, operatorKey, { ...everything, name: 'SIGHTLINE_BOOTSTRAP_KEY', days: OPERATOR_DAYS }, null);
        return null;
      }
      if (await store.anyKey(trx)) return null;
      const key = newToken();
      await insert(trx, key, { ...everything, name: 'first key', days: Math.min(DEFAULT_DAYS, maxDays) }, null);
      return key;
    },
    async close() {
      checked.close();
      await Promise.all(notes);
    },
  };
}

type StoredKey = Required<Omit<NewKey, 'folderId'>> & Pick<NewKey, 'folderId'>;
type CheckedKey = { id: string; caller: Caller; revoked: boolean };

function checkNewKey({
  name,
  scopes,
  days,
  maxDays,
  folderId,
}: {
  name: string;
  scopes: readonly string[];
  days: number;
  maxDays: number;
  folderId: string | undefined;
}) {
  const trimmed = name.trim();
  if (trimmed === '' || trimmed.length > 100) {
    throw problems.key_request_invalid('A key needs a name of 1 to 100 characters.');
  }
  const unknown = scopes.find((scope) => !SCOPES.includes(scope as Scope));
  if (unknown !== undefined || scopes.length === 0) {
    throw problems.key_request_invalid(
      `A key's scopes are one or more of ${SCOPES.join(', ')}${unknown === undefined ? '' : `; "${unknown}" is none`}.`,
    );
  }
  if (folderId !== undefined && scopes.includes('admin')) {
    throw problems.key_request_invalid(
      'A key with the scope `admin` reaches everything: it cannot be limited to a folder.',
    );
  }
  if (!Number.isInteger(days) || days < 1 || days > maxDays) {
    throw problems.key_request_invalid(`A key lives 1 to ${maxDays} days.`);
  }
  return { name: trimmed, scopes: SCOPES.filter((scope) => scopes.includes(scope)) };
}

/** A key may do no more than its user may do now: who is no admin any more has no admin keys. */
const scopesLeft = ({ scopes, role }: store.KeyRow) =>
  (scopes as Scope[]).filter((scope) => scope !== 'admin' || role !== 'member');

/** When a key ended before its time: it was revoked, or its user was removed. */
const revokedAt = (row: store.KeyRow) => row.revoked_at ?? row.removed_at;

function recordOf(row: store.KeyRow, at: number): KeyRecord {
  const active = revokedAt(row) === null && row.expires_at.getTime() > at;
  return {
    id: row.id,
    name: row.name,
    prefix: row.prefix,
    scopes: scopesLeft(row),
    userId: row.user_id,
    email: row.email,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    revokedAt: revokedAt(row),
    folderId: row.folder_id,
    status: active ? 'active' : 'inactive',
  };
}
