import { Type } from 'typebox';
import { Maybe } from '#platform/http/index';

export const ActivityStream = Type.String({
  description:
    'Server-sent events; `data` is a JSON object that repeats the kind of the event in `event`. `ready`: the first event of a new reader. `reset`: changes after `last_id` are no longer stored, so fetch what you show again. All others are named after the resource that changed: `video`, `upload`, `analysis`, `batch`, `import_job`, `mcap_ingest`, `live_session`. They have its `id`, `folder_id`, `status` and counters, `changed_at`, and `change`: `created`, `status`, `progress`, `changed` (names, tags, metadata), `moved`, `trashed`, `restored`, `done`, `reviewed` (an analysis whose events were reviewed), `deleted`, or `removed` (without further fields) if the change took the resource out of your sight. Several changes of progress may arrive as one.',
  examples: [
    'id: 41\nevent: ready\ndata: {"event":"ready","type":"ready"}\n\nid: 42\nevent: video\ndata: {"event":"video","type":"video","change":"status","id":"019a0b1c2d3e7f008000000000000010","changed_at":"2026-11-23T09:30:00.000Z","folder_id":null,"status":"uploaded"}\n\n',
  ],
});

export const ActivityQuery = Type.Object({
  last_id: Maybe(
    Type.String({
      description:
        'Id of the last received event; 0 or absent: only changes from now on. The header `Last-Event-ID` has the same effect.',
    }),
  ),
});
