import { Type } from 'typebox';
import { type Domain, Maybe, Name, Nullable, PatternString, resource, Timestamp } from '#platform/http/index';
import { MAX_PASSWORD, MIN_PASSWORD } from '../passwords.ts';

/** Longer addresses and passwords are rejected before any work. */
export const Email = Type.String({ minLength: 1, maxLength: 255, description: 'E-mail address.' });
export const Password = (description: string) => Type.String({ minLength: 1, maxLength: MAX_PASSWORD, description });
/** Codes are short; the rest is for spaces and dashes. */
export const Code = (description: string) => Type.String({ minLength: 1, maxLength: 64, description });
export const NewPassword = Type.String({
  minLength: MIN_PASSWORD,
  maxLength: MAX_PASSWORD,
  description: `The new password: ${MIN_PASSWORD} to ${MAX_PASSWORD} characters.`,
});

export const RoleName = Type.Union([Type.Literal('owner'), Type.Literal('admin'), Type.Literal('member')], {
  description:
    '`member`: reads and writes; `admin`: also manages keys and members; `owner`: also manages owners and admins.',
});
const Permission = Type.Union([Type.Literal('read'), Type.Literal('write'), Type.Literal('admin')]);

const SESSION_ID = '019a0b1c2d3e7f008000000000000007';

export const Credentials = resource(
  'Credentials',
  Type.Object(
    {
      email: Email,
      password: Password('The password.'),
      code: Maybe(Code('A code of the authenticator app, or a recovery code. Only for users with a second factor.')),
    },
    {
      description: 'Address and password of a user, and a code if they have a second factor.',
      examples: [{ email: 'ada@example.com', password: 'correct horse battery staple' }],
    },
  ),
);

export type Credentials = Domain<typeof Credentials>;

export const SIGNED_IN = {
  session_id: SESSION_ID,
  user_id: '019a0b1c2d3e7f008000000000000001',
  email: 'ada@example.com',
  name: 'Ada',
  role: 'member',
  locale: 'en',
  has_password: true,
  has_second_factor: false,
  needs_second_factor: false,
  recovery_codes_left: 0,
  org_id: '019a0b1c2d3e7f008000000000000000',
  org_name: 'Example Robotics',
  operates_service: true,
  permissions: ['read', 'write'],
  expires_at: '2026-11-28T09:30:00.000Z',
};

export const SignedInSession = resource(
  'SignedInSession',
  Type.Object(
    {
      session_id: Type.String({ description: 'Identifier of the session.' }),
      user_id: Type.String({ description: 'The signed-in user.' }),
      email: Type.String({ description: "The user's e-mail address." }),
      name: Type.String({ description: "The user's name." }),
      role: RoleName,
      locale: Nullable(
        Type.String({ description: "The user's language as a BCP 47 tag, such as `de`; null: that of the browser." }),
      ),
      has_password: Type.Boolean({ description: 'True if the user can sign in with a password.' }),
      has_second_factor: Type.Boolean({
        description: 'True if signing in with the password also needs a code of an authenticator app.',
      }),
      needs_second_factor: Type.Boolean({
        description:
          'True if the organization requires a second factor that the user has not set up: the session can do nothing else before.',
      }),
      recovery_codes_left: Type.Integer({ minimum: 0, description: 'Number of unused recovery codes.' }),
      org_id: Type.String({ description: "The user's organization." }),
      org_name: Type.String({ description: 'Name of the organization.' }),
      operates_service: Type.Boolean({
        description: 'True if this is the first organization of the service, whose administrators see its workers.',
      }),
      permissions: Type.Array(Permission, { description: "Scopes of the session, according to the user's role." }),
      expires_at: Timestamp({ description: 'Expiry of the session, ISO 8601, UTC.' }),
    },
    {
      description: 'The signed-in user. The session itself is in the cookie, which scripts cannot read.',
      examples: [SIGNED_IN],
    },
  ),
);

export type SignedInSession = Domain<typeof SignedInSession>;

export const ProfileChanges = resource(
  'ProfileChanges',
  Type.Object(
    {
      name: Type.Optional(Name({ maxLength: 100, description: 'Your name.' })),
      locale: Maybe(
        PatternString('^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$', 'a BCP 47 language tag, such as `de` or `pt-BR`', {
          maxLength: 35,
          description: 'Your language as a BCP 47 tag, such as `de` or `pt-BR`; null: that of the browser.',
        }),
      ),
    },
    { description: 'Changes to your profile. Absent fields are unchanged.', examples: [{ name: 'Ada', locale: 'en' }] },
  ),
);
export type ProfileChanges = Domain<typeof ProfileChanges>;

export const EndedSessions = resource(
  'EndedSessions',
  Type.Object(
    { ended: Type.Integer({ minimum: 0, description: 'Number of ended sessions.' }) },
    { description: 'The sessions have ended on every node.', examples: [{ ended: 1 }] },
  ),
);

export const SessionParams = Type.Object({
  session_id: Type.String({ minLength: 1, maxLength: 255, description: 'Identifier of the session.' }),
});

const EXAMPLE = {
  session_id: SESSION_ID,
  current: true,
  method: 'password',
  address: '192.0.2.7',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  created_at: '2026-11-21T09:30:00.000Z',
  expires_at: '2026-11-28T09:30:00.000Z',
};

export const Session = resource(
  'Session',
  Type.Object(
    {
      session_id: Type.String({ description: 'Identifier of the session.' }),
      current: Type.Boolean({ description: 'True for the session of this request.' }),
      method: Type.Union([Type.Literal('password'), Type.Literal('link'), Type.Literal('sso')], {
        description:
          'How the user signed in: with a password, with an invitation or a link of the operator, or by single sign-on.',
      }),
      address: Type.String({ description: 'IP address of the client that signed in.' }),
      user_agent: Nullable(Type.String({ description: 'User agent of that client.' })),
      created_at: Timestamp({ description: 'Time of the sign-in, ISO 8601, UTC.' }),
      expires_at: Timestamp({ description: 'Expiry, ISO 8601, UTC.' }),
    },
    { description: 'A session of the user.', examples: [EXAMPLE] },
  ),
);
export type SessionEntry = Domain<typeof Session>;

export const SessionList = resource(
  'SessionList',
  Type.Object(
    { sessions: Type.Array(Session, { description: 'Sessions, newest first.' }) },
    { description: 'Your sessions.', examples: [{ sessions: [EXAMPLE] }] },
  ),
);

export const PasswordChange = resource(
  'PasswordChange',
  Type.Object(
    { current_password: Password('The current password.'), new_password: NewPassword },
    {
      description: 'A change of the password.',
      examples: [{ current_password: 'correct horse battery staple', new_password: 'staple battery horse correct' }],
    },
  ),
);
export type PasswordChange = Domain<typeof PasswordChange>;
