import { actorOf } from '#features/audit/index';
import { type App, hasScope, requireScope, routes } from '#platform/http/index';
import { problems } from './problems.ts';
import { ApiKey, ApiKeyList, CreatedApiKey, KeyListQuery, KeyParams, NewApiKey, VerifiedKey } from './schema.ts';
import { type Keys, SCOPES } from './service.ts';

const DEFAULT_LIMIT = 100;

export function keysRoutes(app: App, keys: Keys): void {
  const route = routes(app, { tag: 'Authentication', scope: 'any' });

  route.post(
    '/api/keys/verify',
    {
      id: 'verifyKey',
      folderKeys: true,
      summary: 'Verify a key',
      description:
        'Returns the owner and the permissions of the key. Takes a valid key of any scope, and no body. In a session it describes the signed-in user.',
      response: VerifiedKey,
    },
    ({ caller }) => ({
      ...caller,
      valid: true as const,
      uid: caller.userId,
      scope: [...caller.scopes],
      permissions: SCOPES.filter((scope) => hasScope(caller, scope)),
      folderId: caller.folderId ?? null,
    }),
  );

  route.post(
    '/api/keys',
    {
      id: 'createKey',
      scope: 'admin',
      anySession: true,
      // Not `replay`: the response contains the key, of which only a digest is stored.
      idempotency: 'resumable',
      summary: 'Create a key',
      description:
        'Creates a key of your own user. Only admins can create keys with the scope `admin`. The value of the key is shown only in this response. A repeat with the same `Idempotency-Key` creates no second key, but cannot show the first one again: it gets 409 with the id of the key.',
      body: NewApiKey,
      response: CreatedApiKey,
      errors: [404, 409],
    },
    async (request) => {
      const { caller, body, savedReference } = request;
      if (savedReference !== null) throw shownOnce(savedReference);
      if (body.scopes?.includes('admin')) requireScope(caller, 'admin');
      const { key, record } = await keys.create(
        { ...body, orgId: caller.orgId, userId: caller.userId },
        { by: actorOf(request), made: (trx, id) => request.saveReference(id, trx) },
      );
      return { key, ...record };
    },
  );

  route.get(
    '/api/keys',
    {
      id: 'listKeys',
      summary: 'List keys',
      description: 'Lists the keys of your own user, newest first; for admins, all keys of the organization.',
      query: KeyListQuery,
      response: ApiKeyList,
    },
    ({ caller, query: { limit, cursor } }) => keys.page(caller, { limit: limit ?? DEFAULT_LIMIT, cursor }),
  );

  route.delete(
    '/api/keys/:key_id',
    {
      id: 'revokeKey',
      scope: 'admin',
      anySession: true,
      summary: 'Revoke a key',
      description:
        'Revokes a key of your own or, for admins, of anyone in the organization. Revocation is final and takes effect on every node within a second. Revoking a key again changes nothing.',
      params: KeyParams,
      response: ApiKey,
      errors: [404, 409],
    },
    (request) => {
      const { caller, params } = request;
      return keys.revoke(caller.orgId, params.keyId, { by: actorOf(request), caller });
    },
  );
}

const shownOnce = (id: string) =>
  problems.key_shown_once(
    `This request already created the key ${id}. Its value was shown in the first response and cannot be shown again. If you lost it, revoke the key and create another.`,
  );
