import type { Plan } from '../../server/src/engine/index.ts';
import type { Observations } from '../../server/src/engine/observe/observations.ts';
import { planOf, singleSearch } from '../../server/src/engine/plan/single-search.ts';
import type { createVisionSearch } from '../../server/src/engine/vision/index.ts';
import type { LabeledClip } from './clips.ts';

export type Outcome = {
  kind: 'event' | 'question in words' | 'description' | 'absent';
  prompt: string;
  isRight: boolean;
  why: string;
  edgesS: number[];
};

/** Prompts for what no clip shows. */
export const ABSENT = ['a zebra in a supermarket', 'a house on fire', 'a boat capsizes'] as const;
/** Largest error of an edge, in seconds. */
export const EDGE_S = 1;
/** Labels that last as long are in at least one of the frames shown: they are at most 1.7 s apart. */
const SEEN_S = 1.7;

/** The plan of a prompt of which no observer knows a word: all of it is left to the model. */
export const unknownPlan = (text: string): Plan => planOf(text, [singleSearch(text, { kind: 'unknown' })]);

/** The same, as a question for words. */
export const questionOf = (text: string): Plan => ({
  ...unknownPlan(text),
  query: `Is it shown: ${text}?`,
  question: 'yes_no',
});

/** The plan of a prompt for a description. */
export const describingPlan = (): Plan => planOf('what happens', [], 'describe');

type Ask = (plan: Plan) => ReturnType<ReturnType<typeof createVisionSearch>['search']>;

/**
 * Asks for each labeled event of a clip, in words for the first one and for something absent, and for a description.
 * Right are: one event whose edges are those of the label; an answer that cites only times of the label; nothing; an
 * answer with every label that lasts long enough to be in a frame.
 */
export async function askClip(clip: LabeledClip, { video: { durationS } }: Observations, ask: Ask): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const event of clip.events) {
    const { events, coverage } = (await ask(unknownPlan(event.text)))!;
    // Edges outside of the video are its first and last frame.
    const edgesS =
      events.length === 1
        ? [Math.abs(events[0]!.startS - event.start), Math.abs(events[0]!.endS - Math.min(event.end, durationS))]
        : [];
    outcomes.push({
      kind: 'event',
      prompt: `${clip.file} ${event.text}`,
      isRight: edgesS.length === 2 && edgesS.every((error) => error <= EDGE_S),
      why: `${events.length} events, edges ${edgesS.map((e) => e.toFixed(2))}: ${coverage[0]?.reason}`,
      edgesS,
    });
  }
  const [first] = clip.events;
  if (first) outcomes.push(await askInWords(clip, first, durationS, ask));
  const absent = ABSENT[clip.file.length % ABSENT.length]!;
  const { events, candidates, answer: denial } = (await ask(questionOf(absent)))!;
  outcomes.push({
    kind: 'absent',
    prompt: `${clip.file} ${absent}`,
    edgesS: [],
    isRight: events.length + candidates.length === 0 && denial === null,
    why: `${events.length} false events, answer "${denial?.text}"`,
  });
  const { answer } = (await ask(describingPlan()))!;
  const isLong = ({ start, end }: LabeledClip['events'][number]) => Math.min(end, durationS) - start >= SEEN_S;
  const stated = clip.events.filter(({ text }) => answer?.text.includes(text.replace(/[.!?…]$/, '').slice(0, 40)));
  const missed = clip.events.filter((event) => isLong(event) && !stated.includes(event));
  outcomes.push({
    kind: 'description',
    prompt: `${clip.file} what happens`,
    edgesS: [],
    isRight: stated.length > 0 && missed.length === 0,
    why: `misses ${missed.map(({ text }) => text).join('; ')}`,
  });
  return outcomes;
}

async function askInWords(
  clip: LabeledClip,
  event: LabeledClip['events'][number],
  durationS: number,
  ask: Ask,
): Promise<Outcome> {
  const { answer } = (await ask(questionOf(event.text)))!;
  const times = answer?.citations.flatMap(({ sources }) => sources.map(({ timeS }) => timeS)) ?? [];
  const isWithin = (timeS: number) => timeS >= event.start - EDGE_S && timeS <= Math.min(event.end, durationS) + EDGE_S;
  return {
    kind: 'question in words',
    prompt: `${clip.file} Is it shown: ${event.text}?`,
    edgesS: [],
    isRight: times.length > 0 && times.every(isWithin),
    why: `answer "${answer?.text}"`,
  };
}
