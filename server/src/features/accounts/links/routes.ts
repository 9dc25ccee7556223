import { actorOf, placeOf } from '#features/audit/index';
import { type App, failures, publicFailures, refuseCrossSite } from '#platform/http/index';
import { problems } from '../problems.ts';
import type { Door } from '../routes.ts';
import { welcome } from '../sessions/routes.ts';
import { SessionAnswer } from '../sessions/schema.ts';
import * as schema from './schema.ts';
import type { Invitation, Links } from './service.ts';

const TAGS = ['Accounts'];
const DEFAULT_LIMIT = 100;

export function linksRoutes(app: App, links: Links, { publicUrl, attempts, cookies }: Door): void {
  app.post(
    '/api/auth/accept',
    {
      config: { scope: 'public' },
      schema: {
        operationId: 'acceptLink',
        tags: TAGS,
        summary: 'Follow a link',
        description:
          "Follows an invitation, the first owner's link, or a link to a new password: sets the password, begins a session and sets its cookie. A link works once.",
        body: schema.AcceptBody,
        response: { 200: SessionAnswer, ...publicFailures(400, 403, 409, 413, 415, 429, 500, 503) },
      },
    },
    async (request, reply) => {
      refuseCrossSite(request, publicUrl);
      await attempts.admit(request.ip);
      return welcome(reply, cookies, await links.accept(request.body, placeOf(request)));
    },
  );

  app.post(
    '/api/invitations',
    {
      // Not `replay`: the answer holds the link, and of a link only its digest is stored.
      config: { scope: 'admin', idempotency: 'resumable' },
      schema: {
        operationId: 'createInvitation',
        tags: TAGS,
        summary: 'Invite someone',
        description:
          'Makes a link by which someone joins your organisation. Send it to them: it is in this answer and nowhere else. An earlier invitation of the same address ends. Only an owner invites owners.',
        body: schema.InvitationBody,
        response: { 200: schema.MadeInvitation, ...failures(409) },
      },
    },
    async (request) => {
      const { caller, body, remembered } = request;
      if (remembered !== null) throw problems.invitation_shown_once();
      const given = { email: body.email, role: body.role, days: body.expires_in_days ?? undefined };
      const made = await links.invite(caller.orgId, given, actorOf(request), (trx, id) => request.remember(id, trx));
      return { url: made.url, ...answer(made.invitation) };
    },
  );

  app.get(
    '/api/invitations',
    {
      config: { scope: 'admin' },
      schema: {
        operationId: 'listInvitations',
        tags: TAGS,
        summary: 'List open invitations',
        description: 'Lists invitations of your organisation that nobody followed yet.',
        querystring: schema.InvitationsQuery,
        response: { 200: schema.InvitationList, ...failures() },
      },
    },
    async ({ caller, query: { limit, cursor } }) => {
      const page = await links.list(caller.orgId, { limit: limit ?? DEFAULT_LIMIT, cursor });
      const { nextCursor } = page;
      return { invitations: page.invitations.map(answer), has_more: nextCursor !== null, next_cursor: nextCursor };
    },
  );

  app.delete(
    '/api/invitations/:invitation_id',
    {
      config: { scope: 'admin' },
      schema: {
        operationId: 'revokeInvitation',
        tags: TAGS,
        summary: 'Revoke an invitation',
        description: 'Its link works no more.',
        params: schema.InvitationId,
        response: { 200: schema.RevokedInvitation, ...failures(404) },
      },
    },
    async (request) => {
      const { caller, params } = request;
      await links.revoke(caller.orgId, params.invitation_id, actorOf(request));
      return { invitation_id: params.invitation_id };
    },
  );
}

const answer = (invitation: Invitation) => ({
  invitation_id: invitation.id,
  email: invitation.email,
  role: invitation.role,
  invited_by: invitation.invitedBy,
  created_at: invitation.createdAt.toISOString(),
  expires_at: invitation.expiresAt.toISOString(),
});
