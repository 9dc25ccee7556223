import { Type } from 'typebox';
import { type Domain, Maybe, Name, Nullable, resource, Timestamp } from '#platform/http/index';
import { Code, Email, NewPassword, RoleName } from '../sessions/schema.ts';

export const AcceptedLink = resource(
  'AcceptedLink',
  Type.Object(
    {
      token: Type.String({ minLength: 1, maxLength: 255, description: 'The part of the link after the `#`.' }),
      password: NewPassword,
      name: Maybe(Name({ maxLength: 100, description: 'Your name, as other members see it.' })),
      code: Maybe(Code('A code of the authenticator app, or a recovery code. Only for users with a second factor.')),
      email: Maybe(
        Type.String({
          minLength: 1,
          maxLength: 255,
          description: 'Your e-mail address. Only for the link of the first owner; other links have an address.',
        }),
      ),
    },
    {
      description: 'A link and the new password.',
      examples: [{ token: 'q3Yv…', password: 'correct horse battery staple', name: 'Ada' }],
    },
  ),
);

export const PasswordResetRequest = resource(
  'PasswordResetRequest',
  Type.Object(
    { email: Email },
    { description: 'The address of the account.', examples: [{ email: 'ada@example.com' }] },
  ),
);

export const RequestedPasswordReset = resource(
  'RequestedPasswordReset',
  Type.Object(
    { status: Type.Literal('requested', { description: 'Always `requested`, whether or not there is an account.' }) },
    { description: 'The request was accepted.', examples: [{ status: 'requested' }] },
  ),
);

export const NewInvitation = resource(
  'NewInvitation',
  Type.Object(
    {
      email: Email,
      role: RoleName,
      expires_in_days: Maybe(
        Type.Integer({ minimum: 1, maximum: 30, description: 'Days until the link expires; default: 7.' }),
      ),
    },
    {
      description: 'An invitation to create.',
      examples: [{ email: 'grace@example.com', role: 'member', expires_in_days: 7 }],
    },
  ),
);
export type NewInvitation = Domain<typeof NewInvitation>;

const FIELDS = {
  invitation_id: Type.String({ description: 'Identifier of the invitation.' }),
  email: Type.String({ description: 'E-mail address of the invited person.' }),
  role: RoleName,
  invited_by: Nullable(Type.String({ description: 'The user who created the invitation; null: the operator.' })),
  created_at: Timestamp({ description: 'Creation time, ISO 8601, UTC.' }),
  expires_at: Timestamp({ description: 'Expiry of the link, ISO 8601, UTC.' }),
};

const EXAMPLE = {
  invitation_id: '019a0b1c2d3e7f008000000000000008',
  email: 'grace@example.com',
  role: 'member',
  invited_by: '019a0b1c2d3e7f008000000000000001',
  created_at: '2026-11-21T09:30:00.000Z',
  expires_at: '2026-11-28T09:30:00.000Z',
};

export const Invitation = resource(
  'Invitation',
  Type.Object(FIELDS, { description: 'An open invitation, without its link.', examples: [EXAMPLE] }),
);
export type Invitation = Domain<typeof Invitation>;

export const CreatedInvitation = resource(
  'CreatedInvitation',
  Type.Object(
    {
      url: Type.String({ description: 'The link to send. It is shown only once and works once.' }),
      ...FIELDS,
    },
    {
      description: 'The new invitation.',
      examples: [{ url: 'https://sightline.example.com/welcome?invitation#q3Yv…', ...EXAMPLE }],
    },
  ),
);
export type CreatedInvitation = Domain<typeof CreatedInvitation>;

export const InvitationListQuery = Type.Object({
  limit: Maybe(
    Type.Integer({ minimum: 1, maximum: 1_000, description: 'Maximum number of invitations; default: 100.' }),
  ),
  cursor: Maybe(Type.String({ maxLength: 255, description: 'The `next_cursor` of the previous page.' })),
});

export const InvitationList = resource(
  'InvitationList',
  Type.Object(
    {
      invitations: Type.Array(Invitation, { description: 'Open invitations, newest first.' }),
      has_more: Type.Boolean({ description: 'True if more invitations follow.' }),
      next_cursor: Nullable(Type.String({ description: 'Value of `cursor` for the next page.' })),
    },
    {
      description: 'A page of open invitations.',
      examples: [{ invitations: [EXAMPLE], has_more: false, next_cursor: null }],
    },
  ),
);

export const InvitationParams = Type.Object({
  invitation_id: Type.String({ minLength: 1, maxLength: 255, description: 'Identifier of the invitation.' }),
});

export const RevokedInvitation = resource(
  'RevokedInvitation',
  Type.Object(
    { invitation_id: Type.String({ description: 'Identifier of the revoked invitation.' }) },
    { description: 'The invitation was revoked.', examples: [{ invitation_id: EXAMPLE.invitation_id }] },
  ),
);
