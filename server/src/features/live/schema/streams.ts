import { Type } from 'typebox';
import { Maybe, resource } from '#platform/http/index';
import { NewStreamId, RetentionDays, SessionName, SourceUrl } from './fields.ts';

export const NewLiveStream = resource(
  'NewLiveStream',
  Type.Object(
    { stream_id: NewStreamId, stream_name: SessionName, source_url: SourceUrl, retention_days: Maybe(RetentionDays) },
    {
      description: 'A stream to create or change.',
      examples: [{ stream_id: 'gate-4', stream_name: 'Gate 4', source_url: 'rtsp://camera.example/stream1' }],
    },
  ),
);

export const SavedLiveStream = resource(
  'SavedLiveStream',
  Type.Object(
    { ok: Type.Boolean({ description: 'Always true.' }) },
    { description: 'The stream was created or changed.', examples: [{ ok: true }] },
  ),
);
