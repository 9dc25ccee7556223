import { Type } from 'typebox';
import { Maybe, Name, Nullable } from '#platform/http/index';
import { RoleName } from '../sessions/schema.ts';

const EXAMPLE = {
  user_id: '019a0b1c2d3e7f008000000000000001',
  email: 'ada@example.com',
  name: 'Ada',
  role: 'member',
  joined_at: '2026-11-21T09:30:00.000Z',
  has_password: true,
  has_sso: false,
};

export const MemberAnswer = Type.Object(
  {
    user_id: Type.String({ description: 'Identifier of the user.' }),
    email: Type.String({ description: 'Their e-mail address.' }),
    name: Type.String({ description: 'What others call them.' }),
    role: RoleName,
    joined_at: Type.String({ format: 'date-time', description: 'When they joined, ISO 8601, UTC.' }),
    has_password: Type.Boolean({ description: 'Whether they can sign in with a password.' }),
    has_sso: Type.Boolean({ description: 'Whether they can sign in by single sign-on.' }),
  },
  { description: 'A member of the organisation.', examples: [EXAMPLE] },
);

export const MembersQuery = Type.Object({
  limit: Maybe(Type.Integer({ minimum: 1, maximum: 1_000, description: 'Most members of one page; default 100.' })),
  cursor: Maybe(Type.String({ maxLength: 255, description: 'The `next_cursor` of the page before.' })),
});

export const MemberList = Type.Object(
  {
    members: Type.Array(MemberAnswer, { description: 'In the order they joined.' }),
    has_more: Type.Boolean({ description: 'Whether there are more.' }),
    next_cursor: Nullable(Type.String({ description: 'Give it as `cursor` to get them.' })),
  },
  { description: 'A page of members.', examples: [{ members: [EXAMPLE], has_more: false, next_cursor: null }] },
);

export const UserId = Type.Object({
  user_id: Type.String({ minLength: 1, maxLength: 255, description: 'The member.' }),
});

export const RoleBody = Type.Object(
  { role: RoleName },
  { description: 'What the member is from now on.', examples: [{ role: 'admin' }] },
);

export const OrganizationAnswer = Type.Object(
  {
    org_id: Type.String({ description: 'Identifier of the organisation.' }),
    name: Type.String({ description: 'Its name.' }),
    created_at: Type.String({ format: 'date-time', description: 'When it was made, ISO 8601, UTC.' }),
  },
  {
    description: 'Your organisation.',
    examples: [
      { org_id: '019a0b1c2d3e7f008000000000000000', name: 'Example Robotics', created_at: '2026-11-21T09:30:00.000Z' },
    ],
  },
);

export const OrganizationBody = Type.Object(
  { name: Name({ maxLength: 100, description: 'The new name.' }) },
  { description: 'What to change.', examples: [{ name: 'Example Robotics' }] },
);

export const TransferBody = Type.Object(
  { user_id: Type.String({ minLength: 1, maxLength: 255, description: 'The member who becomes owner.' }) },
  { description: 'To whom.', examples: [{ user_id: EXAMPLE.user_id }] },
);
