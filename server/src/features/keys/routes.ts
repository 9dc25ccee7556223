import { type App, type Caller, covers, failures } from '#platform/http/index';
import { VerifiedKey } from './schema.ts';
import { SCOPES } from './service.ts';

export function keysRoutes(app: App): void {
  app.post(
    '/api/keys/verify',
    {
      config: { scope: 'any' },
      schema: {
        operationId: 'verifyKey',
        tags: ['Authentication'],
        summary: 'Verify a key',
        description: 'Says whose key this is and what it may do. Needs a valid key of any scope, and no body.',
        response: { 200: VerifiedKey, ...failures() },
      },
    },
    async (request) => verified(request.caller),
  );
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
  };
}
