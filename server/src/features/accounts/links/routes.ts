import { actorOf, clientOf } from '#features/audit/index';
import { type App, refuseCrossSite, routes } from '#platform/http/index';
import type { People } from '../people.ts';
import { problems } from '../problems.ts';
import { welcome } from '../sessions/routes.ts';
import { SignedInSession } from '../sessions/schema.ts';
import type { SignInHttp } from '../types.ts';
import {
  AcceptedLink,
  CreatedInvitation,
  InvitationList,
  InvitationListQuery,
  InvitationParams,
  NewInvitation,
  PasswordResetRequest,
  RequestedPasswordReset,
  RevokedInvitation,
} from './schema.ts';

const DEFAULT_LIMIT = 100;

export function linksRoutes(app: App, people: People, { publicUrl, attempts, cookies }: SignInHttp): void {
  const { links, resets } = people;
  const route = routes(app, { tag: 'Accounts', scope: 'admin' });

  route.post(
    '/api/auth/accept',
    {
      id: 'acceptLink',
      scope: 'public',
      summary: 'Accept a link',
      description:
        'Accepts an invitation, the link of the first owner, or a password link: sets the password, starts a session and sets its cookie. A link works once. Users with a second factor also send a code: without one, the response is `second_factor_needed`, and the link stays valid.',
      body: AcceptedLink,
      response: SignedInSession,
      errors: [400, 401, 403, 409, 413, 415, 429, 500, 503],
    },
    async (request, reply) => {
      refuseCrossSite(request, publicUrl);
      await attempts.admit(request.ip);
      return welcome(reply, cookies, people, await links.accept(request.body, clientOf(request)));
    },
  );

  route.post(
    '/api/auth/reset-password',
    {
      id: 'requestPasswordReset',
      scope: 'public',
      summary: 'Request a link to reset a password',
      description:
        'Mails a link to set a new password, which works once and for an hour, if there is an account with this address and a password. The response is the same for an unknown address. Only where the operator has configured a mail server; at most three mails a day to one address.',
      body: PasswordResetRequest,
      response: RequestedPasswordReset,
      errors: [400, 403, 409, 413, 415, 429, 500, 503],
    },
    async (request) => {
      refuseCrossSite(request, publicUrl);
      await attempts.admit(request.ip);
      await resets.request(request.body.email, clientOf(request));
      return { status: 'requested' as const };
    },
  );

  route.post(
    '/api/invitations',
    {
      id: 'createInvitation',
      // Not `replay`: the response contains the link, of which only a digest is stored.
      idempotency: 'resumable',
      summary: 'Invite someone',
      description:
        'Creates a link to join your organization. Send it to the invited person: it is shown only in this response. Earlier invitations of the same address are revoked. Only owners can invite owners.',
      body: NewInvitation,
      response: CreatedInvitation,
      errors: [409],
    },
    (request) => {
      const { caller, body, savedReference } = request;
      if (savedReference !== null) throw problems.invitation_shown_once();
      return links.invite(caller.orgId, body, actorOf(request), (trx, id) => request.saveReference(id, trx));
    },
  );

  route.get(
    '/api/invitations',
    {
      id: 'listInvitations',
      summary: 'List open invitations',
      description: 'Lists the invitations of your organization that were not accepted yet.',
      query: InvitationListQuery,
      response: InvitationList,
    },
    ({ caller, query: { limit, cursor } }) => links.list(caller.orgId, { limit: limit ?? DEFAULT_LIMIT, cursor }),
  );

  route.delete(
    '/api/invitations/:invitation_id',
    {
      id: 'revokeInvitation',
      summary: 'Revoke an invitation',
      description: 'Revokes an open invitation. Its link no longer works.',
      params: InvitationParams,
      response: RevokedInvitation,
      errors: [404],
    },
    async (request) => {
      const { caller, params } = request;
      await links.revoke(caller.orgId, params.invitationId, actorOf(request));
      return params;
    },
  );
}
