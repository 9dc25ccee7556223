import { actorOf } from '#features/audit/index';
import { type App, failures } from '#platform/http/index';
import * as schema from './schema.ts';
import type { Member, Members, Organization } from './service.ts';

const TAGS = ['Accounts'];
const DEFAULT_LIMIT = 100;

export function membersRoutes(app: App, members: Members): void {
  app.get(
    '/api/organization',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'getOrganization',
        tags: TAGS,
        summary: 'Your organisation',
        description: 'The organisation that everything you see belongs to.',
        response: { 200: schema.OrganizationAnswer, ...failures() },
      },
    },
    async ({ caller }) => organizationAnswer(await members.organization(caller.orgId)),
  );

  app.patch(
    '/api/organization',
    {
      config: { scope: 'admin' },
      schema: {
        operationId: 'renameOrganization',
        tags: TAGS,
        summary: 'Rename your organisation',
        description: 'Gives it another name.',
        body: schema.OrganizationBody,
        response: { 200: schema.OrganizationAnswer, ...failures() },
      },
    },
    async (request) =>
      organizationAnswer(await members.rename(request.caller.orgId, request.body.name, actorOf(request))),
  );

  app.post(
    '/api/organization/transfer',
    {
      config: { scope: 'admin' },
      schema: {
        operationId: 'transferOwnership',
        tags: TAGS,
        summary: 'Hand over ownership',
        description: 'Makes another member owner and you, an owner, an admin. For owners.',
        body: schema.TransferBody,
        response: { 200: schema.MemberAnswer, ...failures(404) },
      },
    },
    async (request) =>
      memberAnswer(await members.transfer(request.caller.orgId, request.body.user_id, actorOf(request))),
  );

  app.get(
    '/api/members',
    {
      config: { scope: 'read' },
      schema: {
        operationId: 'listMembers',
        tags: TAGS,
        summary: 'List members',
        description: 'Lists the people of your organisation.',
        querystring: schema.MembersQuery,
        response: { 200: schema.MemberList, ...failures() },
      },
    },
    async ({ caller, query: { limit, cursor } }) => {
      const page = await members.list(caller.orgId, { limit: limit ?? DEFAULT_LIMIT, cursor });
      const { nextCursor } = page;
      return { members: page.members.map(memberAnswer), has_more: nextCursor !== null, next_cursor: nextCursor };
    },
  );

  app.patch(
    '/api/members/:user_id',
    {
      config: { scope: 'admin' },
      schema: {
        operationId: 'changeRole',
        tags: TAGS,
        summary: "Change a member's role",
        description:
          'Takes effect on their sessions at once and on their keys within a second. Only an owner makes or changes owners; one owner stays.',
        params: schema.UserId,
        body: schema.RoleBody,
        response: { 200: schema.MemberAnswer, ...failures(404, 409) },
      },
    },
    async (request) => {
      const { caller, params, body } = request;
      return memberAnswer(await members.changeRole(caller.orgId, params.user_id, body.role, actorOf(request)));
    },
  );

  app.delete(
    '/api/members/:user_id',
    {
      config: { scope: 'admin' },
      schema: {
        operationId: 'removeMember',
        tags: TAGS,
        summary: 'Remove a member',
        description:
          'Their sessions and the invitations they made end at once, their keys within a second; what they made stays. One owner stays.',
        params: schema.UserId,
        response: { 200: schema.MemberAnswer, ...failures(404, 409) },
      },
    },
    async (request) =>
      memberAnswer(await members.remove(request.caller.orgId, request.params.user_id, actorOf(request))),
  );
}

const organizationAnswer = ({ id, name, createdAt }: Organization) => ({
  org_id: id,
  name,
  created_at: createdAt.toISOString(),
});

const memberAnswer = (member: Member) => ({
  user_id: member.id,
  email: member.email,
  name: member.name,
  role: member.role,
  joined_at: member.joinedAt.toISOString(),
  has_password: member.password,
  has_sso: member.sso,
});
