import { Type } from 'typebox';
import { type Domain, Maybe, Name, Nullable, resource, Timestamp } from '#platform/http/index';

const Permission = Type.Union([Type.Literal('read'), Type.Literal('write'), Type.Literal('admin')]);

const FolderLimit = Nullable(
  Type.String({
    description:
      'The only folder the key can access; null: all folders. After the deletion of the folder the key can access nothing.',
  }),
);

export const VerifiedKey = resource(
  'VerifiedKey',
  Type.Object(
    {
      valid: Type.Literal(true, { description: 'Always true: an invalid key gets 401 or 403.' }),
      user_id: Type.String({ description: 'Owner of the key.' }),
      uid: Type.String({ description: 'The same as `user_id`.' }),
      email: Type.String({ description: "The user's e-mail address." }),
      org_id: Type.String({ description: "The user's organization." }),
      key_id: Nullable(Type.String({ description: 'Identifier of the key; null in a session.' })),
      scope: Type.Array(Permission, { description: 'Scopes that were given to the key.' }),
      permissions: Type.Array(Permission, { description: 'Effective scopes: `admin` includes `read` and `write`.' }),
      expires_at: Timestamp({ description: 'Expiry of the key or session, ISO 8601, UTC.' }),
      folder_id: FolderLimit,
    },
    {
      description: 'The owner and the permissions of a key or session.',
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
  ),
);

export const NewApiKey = resource(
  'NewApiKey',
  Type.Object(
    {
      name: Name({ maxLength: 100, description: 'Name of the key.' }),
      scopes: Maybe(
        Type.Array(Permission, { minItems: 1, maxItems: 3, description: 'Scopes; default: `read` and `write`.' }),
      ),
      expires_in_days: Maybe(
        Type.Integer({
          minimum: 1,
          description:
            'Days until the key expires; default: 90. The operator sets the maximum (`SIGHTLINE_MAX_KEY_DAYS`).',
        }),
      ),
      folder_id: Maybe(
        Type.String({
          maxLength: 255,
          description:
            'Limits the key to this folder: it can access only the videos in it and their analyses, uploads and playback. Not for keys with the scope `admin`.',
        }),
      ),
    },
    {
      description: 'A key to create.',
      examples: [{ name: 'robot', scopes: ['read', 'write'], expires_in_days: 90 }],
    },
  ),
);

export const KeyParams = Type.Object({
  key_id: Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'Identifier of the key, or its first 8 characters.',
  }),
});

export const KeyListQuery = Type.Object({
  limit: Maybe(Type.Integer({ minimum: 1, maximum: 1_000, description: 'Maximum number of keys; default: 100.' })),
  cursor: Maybe(Type.String({ maxLength: 255, description: 'The `next_cursor` of the previous page.' })),
});

const FIELDS = {
  key_id: Type.String({ description: 'Identifier of the key.' }),
  name: Type.String({ description: 'Name of the key.' }),
  prefix: Type.String({ description: 'The first 8 characters of the key.' }),
  scopes: Type.Array(Permission, { description: 'Scopes of the key.' }),
  user_id: Type.String({ description: 'Owner of the key.' }),
  email: Type.String({ description: "The user's e-mail address." }),
  created_at: Timestamp({ description: 'Creation time, ISO 8601, UTC.' }),
  expires_at: Timestamp({ description: 'Expiry, ISO 8601, UTC.' }),
  last_used_at: Nullable(Timestamp({ description: 'Time of the last use, to the minute; null: never used.' })),
  revoked_at: Nullable(
    Timestamp({ description: 'Time of the revocation of the key, or of the removal of its owner; null: not revoked.' }),
  ),
  folder_id: FolderLimit,
  status: Type.Union([Type.Literal('active'), Type.Literal('inactive')], {
    description: '`inactive`: expired or revoked.',
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

export const ApiKey = resource(
  'ApiKey',
  Type.Object(FIELDS, { description: 'A key without its value.', examples: [EXAMPLE] }),
);
export type ApiKey = Domain<typeof ApiKey>;

export const CreatedApiKey = resource(
  'CreatedApiKey',
  Type.Object(
    { key: Type.String({ description: 'The value of the key, which is shown only once.' }), ...FIELDS },
    { description: 'The new key.', examples: [{ key: `sk_AbCdE${'x'.repeat(43)}`, ...EXAMPLE }] },
  ),
);

export const ApiKeyList = resource(
  'ApiKeyList',
  Type.Object(
    {
      keys: Type.Array(ApiKey, { description: 'Keys, newest first.' }),
      has_more: Type.Boolean({ description: 'True if more keys follow.' }),
      next_cursor: Nullable(Type.String({ description: 'Value of `cursor` for the next page.' })),
    },
    { description: 'A page of keys.', examples: [{ keys: [EXAMPLE], has_more: false, next_cursor: null }] },
  ),
);
