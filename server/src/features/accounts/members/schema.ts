import { Type } from 'typebox';
import { type Domain, Maybe, Name, Nullable, resource, Timestamp } from '#platform/http/index';
import { RoleName } from '../sessions/schema.ts';

const EXAMPLE = {
  user_id: '019a0b1c2d3e7f008000000000000001',
  email: 'ada@example.com',
  name: 'Ada',
  role: 'member',
  joined_at: '2026-11-21T09:30:00.000Z',
  has_password: true,
  has_sso: false,
  has_second_factor: false,
};

export const Member = resource(
  'Member',
  Type.Object(
    {
      user_id: Type.String({ description: 'Identifier of the user.' }),
      email: Type.String({ description: 'E-mail address of the user.' }),
      name: Type.String({ description: 'Name of the user.' }),
      role: RoleName,
      joined_at: Timestamp({ description: 'Time when the user joined, ISO 8601, UTC.' }),
      has_password: Type.Boolean({ description: 'True if the user can sign in with a password.' }),
      has_sso: Type.Boolean({ description: 'True if the user can sign in by single sign-on.' }),
      has_second_factor: Type.Boolean({
        description: 'True if signing in with the password also needs a code of an authenticator app.',
      }),
    },
    { description: 'A member of the organization.', examples: [EXAMPLE] },
  ),
);
export type Member = Domain<typeof Member>;

export const MemberListQuery = Type.Object({
  limit: Maybe(Type.Integer({ minimum: 1, maximum: 1_000, description: 'Maximum number of members; default: 100.' })),
  cursor: Maybe(Type.String({ maxLength: 255, description: 'The `next_cursor` of the previous page.' })),
});

export const MemberList = resource(
  'MemberList',
  Type.Object(
    {
      members: Type.Array(Member, { description: 'Members, in the order in which they joined.' }),
      has_more: Type.Boolean({ description: 'True if more members follow.' }),
      next_cursor: Nullable(Type.String({ description: 'Value of `cursor` for the next page.' })),
    },
    { description: 'A page of members.', examples: [{ members: [EXAMPLE], has_more: false, next_cursor: null }] },
  ),
);

export const MemberParams = Type.Object({
  user_id: Type.String({ minLength: 1, maxLength: 255, description: 'Identifier of the member.' }),
});

export const RoleChange = resource(
  'RoleChange',
  Type.Object({ role: RoleName }, { description: 'The new role of a member.', examples: [{ role: 'admin' }] }),
);

const SecondFactorRequired = Type.Boolean({
  description:
    'True if members who sign in with a password need a second factor: without one they can only set it up. Single sign-on and keys are not affected.',
});

export const Organization = resource(
  'Organization',
  Type.Object(
    {
      org_id: Type.String({ description: 'Identifier of the organization.' }),
      name: Type.String({ description: 'Name of the organization.' }),
      second_factor_required: SecondFactorRequired,
      created_at: Timestamp({ description: 'Creation time, ISO 8601, UTC.' }),
    },
    {
      description: 'Your organization.',
      examples: [
        {
          org_id: '019a0b1c2d3e7f008000000000000000',
          name: 'Example Robotics',
          second_factor_required: false,
          created_at: '2026-11-21T09:30:00.000Z',
        },
      ],
    },
  ),
);
export type Organization = Domain<typeof Organization>;

export const OrganizationChanges = resource(
  'OrganizationChanges',
  Type.Object(
    {
      name: Type.Optional(Name({ maxLength: 100, description: 'The new name.' })),
      second_factor_required: Type.Optional(SecondFactorRequired),
    },
    {
      description: 'Changes to the organization. Absent fields are unchanged.',
      examples: [{ name: 'Example Robotics' }],
    },
  ),
);
export type OrganizationChanges = Domain<typeof OrganizationChanges>;

export const OwnershipTransfer = resource(
  'OwnershipTransfer',
  Type.Object(
    { user_id: Type.String({ minLength: 1, maxLength: 255, description: 'The member who becomes owner.' }) },
    { description: 'A transfer of ownership to another member.', examples: [{ user_id: EXAMPLE.user_id }] },
  ),
);
