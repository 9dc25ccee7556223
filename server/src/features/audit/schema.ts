import { Type } from 'typebox';
import { Maybe, Nullable } from '#platform/http/index';

export const AuditQuery = Type.Object({
  limit: Maybe(Type.Integer({ minimum: 1, maximum: 1_000, description: 'Most entries of one page; default 100.' })),
  cursor: Maybe(Type.String({ maxLength: 255, description: 'The `next_cursor` of the page before.' })),
});

const ACTIONS = [
  'key.created',
  'key.revoked',
  'session.created',
  'session.ended',
  'session.refused',
  'password.changed',
  'password.set',
  'password_link.created',
  'invitation.created',
  'invitation.revoked',
  'member.joined',
  'member.role_changed',
  'member.removed',
  'organization.renamed',
  'sso.linked',
  'integration.created',
  'integration.changed',
  'integration.tested',
  'integration.deleted',
  'import_sync.created',
  'import_sync.run',
  'import_sync.deleted',
  'quota.changed',
];

export const ExportQuery = Type.Object({
  format: Maybe(
    Type.Union([Type.Literal('ndjson'), Type.Literal('csv')], {
      description: 'One JSON object a line (default), or a table for spreadsheets.',
    }),
  ),
});

/** Columns of the table, in order. */
export const CSV_COLUMNS = [
  'event_id',
  'at',
  'action',
  'user_id',
  'email',
  'key_id',
  'session_id',
  'address',
  'user_agent',
  'subject_id',
  'detail',
] as const;

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
};

const AuditEntry = Type.Object({
  event_id: Type.String({ description: 'Identifier of the entry.' }),
  at: Type.String({ format: 'date-time', description: 'When it happened, ISO 8601, UTC.' }),
  action: Type.String({
    description: `What was done, one of ${ACTIONS.map((action) => `\`${action}\``).join(', ')}; more may come.`,
  }),
  user_id: Nullable(
    Type.String({
      description: 'Who did it; null: the operator, on the command line or at start, or someone who was not let in.',
    }),
  ),
  email: Nullable(Type.String({ description: 'E-mail address of that user.' })),
  key_id: Nullable(Type.String({ description: 'The key it was done with.' })),
  session_id: Nullable(Type.String({ description: 'The session it was done in.' })),
  address: Nullable(Type.String({ description: 'Address it was done from.' })),
  user_agent: Nullable(Type.String({ description: 'What the browser or program called itself.' })),
  subject_id: Type.String({
    description:
      'What it was done to: the key, session, user, invitation, integration, scheduled import or organisation. For `session.refused` the user whose password was wrong.',
  }),
  detail: Type.Record(Type.String(), Type.Unknown(), { description: 'What the ids alone do not say.' }),
});

export const AuditPage = Type.Object(
  {
    events: Type.Array(AuditEntry, { description: 'Newest first.' }),
    has_more: Type.Boolean({ description: 'Whether there are older ones.' }),
    next_cursor: Nullable(Type.String({ description: 'Give it as `cursor` to get them.' })),
  },
  {
    description: 'A page of the audit log.',
    examples: [{ events: [EXAMPLE], has_more: false, next_cursor: null }],
  },
);

export const AuditExport = {
  description: 'The whole log.',
  content: {
    'application/x-ndjson': {
      schema: Type.Unsafe<unknown>({
        type: 'string',
        description: 'One entry a line, as the list gives them, oldest first.',
        examples: [`${JSON.stringify(EXAMPLE)}\n`],
      }),
    },
    'text/csv': {
      schema: Type.Unsafe<unknown>({
        type: 'string',
        description: 'A line with the names of the columns, then one entry a line, oldest first; `detail` is JSON.',
        examples: [`${CSV_COLUMNS.join(',')}\n`],
      }),
    },
  },
};
