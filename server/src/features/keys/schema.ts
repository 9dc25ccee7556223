import { Type } from 'typebox';
import { Maybe, Name, Nullable } from '#platform/http/index';

const Permission = Type.Union([Type.Literal('read'), Type.Literal('write'), Type.Literal('admin')]);

const FolderLimit = Nullable(
  Type.String({ description: 'The only folder that the key reaches; null: the key has no such limit.' }),
);

export const VerifiedKey = Type.Object(
  {
    valid: Type.Literal(true, { description: 'Always true: a key that is not valid gets 401 or 403.' }),
    user_id: Type.String({ description: 'The user the key belongs to.' }),
    uid: Type.String({ description: 'The same as `user_id`.' }),
    email: Type.String({ description: "The user's e-mail address." }),
    org_id: Type.String({ description: "The user's organisation." }),
    key_id: Nullable(Type.String({ description: 'The key itself, as lists of keys show it; null in a session.' })),
    scope: Type.Array(Permission, { description: 'The scopes the key was made with.' }),
    permissions: Type.Array(Permission, { description: 'What the key may do: `admin` includes `read` and `write`.' }),
    expires_at: Type.String({ format: 'date-time', description: 'When the key or session ends, ISO 8601, UTC.' }),
    folder_id: FolderLimit,
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
        folder_id: null,
      },
    ],
  },
);

export const NewKeyBody = Type.Object(
  {
    name: Name({ maxLength: 100, description: 'What a person calls it.' }),
    scopes: Maybe(
      Type.Array(Permission, { minItems: 1, maxItems: 3, description: 'What it may do; default `read` and `write`.' }),
    ),
    expires_in_days: Maybe(
      Type.Integer({
        minimum: 1,
        description: 'Days until it expires; default 90, at most what the operator allows (`SIGHTLINE_MAX_KEY_DAYS`).',
      }),
    ),
    folder_id: Maybe(
      Type.String({
        maxLength: 255,
        description:
          'Limits the key to this folder: it sees and touches the videos in it, their analyses, uploads and playback, and nothing else. Not for keys with the scope `admin`.',
      }),
    ),
  },
  { description: 'A key to make.', examples: [{ name: 'robot', scopes: ['read', 'write'], expires_in_days: 90 }] },
);

export const KeyId = Type.Object({
  key_id: Type.String({ minLength: 1, maxLength: 255, description: 'The key: its id, or its first 8 characters.' }),
});

export const KeysQuery = Type.Object({
  limit: Maybe(Type.Integer({ minimum: 1, maximum: 1_000, description: 'Most keys of one page; default 100.' })),
  cursor: Maybe(Type.String({ maxLength: 255, description: 'The `next_cursor` of the page before.' })),
});

const SHOWN = {
  key_id: Type.String({ description: 'Identifier of the key.' }),
  name: Type.String({ description: 'What a person calls it.' }),
  prefix: Type.String({ description: 'The first 8 characters of the key.' }),
  scopes: Type.Array(Permission, { description: 'What it may do.' }),
  user_id: Type.String({ description: 'The user it belongs to.' }),
  email: Type.String({ description: "The user's e-mail address." }),
  created_at: Type.String({ format: 'date-time', description: 'When it was made, ISO 8601, UTC.' }),
  expires_at: Type.String({ format: 'date-time', description: 'When it ends, ISO 8601, UTC.' }),
  last_used_at: Nullable(
    Type.String({ format: 'date-time', description: 'Its last use, exact to a minute; null while unused.' }),
  ),
  revoked_at: Nullable(Type.String({ format: 'date-time', description: 'When it was revoked; null: it was not.' })),
  folder_id: FolderLimit,
  status: Type.Union([Type.Literal('active'), Type.Literal('inactive')], {
    description: '`inactive` is expired or revoked.',
  }),
};

const EXAMPLE = {
  key_id: '019a0b1c2d3e7f008000000000000002',
  name: 'robot',
  prefix: 'sk_AbCdE',
  scopes: ['read', 'write'],
  user_id: '019a0b1c2d3e7f008000000000000001',
  email: 'owner@localhost',
  created_at: '2026-11-21T09:30:00.000Z',
  expires_at: '2027-02-19T09:30:00.000Z',
  last_used_at: null,
  revoked_at: null,
  folder_id: null,
  status: 'active',
};

export const KeyAnswer = Type.Object(SHOWN, {
  description: 'A key as lists show it: never its value.',
  examples: [EXAMPLE],
});

export const MadeKey = Type.Object(
  { key: Type.String({ description: 'The full value, shown this once.' }), ...SHOWN },
  { description: 'The new key.', examples: [{ key: `sk_AbCdE${'x'.repeat(43)}`, ...EXAMPLE }] },
);

export const KeyList = Type.Object(
  {
    keys: Type.Array(KeyAnswer, { description: 'Newest first.' }),
    has_more: Type.Boolean({ description: 'Whether there are older ones.' }),
    next_cursor: Nullable(Type.String({ description: 'Give it as `cursor` to get them.' })),
  },
  { description: 'A page of keys.', examples: [{ keys: [EXAMPLE], has_more: false, next_cursor: null }] },
);
