import { Type } from 'typebox';
import { Maybe, Name, Nullable } from '#platform/http/index';
import { Email, NewPassword, RoleName } from '../sessions/schema.ts';

export const AcceptBody = Type.Object(
  {
    token: Type.String({ minLength: 1, maxLength: 255, description: 'What stands after the `#` in the link.' }),
    password: NewPassword,
    name: Maybe(Name({ maxLength: 100, description: 'What others call you.' })),
    email: Maybe(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: "Your e-mail address, for the first owner's link alone: other links are for an address already.",
      }),
    ),
  },
  {
    description: 'A link, and the password to sign in with from now on.',
    examples: [{ token: 'q3Yv…', password: 'correct horse battery staple', name: 'Ada' }],
  },
);

export const InvitationBody = Type.Object(
  {
    email: Email,
    role: RoleName,
    expires_in_days: Maybe(
      Type.Integer({ minimum: 1, maximum: 30, description: 'Days until the link ends; default 7.' }),
    ),
  },
  { description: 'Whom to invite.', examples: [{ email: 'grace@example.com', role: 'member', expires_in_days: 7 }] },
);

const SHOWN = {
  invitation_id: Type.String({ description: 'Identifier of the invitation.' }),
  email: Type.String({ description: 'Who is invited.' }),
  role: RoleName,
  invited_by: Nullable(Type.String({ description: 'The user who invited; null: the operator.' })),
  created_at: Type.String({ format: 'date-time', description: 'When, ISO 8601, UTC.' }),
  expires_at: Type.String({ format: 'date-time', description: 'When its link ends, ISO 8601, UTC.' }),
};

const EXAMPLE = {
  invitation_id: '019a0b1c2d3e7f008000000000000008',
  email: 'grace@example.com',
  role: 'member',
  invited_by: '019a0b1c2d3e7f008000000000000001',
  created_at: '2026-11-21T09:30:00.000Z',
  expires_at: '2026-11-28T09:30:00.000Z',
};

const InvitationShown = Type.Object(SHOWN);

export const MadeInvitation = Type.Object(
  { url: Type.String({ description: 'The link to hand over, shown this once. It works once.' }), ...SHOWN },
  {
    description: 'The invitation.',
    examples: [{ url: 'https://sightline.example.com/welcome?invitation#q3Yv…', ...EXAMPLE }],
  },
);

export const InvitationsQuery = Type.Object({
  limit: Maybe(Type.Integer({ minimum: 1, maximum: 1_000, description: 'Most of one page; default 100.' })),
  cursor: Maybe(Type.String({ maxLength: 255, description: 'The `next_cursor` of the page before.' })),
});

export const InvitationList = Type.Object(
  {
    invitations: Type.Array(InvitationShown, { description: 'Open ones, newest first.' }),
    has_more: Type.Boolean({ description: 'Whether there are older ones.' }),
    next_cursor: Nullable(Type.String({ description: 'Give it as `cursor` to get them.' })),
  },
  {
    description: 'A page of open invitations.',
    examples: [{ invitations: [EXAMPLE], has_more: false, next_cursor: null }],
  },
);

export const InvitationId = Type.Object({
  invitation_id: Type.String({ minLength: 1, maxLength: 255, description: 'The invitation.' }),
});

export const RevokedInvitation = Type.Object(
  { invitation_id: Type.String({ description: 'Its link works no more.' }) },
  { description: 'The invitation was revoked.', examples: [{ invitation_id: EXAMPLE.invitation_id }] },
);
