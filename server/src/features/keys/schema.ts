import { Type } from 'typebox';

const Permission = Type.Union([Type.Literal('read'), Type.Literal('write'), Type.Literal('admin')]);

export const VerifiedKey = Type.Object(
  {
    valid: Type.Literal(true, { description: 'Always true: a key that is not valid gets 401 or 403.' }),
    user_id: Type.String({ description: 'The user the key belongs to.' }),
    uid: Type.String({ description: 'The same as `user_id`.' }),
    email: Type.String({ description: "The user's e-mail address." }),
    org_id: Type.String({ description: "The user's organisation." }),
    key_id: Type.String({ description: 'The key itself, as lists of keys show it.' }),
    scope: Type.Array(Permission, { description: 'The scopes the key was made with.' }),
    permissions: Type.Array(Permission, { description: 'What the key may do: `admin` includes `read` and `write`.' }),
    expires_at: Type.String({ format: 'date-time', description: 'When the key ends, ISO 8601, UTC.' }),
  },
  {
    description: 'Whose key it is and what it may do.',
    examples: [
      {
        valid: true,
        user_id: '019a0b1c2d3e7f008000000000000001',
        uid: '019a0b1c2d3e7f008000000000000001',
        email: 'owner@localhost',
        org_id: '019a0b1c2d3e7f008000000000000000',
        key_id: '019a0b1c2d3e7f008000000000000002',
        scope: ['read', 'write'],
        permissions: ['read', 'write'],
        expires_at: '2027-01-01T00:00:00.000Z',
      },
    ],
  },
);
