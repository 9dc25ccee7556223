import { actorOf } from '#features/audit/index';
import { type App, routes } from '#platform/http/index';
import {
  Member,
  MemberList,
  MemberListQuery,
  MemberParams,
  Organization,
  OrganizationChanges,
  OwnershipTransfer,
  RoleChange,
} from './schema.ts';
import type { Members } from './service.ts';

const DEFAULT_LIMIT = 100;

export function membersRoutes(app: App, members: Members): void {
  const route = routes(app, { tag: 'Accounts', scope: 'read' });
  const admin = routes(app, { tag: 'Accounts', scope: 'admin' });

  route.get(
    '/api/organization',
    {
      id: 'getOrganization',
      summary: 'Get your organization',
      description: 'Returns the organization that all your objects belong to.',
      response: Organization,
    },
    ({ caller }) => members.organization(caller.orgId),
  );

  admin.patch(
    '/api/organization',
    {
      id: 'renameOrganization',
      summary: 'Change your organization',
      description:
        'Changes the name of your organization, and whether its members need a second factor to sign in with a password. To require it, you need one yourself.',
      body: OrganizationChanges,
      response: Organization,
      errors: [409],
    },
    (request) => members.changeOrganization(request.caller.orgId, request.body, actorOf(request)),
  );

  admin.post(
    '/api/organization/transfer',
    {
      id: 'transferOwnership',
      summary: 'Transfer ownership',
      description: 'Makes another member owner, and you an admin. Only owners can transfer ownership.',
      body: OwnershipTransfer,
      response: Member,
      errors: [404],
    },
    (request) => members.transfer(request.caller.orgId, request.body.userId, actorOf(request)),
  );

  route.get(
    '/api/members',
    {
      id: 'listMembers',
      summary: 'List members',
      description: 'Lists the members of your organization.',
      query: MemberListQuery,
      response: MemberList,
    },
    ({ caller, query: { limit, cursor } }) => members.list(caller.orgId, { limit: limit ?? DEFAULT_LIMIT, cursor }),
  );

  admin.patch(
    '/api/members/:user_id',
    {
      id: 'changeRole',
      summary: "Change a member's role",
      description:
        'Takes effect on the sessions of the member at once and on their keys within a second. Only owners can appoint or change owners. The only owner cannot be demoted.',
      params: MemberParams,
      body: RoleChange,
      response: Member,
      errors: [404, 409],
    },
    (request) => members.changeRole(request.caller.orgId, request.params.userId, request.body.role, actorOf(request)),
  );

  admin.delete(
    '/api/members/:user_id',
    {
      id: 'removeMember',
      summary: 'Remove a member',
      description:
        'Ends the sessions and the invitations of the member at once and their keys within a second. Their videos, folders and analyses remain. The only owner cannot be removed.',
      params: MemberParams,
      response: Member,
      errors: [404, 409],
    },
    (request) => members.remove(request.caller.orgId, request.params.userId, actorOf(request)),
  );

  admin.delete(
    '/api/members/:user_id/second-factor',
    {
      id: 'resetSecondFactor',
      summary: "Reset a member's second factor",
      description:
        'For a member who has lost their authenticator app and their recovery codes: they sign in with their password alone, and can set up another one. Their sessions end. Not for your own.',
      params: MemberParams,
      response: Member,
      errors: [404, 409],
    },
    (request) => members.resetSecondFactor(request.caller.orgId, request.params.userId, actorOf(request)),
  );
}
