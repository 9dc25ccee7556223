import { Type } from 'typebox';
import { type Domain, Maybe, Nullable, resource, Timestamp } from '#platform/http/index';
import { ACTIONS } from './operations.ts';

export const AuditQuery = Type.Object({
  limit: Maybe(Type.Integer({ minimum: 1, maximum: 1_000, description: 'Maximum number of entries; default: 100.' })),
  cursor: Maybe(Type.String({ maxLength: 255, description: 'The `next_cursor` of the previous page.' })),
  action: Maybe(
    Type.String({
      maxLength: 255,
      description: 'Only entries of this action, such as `key.created`.',
      examples: ['key.created'],
    }),
  ),
  user_id: Maybe(Type.String({ maxLength: 255, description: 'Only actions of this user.' })),
  subject_id: Maybe(
    Type.String({ maxLength: 255, description: 'Only actions on this object, such as a video or a key.' }),
  ),
  outcome: Maybe(
    Type.Union([Type.Literal('succeeded'), Type.Literal('refused')], {
      description: 'Only entries with this outcome.',
    }),
  ),
});

export const ExportQuery = Type.Object({
  format: Maybe(
    Type.Union([Type.Literal('ndjson'), Type.Literal('csv')], {
      description: '`ndjson`: one JSON object per line (default); `csv`: a table for spreadsheets.',
    }),
  ),
});

const EXAMPLE = {
  event_id: '019a0b1c2d3e7f008000000000000004',
  at: '2026-11-21T09:30:00.000Z',
  action: 'key.created',
  user_id: '019a0b1c2d3e7f008000000000000001',
  email: 'owner@localhost',
  key_id: '019a0b1c2d3e7f008000000000000002',
  session_id: null,
  address: '192.0.2.7',
  user_agent: 'curl/8.14.1',
  subject_id: '019a0b1c2d3e7f008000000000000005',
  detail: { name: 'robot', scopes: ['read', 'write'] },
  operation: 'createKey',
  outcome: 'succeeded',
};

export const AuditEvent = resource(
  'AuditEvent',
  Type.Object(
    {
      event_id: Type.String({ description: 'Identifier of the entry.' }),
      at: Timestamp({ description: 'Time of the action, ISO 8601, UTC.' }),
      action: Type.String({
        description: `The action, one of ${ACTIONS.map((action) => `\`${action}\``).join(', ')}. Later versions may add others.`,
      }),
      user_id: Nullable(
        Type.String({
          description: 'The acting user; null: the operator, on the command line or at start, or a rejected sign-in.',
        }),
      ),
      email: Nullable(Type.String({ description: 'E-mail address of that user.' })),
      key_id: Nullable(Type.String({ description: 'Key of the request.' })),
      session_id: Nullable(Type.String({ description: 'Session of the request.' })),
      address: Nullable(Type.String({ description: 'IP address of the client.' })),
      user_agent: Nullable(Type.String({ description: 'User agent of the client.' })),
      subject_id: Type.String({
        description:
          'Identifier of the object: a video, folder, export, key, session, user or another one that the action names, or the name of a model. An action on several objects has an entry for each; reviews of several events have one, with the identifier of the action. For `session.refused`, the user whose password was wrong; for other refusals, the object in the path, or else the organization.',
      }),
      detail: Type.Record(Type.String(), Type.Unknown(), {
        description: 'Details, such as names, or the fields that were changed.',
      }),
      operation: Nullable(
        Type.String({ description: 'Operation of the API; null: the command line, or the service itself.' }),
      ),
      outcome: Type.Union([Type.Literal('succeeded'), Type.Literal('refused')], {
        description:
          '`succeeded`, or `refused` because the caller may not do this. Equal refusals within a minute are one entry.',
      }),
    },
    { description: 'An entry of the audit log.', examples: [EXAMPLE] },
  ),
);
export type AuditEvent = Domain<typeof AuditEvent>;

export const FollowQuery = Type.Object({
  limit: Maybe(Type.Integer({ minimum: 1, maximum: 1_000, description: 'Maximum number of entries; default: 100.' })),
  cursor: Maybe(
    Type.String({
      maxLength: 255,
      description: 'The `next_cursor` of the previous page; default: from the first entry.',
    }),
  ),
});

const CHAINED_EXAMPLE = {
  ...EXAMPLE,
  position: 1,
  digest: '0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0',
  content_digest: '1f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0',
  salt: '00112233445566778899aabbccddeeff',
};

export const ChainedAuditEvent = resource(
  'ChainedAuditEvent',
  Type.Object(
    {
      ...AuditEvent.properties,
      position: Type.Integer({
        minimum: 1,
        description: 'Place in the chain of the organization, without gaps, in the order in which entries joined it.',
      }),
      digest: Type.String({ description: 'SHA-256 of the entry and of the digest before it.' }),
      content_digest: Type.String({ description: 'SHA-256 of the salt, the address, the user agent and the details.' }),
      salt: Nullable(Type.String({ description: 'Salt of `content_digest`; null: that content was erased.' })),
    },
    { description: 'An entry of the audit log in the chain of digests.', examples: [CHAINED_EXAMPLE] },
  ),
);
export type ChainedAuditEvent = Domain<typeof ChainedAuditEvent>;

export const AuditFeed = resource(
  'AuditFeed',
  Type.Object(
    {
      events: Type.Array(ChainedAuditEvent, { description: 'Entries, oldest first.' }),
      has_more: Type.Boolean({ description: 'True if more entries follow already.' }),
      next_cursor: Type.String({ description: 'Value of `cursor` for what follows, now or later.' }),
    },
    {
      description: 'A page of the audit log in the order of its chain.',
      examples: [{ events: [CHAINED_EXAMPLE], has_more: false, next_cursor: '1' }],
    },
  ),
);

export const AuditEventList = resource(
  'AuditEventList',
  Type.Object(
    {
      events: Type.Array(AuditEvent, { description: 'Entries, newest first.' }),
      has_more: Type.Boolean({ description: 'True if more entries follow.' }),
      next_cursor: Nullable(Type.String({ description: 'Value of `cursor` for the next page.' })),
    },
    {
      description: 'A page of the audit log.',
      examples: [{ events: [EXAMPLE], has_more: false, next_cursor: null }],
    },
  ),
);

/** Columns of the table, in order. */
export const CSV_COLUMNS = Object.keys(AuditEvent.properties);

export const AuditExport = {
  description: 'The whole log.',
  content: {
    'application/x-ndjson': {
      schema: Type.Unsafe<unknown>({
        type: 'string',
        description: 'One entry per line, in the form of the list, oldest first.',
        examples: [`${JSON.stringify(EXAMPLE)}\n`],
      }),
    },
    'text/csv': {
      schema: Type.Unsafe<unknown>({
        type: 'string',
        description: 'A header with the names of the columns, then one entry per line, oldest first; `detail` is JSON.',
        examples: [`${CSV_COLUMNS.join(',')}\n`],
      }),
    },
  },
};
