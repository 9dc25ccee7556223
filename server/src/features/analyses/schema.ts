import { Type } from 'typebox';
import { Nullable, PatternString, resource, ServiceValidated, Timestamp } from '#platform/http/index';
import { AnalysisEvent, READABLE_EVENT, ReadableEvent, STORED_EVENT } from './event-schema.ts';

export const AnalysisParams = Type.Object({
  video_id: Type.String({ description: 'Identifier of the video.' }),
  analysis_id: Type.String({ description: 'Identifier of the analysis.' }),
});

export const DeletedAnalysis = resource(
  'DeletedAnalysis',
  Type.Object(
    {
      status: Type.Literal('deleted', { description: '`deleted`.' }),
      analysis_id: Type.String({ description: 'Identifier of the deleted analysis.' }),
    },
    {
      description: 'A deleted analysis.',
      examples: [{ status: 'deleted', analysis_id: '019a0b1c2d3e7f008000000000000040' }],
    },
  ),
);

export const VideoParams = Type.Object({ video_id: Type.String({ description: 'Identifier of the video.' }) });

export const EvidenceParams = Type.Object({
  analysis_id: PatternString('^[0-9a-f]{32}$', '32 hexadecimal digits', { description: 'Identifier of the analysis.' }),
  file: PatternString('^[A-Za-z0-9-]{1,64}\\.jpg$', 'the name of an image, such as `000-0.jpg`', {
    description: 'File name of the image.',
  }),
});

export const EvidenceQuery = Type.Object({
  token: Type.String({
    maxLength: 200,
    description: 'Signature from the URL in the analysis document.',
  }),
});

const VIDEO_ID = '019a0b1c2d3e7f008000000000000003';
const ANALYSIS_ID = '019a0b1c2d3e7f008000000000000011';
const BATCH_ID = '019a0b1c2d3e7f008000000000000010';
const CREATED_AT = '2026-11-21T09:30:00.000Z';
const COMPLETED_AT = '2026-11-21T09:30:04.210Z';

/** Calls of a model, with their tokens and cost. */
const MODEL_USAGE = {
  model: Type.String({ description: 'Name of the model.' }),
  calls: Type.Integer({ description: 'Number of its answers.' }),
  cached_calls: Type.Integer({ description: 'Number of answers from the cache, which take no tokens.' }),
  input_tokens: Type.Integer({ description: 'Input tokens, as the endpoint counts them.' }),
  output_tokens: Type.Integer({ description: 'Output tokens.' }),
  cost: Type.Number({ description: 'Cost in the currency of the configured prices; 0 without prices.' }),
};

const Status = Type.Union([Type.Literal('PROCESSING'), Type.Literal('COMPLETED'), Type.Literal('FAILED')], {
  description: '`PROCESSING` until the analysis has ended; then `COMPLETED` or `FAILED`.',
});

const Coverage = resource(
  'Coverage',
  Type.Object(
    {
      text: Type.String({ description: 'The part of the prompt.' }),
      status: Type.String({ description: '`looked_for`, `partly` or `not_looked_for`.' }),
      by: Type.Array(Type.String(), { description: 'Observers that searched for it.' }),
      reason: Nullable(Type.String({ description: 'Reason why it was not searched for, or limits of the search.' })),
      findings: Type.Integer({ minimum: 0, description: 'Number of events that were found for it.' }),
    },
    { additionalProperties: true, description: 'Coverage of one part of the prompt.' },
  ),
);

export const AnalysisStatus = resource(
  'AnalysisStatus',
  Type.Object(
    {
      status: Status,
      analysis_id: Type.String({ description: 'Identifier of the analysis.' }),
      progress: Type.Number({ minimum: 0, maximum: 100, description: 'Progress in percent; it never decreases.' }),
      video_id: Type.String({ description: 'Identifier of the video.' }),
      batch_id: Nullable(Type.String({ description: 'Batch of the analysis; null if it has none.' })),
      stage: Nullable(
        Type.String({
          description:
            '`waiting`, `planning`, `observing`, `looking_closer` (fast mode processes every frame of the video or of its most promising ranges), `finding` or `looking` (a vision-language model is queried); null once it has ended.',
        }),
      ),
      chunks_completed: Type.Integer({ description: '1 once it has ended, else 0.' }),
      chunks_total: Type.Integer({ description: 'Always 1.' }),
      created_at: Timestamp({ description: 'Creation time, ISO 8601, UTC.' }),
      completed_at: Nullable(Timestamp({ description: 'Time when it ended, ISO 8601, UTC.' })),
      answer: Type.String({ description: 'The answer as text; empty until the analysis has ended.' }),
      error: Type.Optional(Type.String({ description: 'Error code of a failed analysis.' })),
      message: Type.Optional(Type.String({ description: 'Error message of a failed analysis.' })),
      events: Type.Array(AnalysisEvent, { description: 'Events; empty until the analysis is completed.' }),
    },
    {
      additionalProperties: true,
      description: 'Status of an analysis.',
      examples: [
        {
          status: 'PROCESSING',
          analysis_id: ANALYSIS_ID,
          progress: 42.5,
          video_id: VIDEO_ID,
          batch_id: BATCH_ID,
          stage: 'observing',
          chunks_completed: 0,
          chunks_total: 1,
          created_at: CREATED_AT,
          completed_at: null,
          answer: '',
          events: [],
        },
      ],
    },
  ),
);

export const AnalysisDocument = resource(
  'AnalysisDocument',
  Type.Object(
    {
      video_id: Type.String({ description: 'Identifier of the video.' }),
      analysis_id: Type.String({ description: 'Identifier of the analysis.' }),
      analysis: Type.Object(
        {
          status: Status,
          analysis_id: Type.String({ description: 'Identifier of the analysis.' }),
          batch_id: Nullable(Type.String({ description: 'Batch of the analysis; null if it has none.' })),
          query: Type.String({ description: 'The prompt.' }),
          mode: Type.String({ description: '`thinking` or `fast`.' }),
          answer: Type.String({
            description: 'The answer as text. For prompts that are no question it equals the summary.',
          }),
          interpretation: Type.Optional(
            Type.String({
              description:
                'How the prompt was understood, in one sentence: what was understood, and what was not. Missing while the analysis runs.',
            }),
          ),
          suggestions: Type.Optional(
            Type.Array(Type.String(), {
              description:
                'Prompts in similar words that can be searched, where this one was refused for its wording; at most three. Missing if there are none.',
            }),
          ),
          summary: Type.String({
            description: 'Summary of the events, and of the parts of the prompt that could not be searched for.',
          }),
          events: Type.Array(AnalysisEvent, {
            description: 'Events in the stored form; empty while the analysis runs.',
          }),
          candidates: Type.Optional(
            Type.Array(AnalysisEvent, {
              description:
                'Possible events with less than `min_confidence`, in the stored form. They count in no answer, search or stream. Missing in documents of earlier versions.',
            }),
          ),
          min_confidence: Type.Optional(
            Type.Number({ description: 'Least confidence of an event in this analysis, 0 to 1.' }),
          ),
          coverage: Type.Array(Coverage, {
            description:
              'Coverage of each part of the prompt: the observers that searched for it, or the reason why none could.',
          }),
          citations: Type.Optional(
            Type.Array(
              Type.Object({
                sentence: Type.String({ description: 'A sentence of the answer.' }),
                status: Type.Optional(
                  Type.Union([Type.Literal('verified'), Type.Literal('unverified')], {
                    description:
                      'Whether the frames that it cites, shown to the model again, confirmed the sentence. Sentences that they do not show are dropped. Absent in older documents.',
                  }),
                ),
                sources: Type.Array(
                  Type.Object({
                    time_s: Type.Number({ description: 'Time in seconds.' }),
                    text: Type.String({ description: 'What was seen there, or the label of the event.' }),
                    event_id: Type.Optional(
                      Type.String({ description: 'Event that the sentence rests on; absent for what was only seen.' }),
                    ),
                  }),
                  { description: 'What the sentence rests on.' },
                ),
              }),
              { description: 'Sources of the sentences that a vision-language model wrote; absent without them.' },
            ),
          ),
          language_model: Type.Optional(
            Type.Object(MODEL_USAGE, {
              description:
                'Use of the language model that read the prompt, with the control prompts that it was checked with; absent without one. Videos of one batch share a reading: one document has its tokens, the others have it as a cached call.',
            }),
          ),
          vision: Type.Optional(
            Type.Object(
              {
                ...MODEL_USAGE,
                shown: Type.Array(Type.Array(Type.Number()), {
                  description: 'Ranges of the video of which frames were shown: start and end in seconds.',
                }),
                shown_share: Type.Number({ description: 'Share of the searched range that they cover, 0 to 1.' }),
              },
              { description: 'Use of the vision-language model; absent if none was queried.' },
            ),
          ),
          plan: Nullable(
            ServiceValidated(
              'Plan',
              'The plan of the analysis, which can be sent with another query; null if there is none.',
            ),
          ),
          engine_version: Type.Optional(
            Type.String({
              description: 'Version of the engine. The same plan, video and version give the same result.',
            }),
          ),
          created_at: Timestamp({ description: 'Creation time, ISO 8601, UTC.' }),
          completed_at: Type.Optional(Timestamp({ description: 'Time when it ended, ISO 8601, UTC.' })),
          error: Type.Optional(Type.String({ description: 'Error code of a failed analysis.' })),
          message: Type.Optional(Type.String({ description: 'Error message of a failed analysis.' })),
          stage: Type.Optional(Type.String({ description: 'Stage of a running analysis.' })),
          progress: Type.Optional(Type.Number({ description: 'Progress of a running analysis in percent.' })),
        },
        { additionalProperties: true, description: 'The result of the analysis.' },
      ),
      metadata: Type.Object(
        {},
        {
          additionalProperties: true,
          description:
            'The video at the time of the analysis: `filename`, `duration_s` (seconds), `width` and `height` (pixels), `frame_rate` (frames per second), `size_bytes`, `import_source_uri`, `created_at`; and `visual_analysis`, where older clients read the status.',
        },
      ),
      events: Type.Array(ReadableEvent, { description: 'Events in the readable form.' }),
      candidates: Type.Optional(
        Type.Array(ReadableEvent, {
          description: 'Possible events with less than `min_confidence`, in the readable form.',
        }),
      ),
    },
    {
      additionalProperties: true,
      description: 'An analysis document.',
      examples: [
        {
          video_id: VIDEO_ID,
          analysis_id: ANALYSIS_ID,
          analysis: {
            status: 'COMPLETED',
            analysis_id: ANALYSIS_ID,
            batch_id: BATCH_ID,
            query: 'the picture gets dark',
            mode: 'thinking',
            interpretation: 'Understood as: picture gets dark.',
            answer: 'The picture gets dark once, from 00:12 to 00:15.',
            summary: 'The picture gets dark once, from 00:12 to 00:15.',
            events: [STORED_EVENT],
            candidates: [],
            min_confidence: 0.5,
            coverage: [
              { text: 'the picture gets dark', status: 'looked_for', by: ['signals'], reason: null, findings: 1 },
            ],
            plan: null,
            engine_version: '1',
            created_at: CREATED_AT,
            completed_at: COMPLETED_AT,
          },
          metadata: {
            filename: 'junction.mp4',
            duration_s: 60.06,
            width: 1920,
            height: 1080,
            frame_rate: 29.97,
            size_bytes: 48_120_331,
            import_source_uri: null,
            created_at: '2026-11-21T09:29:12.000Z',
          },
          events: [READABLE_EVENT],
          candidates: [],
        },
      ],
    },
  ),
);
