import type { OutputSchema } from './structured/index.ts';
import type { Answer, VideoEvent, VisionModelUsage } from './types.ts';

/** Uses of the actions that a video shows: their segments, or also whether each succeeds. */
export const ACTION_WORKFLOWS = ['action_segmentation', 'action_classification'] as const;
export type ActionWorkflow = (typeof ACTION_WORKFLOWS)[number];

/** Fields that a model fills for each action. */
export const OUTCOME_SCHEMA: OutputSchema = {
  label: 'action_outcome',
  scope: 'event',
  version: 1,
  fields: [
    {
      name: 'outcome',
      type: 'enum',
      values: ['success', 'failure'],
      description: 'whether the robot achieves this action',
      repeated: false,
      required: true,
    },
    {
      name: 'reasoning',
      type: 'text',
      values: null,
      description: 'what is visible that shows it, in one sentence',
      repeated: false,
      required: false,
    },
  ],
};

type Named = {
  events: readonly VideoEvent[];
  untrusted: string | null;
  limits: readonly string[];
  usage: VisionModelUsage;
};

const ROW = 'actions';

/** The answer with the actions that a model named. */
export function actionAnswer({ events, untrusted, limits, usage }: Named, name: string, minConfidence: number): Answer {
  const inOrder = events.toSorted((a, b) => a.startPts - b.startPts || a.endPts - b.endPts);
  const found = inOrder.filter(({ confidence }) => confidence >= minConfidence);
  const isAnswered = untrusted === null && usage.shownShare > 0;
  const reasons = untrusted === null ? limits : [`${name} is not believed: ${untrusted}`];
  return {
    interpretation: 'The actions that the video shows, one after the other.',
    events: found,
    candidates: inOrder.filter((event) => !found.includes(event)),
    answer: null,
    summary: isAnswered
      ? `${found.length} ${found.length === 1 ? 'action' : 'actions'}.`
      : 'The actions of this video could not be named.',
    coverage: [
      {
        text: ROW,
        status: isAnswered ? 'partly' : 'not_looked_for',
        by: isAnswered ? [name] : [],
        reason: reasons.length > 0 ? reasons.join('; ') : SHOWN,
        findings: found.length,
      },
    ],
    vision: usage,
  };
}

const SHOWN = 'four frames of each range were shown: shorter actions may be missed';

/** The answer of a service whose model is no longer configured. */
export const NO_ACTION_MODEL: Answer = {
  interpretation: 'The actions that the video shows, one after the other.',
  events: [],
  candidates: [],
  answer: null,
  summary: 'The actions of this video could not be named.',
  coverage: [
    {
      text: ROW,
      status: 'not_looked_for',
      by: [],
      findings: 0,
      reason: 'it needs a vision-language model, which this service does not have (SIGHTLINE_VISION_URL)',
    },
  ],
};

/** Adds to each action whether it succeeds, by its filled fields; without a value its outcome is uncertain. */
export function withOutcomes(answer: Answer): Answer {
  const events = answer.events.map(({ structured, ...event }) => {
    const { outcome = 'uncertain', reasoning } = structured?.values ?? {};
    const missing = structured?.errors.find(({ field }) => field === 'outcome')?.message;
    return {
      ...event,
      category: `${event.label.toUpperCase()}: ${String(outcome).toUpperCase()}`,
      action: { name: event.label, reasoning: String(reasoning ?? missing ?? event.explanation) },
    };
  });
  return { ...answer, events };
}
