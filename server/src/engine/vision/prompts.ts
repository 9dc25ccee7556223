import type { SeenFact, VideoFrame, VisionQuestion } from './types.ts';

const MAX_LENGTH = 500;
/** JSON string: what users and models wrote cannot end the quotes. */
const quoted = (text: string) => JSON.stringify(text.slice(0, MAX_LENGTH));
const seconds = (timeS: number) => `${timeS.toFixed(2)} seconds`;

/** Label before an image. Without labels, servers join neighboring images or see unrelated pictures. */
export const frameLabel = ({ timeS }: Pick<VideoFrame, 'timeS'>, i: number) => `Frame ${i + 1} <${seconds(timeS)}>:`;

/** Labels of the frames of a clip, in which each is one picture. */
export const clipLabel = (labels: readonly string[]) =>
  ['The pictures of this clip in order, one for each line:', ...labels].join('\n');

/** Label of an enlarged part of the frame with this index. */
export const detailLabel = (className: string, i: number) => `Enlarged part of frame ${i + 1}, a ${className}:`;

export const sheetLabel = (times: readonly number[], i: number, firstCell: number) =>
  `Sheet ${i + 1}: cells ${firstCell} to ${firstCell + times.length - 1}, row by row, at ${times.map((t) => t.toFixed(1)).join(', ')} seconds:`;

/** A question as a line of a prompt, with the prompt that it is a part of. */
const questionLine = ({ text, context }: Pick<VisionQuestion, 'text' | 'context'>, i: number) =>
  `${i + 1}. ${quoted(text)}${context === null || context === text ? '' : ` (part of: ${quoted(context)})`}`;

type QuestionTexts = readonly Pick<VisionQuestion, 'text' | 'context'>[];

export function claimPrompt(questions: QuestionTexts, frames: number, request: string | null): string {
  const list = questions.map(questionLine).join('\n');
  return `These are ${frames} frames of one video in order of time, each named before it with its time.
First list plain facts that are visible, with frame numbers${request === null ? '' : `, above all those that matter for ${quoted(request)}`}.
${questions.length === 0 ? 'The list of events stays empty.' : `Then report which of these events are visible, by the first and last frame in which each is visible. Most of them may be absent:\n${list}`}
JSON: {"seen": [{"frame": 1, "fact": "…"}], "events": [{"question": 1, "first_frame": 1, "last_frame": 2, "label": "short description", "confidence": 0.9}]}`;
}

export function surveyPrompt(questions: QuestionTexts, cells: number): string {
  return `These contact sheets show ${cells} small frames of one video in order of time. In which cells may one of these be visible?
${questions.map(questionLine).join('\n')}
JSON: {"moments": [{"question": 1, "cell": 1}]}`;
}

/** Statements of the options of a choice. */
export const OPTIONS = {
  requested: (text: string) => `the frames show: ${quoted(text)}`,
  near: (text: string) => `the frames show something similar, but not: ${quoted(text)}`,
  neither: (text: string) => `the frames do not show: ${quoted(text)}`,
  unsure: () => 'the frames do not suffice to tell',
} as const;
export type Option = keyof typeof OPTIONS;

/** `enlarged`: class of the object that the statements are about, which is shown enlarged; null for whole frames. */
type ChoiceLayout = { order: readonly Option[]; reference: string; frames: number; enlarged: string | null };

/** `reference` makes equal looks different requests: they would have one reply, from a cache here or of the server. */
export function choicePrompt(
  text: string,
  context: string | null,
  { order, reference, frames, enlarged }: ChoiceLayout,
): string {
  const options = order.map((option, i) => `(${'ABCD'[i]}) ${OPTIONS[option](text)}`).join('\n');
  return `These are ${frames} frames of one video in order of time.${context === null || context === text ? '' : ` They are about a part of: ${quoted(context)}.`}${enlarged === null ? '' : ` The statements are about the ${enlarged} in the enlarged parts.`} Which statement is best supported by them? (reference ${reference})
${options}
JSON: {"choice": "A"}`;
}

export function edgePrompt(text: string, frames: number): string {
  return `These are ${frames} frames of one video in order of time. For each frame: is this visible or in progress in it? ${quoted(text)}
JSON with ${frames} booleans, one for each frame: {"so": [true, false]}`;
}

export function answerPrompt(request: string, facts: readonly Pick<SeenFact, 'timeS' | 'text'>[]): string {
  const sources = facts.map(({ timeS, text }, i) => `${i + 1}. <${seconds(timeS)}> ${quoted(text)}`).join('\n');
  return `Notes about a video, with times:
${sources}
Answer from these notes alone, in as many sentences as requested, else at most three: ${quoted(request)}
Each sentence cites the numbers of the notes that support it. What the notes do not tell goes into "unknown".
JSON: {"sentences": [{"text": "…", "cites": [1]}], "unknown": []}`;
}

const FORMS = {
  sentence: 'Describe each range in one plain sentence: who or what is visible, and what happens.',
  action:
    'Name the one action of each range in two to six words, such as "pick up the red cube", in the same words wherever the same action continues.',
  cause:
    'The vehicle with the camera acts as stated for each range. State in one plain sentence what is visible on or beside the road that makes it do so.',
} as const;
/** Form of the text about a range. */
export type CaptionForm = keyof typeof FORMS;

/** `first`, `last`: frames of the range, from 1; `note`: what is known of it. */
export type PromptRange = { first: number; last: number; note: string | null };

export function captionPrompt(
  ranges: readonly PromptRange[],
  frames: number,
  footage: string,
  form: CaptionForm,
): string {
  const list = ranges
    .map(({ first, last, note }, i) =>
      [`Range ${i + 1}: frames ${first} to ${last}.`, ...(note === null ? [] : [`   In it, ${note}.`])].join('\n'),
    )
    .join('\n');
  return `These are ${frames} frames of ${footage}, in order of time. ${FORMS[form]}
${list}
Leave out ranges in which nothing can be recognized.
JSON: {"captions": [{"range": 1, "text": "…"}]}`;
}

/** `fields`: one line for each, with the form of its value and a description. `subject`: label of an event. */
export function fieldsPrompt(
  fields: readonly { name: string; form: string; description: string | null }[],
  frames: number,
  subject: string | null,
): string {
  const list = fields
    .map(({ name, form, description }, i) =>
      [`${i + 1}. ${quoted(name)}`, form, ...(description === null ? [] : [quoted(description)])].join('; '),
    )
    .join('\n');
  return `These are ${frames} frames of one video in order of time${subject === null ? '' : `, of the event ${quoted(subject)}`}. Fill these fields from what is visible; leave out those that the frames do not show.
${list}
JSON, one item for each value: {"fields": [{"field": 1, "value": "…"}]}`;
}
