import { Type } from 'typebox';
import { type Domain, Maybe, Nullable, resource, Timestamp } from '#platform/http/index';

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
  'model.download_started',
  'model.download_canceled',
  'model.provided',
  'model.removed',
  'analysis.deleted',
  'event.reviewed',
  'event.added',
  'sample.reviewed',
  'review.undone',
  'review.required',
  'quota.changed',
  'saved_question.created',
  'saved_question.changed',
  'saved_question.run',
  'saved_question.deleted',
  'zone.created',
  'zone.changed',
  'zone.deleted',
  'webhook.created',
  'webhook.changed',
  'webhook.secret_rotated',
  'webhook.deleted',
  'webhook.disabled',
];

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
          'Identifier of the changed object: a key, session, user, invitation, integration, scheduled import or organization, or the name of a model. For reviews: an event or, for several ones, their action. For `session.refused`, the user whose password was wrong.',
      }),
      detail: Type.Record(Type.String(), Type.Unknown(), { description: 'Details of the change.' }),
    },
    { description: 'An entry of the audit log.', examples: [EXAMPLE] },
  ),
);
export type AuditEvent = Domain<typeof AuditEvent>;

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
