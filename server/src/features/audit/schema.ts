import { Type } from 'typebox';
import { Maybe, Nullable } from '#platform/http/index';

export const AuditQuery = Type.Object({
  limit: Maybe(Type.Integer({ minimum: 1, maximum: 1_000, description: 'Most entries of one page; default 100.' })),
  cursor: Maybe(Type.String({ maxLength: 255, description: 'The `next_cursor` of the page before.' })),
});

const EXAMPLE = {
  event_id: '019a0b1c2d3e7f008000000000000004',
  at: '2026-11-21T09:30:00.000Z',
  action: 'key.created',
  user_id: '019a0b1c2d3e7f008000000000000001',
  email: 'owner@localhost',
  key_id: '019a0b1c2d3e7f008000000000000002',
  address: '192.0.2.7',
  subject_id: '019a0b1c2d3e7f008000000000000005',
  detail: { name: 'robot', scopes: ['read', 'write'] },
};

const AuditEntry = Type.Object({
  event_id: Type.String({ description: 'Identifier of the entry.' }),
  at: Type.String({ format: 'date-time', description: 'When it happened, ISO 8601, UTC.' }),
  action: Type.String({ description: 'What was done: `key.created` or `key.revoked`; more may come.' }),
  user_id: Nullable(Type.String({ description: 'Who did it; null: the operator, on the command line or at start.' })),
  email: Nullable(Type.String({ description: 'E-mail address of that user.' })),
  key_id: Nullable(Type.String({ description: 'The key it was done with.' })),
  address: Nullable(Type.String({ description: 'Address it was done from.' })),
  subject_id: Type.String({ description: 'What it was done to; for `key.…` the key.' }),
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
  description: 'The whole log, one JSON object a line.',
  content: {
    'application/x-ndjson': {
      schema: Type.Unsafe<unknown>({
        type: 'string',
        description: 'One entry a line, as the list gives them, oldest first.',
        examples: [`${JSON.stringify(EXAMPLE)}\n`],
      }),
    },
  },
};
