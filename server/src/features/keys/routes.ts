import { actorOf } from '#features/audit/index';
import { type App, type Caller, covers, failures, requireScope } from '#platform/http/index';
import { problems } from './problems.ts';
import { KeyAnswer, KeyId, KeyList, KeysQuery, MadeKey, NewKeyBody, VerifiedKey } from './schema.ts';
import { type KeyRecord, type Keys, SCOPES } from './service.ts';

const DEFAULT_LIMIT = 100;

export function keysRoutes(app: App, keys: Keys): void {
  app.post(
    '/api/keys/verify',
    {
      config: { scope: 'any', folderKeys: true },
      schema: {
        operationId: 'verifyKey',
        tags: ['Authentication'],
        summary: 'Verify a key',
        description:
          'Says whose key this is and what it may do. Needs a valid key of any scope, and no body. In a session it says who is signed in.',
        response: { 200: VerifiedKey, ...failures() },
      },
    },
    async (request) => verified(request.caller),
  );

  app.post(
    '/api/keys',
    {
      // Not `replay`: the answer holds the key, and of a key only its digest is stored.
      config: { scope: 'admin', anySession: true, idempotency: 'resumable' },
      schema: {
        operationId: 'createKey',
        tags: ['Authentication'],
        summary: 'Create a key',
        description:
          'Makes a key of your own user; one with the scope `admin` only for admins. Its full value is in this answer and nowhere else. A repeat with the same `Idempotency-Key` makes no second key, but cannot show the first one again: it is 409 and names its id.',
        body: NewKeyBody,
        response: { 200: MadeKey, ...failures(404, 409) },
      },
    },
    async (request) => {
      const { caller, body, remembered } = request;
      if (remembered !== null) throw alreadyMade(remembered);
      if (body.scopes?.includes('admin')) requireScope(caller, 'admin');
      const { key, record } = await keys.create(
        {
          orgId: caller.orgId,
          userId: caller.userId,
          name: body.name,
          scopes: body.scopes ?? undefined,
          days: body.expires_in_days ?? undefined,
          folderId: body.folder_id ?? undefined,
        },
        { by: actorOf(request), made: (trx, id) => request.remember(id, trx) },
      );
      return { key, ...answer(record) };
    },
  );

  app.get(
    '/api/keys',
    {
      config: { scope: 'any' },
      schema: {
        operationId: 'listKeys',
        tags: ['Authentication'],
        summary: 'List keys',
        description: 'Lists the keys of your own user, newest first; for admins, all of the organisation.',
        querystring: KeysQuery,
        response: { 200: KeyList, ...failures() },
      },
    },
    async ({ caller, query: { limit, cursor } }) => {
      const page = await keys.page(caller.orgId, { userId: ownOrAll(caller), limit: limit ?? DEFAULT_LIMIT, cursor });
      return { keys: page.keys.map(answer), has_more: page.nextCursor !== null, next_cursor: page.nextCursor };
    },
  );

  app.delete(
    '/api/keys/:key_id',
    {
      config: { scope: 'admin', anySession: true },
      schema: {
        operationId: 'revokeKey',
        tags: ['Authentication'],
        summary: 'Revoke a key',
        description:
          'Revokes a key of your own or, for admins, of anyone in the organisation: final, and on every node within a second. Revoking it again changes nothing.',
        params: KeyId,
        response: { 200: KeyAnswer, ...failures(404, 409) },
      },
    },
    async (request) => {
      const { caller, params } = request;
      const options = { by: actorOf(request), userId: ownOrAll(caller) };
      return answer(await keys.revoke(caller.orgId, params.key_id, options));
    },
  );
}

/** Whose keys the caller may see and revoke: their own, or, for admins, everyone's (null). */
const ownOrAll = (caller: Caller) => (covers(caller, 'admin') ? null : caller.userId);

const alreadyMade = (id: string) =>
  problems.key_shown_once(
    `This request made the key ${id} the first time; its value was in that answer and is not kept. If it is lost, revoke that key and make another.`,
  );

function answer(key: KeyRecord) {
  return {
    key_id: key.id,
    name: key.name,
    prefix: key.prefix,
    scopes: key.scopes,
    user_id: key.userId,
    email: key.email,
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt.toISOString(),
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
    revoked_at: key.revokedAt?.toISOString() ?? null,
    folder_id: key.folderId,
    status: key.status,
  };
}

function verified(caller: Caller) {
  return {
    valid: true as const,
    user_id: caller.userId,
    uid: caller.userId,
    email: caller.email,
    org_id: caller.orgId,
    key_id: caller.keyId,
    scope: [...caller.scopes],
    permissions: SCOPES.filter((scope) => covers(caller, scope)),
    expires_at: caller.expiresAt.toISOString(),
    folder_id: caller.folderId ?? null,
  };
}
