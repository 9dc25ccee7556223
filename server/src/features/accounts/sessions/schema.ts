import { Type } from 'typebox';
import { Nullable } from '#platform/http/index';
import { MAX_PASSWORD, MIN_PASSWORD } from '../passwords.ts';

/** Longer ones are refused before anything is done with them. */
export const Email = Type.String({ minLength: 1, maxLength: 255, description: 'E-mail address.' });
export const Password = (description: string) => Type.String({ minLength: 1, maxLength: MAX_PASSWORD, description });
export const NewPassword = Type.String({
  minLength: MIN_PASSWORD,
  maxLength: MAX_PASSWORD,
  description: `The new password: ${MIN_PASSWORD} to ${MAX_PASSWORD} characters.`,
});

export const RoleName = Type.Union([Type.Literal('owner'), Type.Literal('admin'), Type.Literal('member')], {
  description:
    '`member`: reads and writes; `admin`: manages keys and members, too; `owner`: manages owners and admins, too.',
});
const Permission = Type.Union([Type.Literal('read'), Type.Literal('write'), Type.Literal('admin')]);

export const SignInBody = Type.Object(
  { email: Email, password: Password('The password.') },
  {
    description: 'Who signs in.',
    examples: [{ email: 'ada@example.com', password: 'correct horse battery staple' }],
  },
);

export const SessionAnswer = Type.Object(
  {
    session_id: Type.String({ description: 'Identifier of the session.' }),
    user_id: Type.String({ description: 'Who is signed in.' }),
    email: Type.String({ description: 'Their e-mail address.' }),
    org_id: Type.String({ description: 'Their organisation.' }),
    permissions: Type.Array(Permission, { description: 'What they may do; it follows from their role.' }),
    expires_at: Type.String({ format: 'date-time', description: 'When the session ends, ISO 8601, UTC.' }),
  },
  {
    description: 'Someone who is signed in. The session itself is in the cookie that is set, which no script can read.',
    examples: [
      {
        session_id: '019a0b1c2d3e7f008000000000000007',
        user_id: '019a0b1c2d3e7f008000000000000001',
        email: 'ada@example.com',
        org_id: '019a0b1c2d3e7f008000000000000000',
        permissions: ['read', 'write'],
        expires_at: '2026-11-28T09:30:00.000Z',
      },
    ],
  },
);

export const Ended = Type.Object(
  { ended: Type.Integer({ minimum: 0, description: 'How many sessions ended.' }) },
  { description: 'They end at once, on every node.', examples: [{ ended: 1 }] },
);

export const SessionId = Type.Object({
  session_id: Type.String({ minLength: 1, maxLength: 255, description: 'The session.' }),
});

export const SessionList = Type.Object(
  {
    sessions: Type.Array(
      Type.Object({
        session_id: Type.String({ description: 'Identifier of the session.' }),
        current: Type.Boolean({ description: 'Whether it is the one that asks.' }),
        method: Type.Union([Type.Literal('password'), Type.Literal('link'), Type.Literal('sso')], {
          description:
            'How it began: with a password, with a link of the operator or an invitation, by single sign-on.',
        }),
        address: Type.String({ description: 'Address it began from.' }),
        user_agent: Nullable(Type.String({ description: 'What the browser called itself.' })),
        created_at: Type.String({ format: 'date-time', description: 'When it began, ISO 8601, UTC.' }),
        expires_at: Type.String({ format: 'date-time', description: 'When it ends, ISO 8601, UTC.' }),
      }),
      { description: 'Newest first.' },
    ),
  },
  {
    description: 'Where you are signed in.',
    examples: [
      {
        sessions: [
          {
            session_id: '019a0b1c2d3e7f008000000000000007',
            current: true,
            method: 'password',
            address: '192.0.2.7',
            user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
            created_at: '2026-11-21T09:30:00.000Z',
            expires_at: '2026-11-28T09:30:00.000Z',
          },
        ],
      },
    ],
  },
);

export const PasswordBody = Type.Object(
  { current_password: Password('The password until now.'), new_password: NewPassword },
  {
    description: 'A change of the password.',
    examples: [{ current_password: 'correct horse battery staple', new_password: 'staple battery horse correct' }],
  },
);
