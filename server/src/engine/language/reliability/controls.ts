import { createHash } from 'node:crypto';
import { isBlocked, type Plan } from '../../plan/index.ts';
import { type AlignedPart, alignParts } from '../align.ts';
import type { WordKinds } from '../function-words.ts';
import { meaningOfPlan } from '../meaning.ts';
import type { Rewritings } from '../response.ts';
import { CONTROL_PROMPTS, type ControlSentence } from './control-prompts.ts';

/** A prompt of several sentences whose readings are known. */
export type ControlPrompt = { prompt: string; sentences: (ControlSentence & { start: number; end: number })[] };

/** A sentence that a model read wrongly, and its rewriting; null if the model left out a sentence that can be read. */
export type Misreading = { prompt: string; to: string | null };

/** Requests of one check, each in another language. */
const LANGUAGES = 4;
/** Sentences of a request that can be read, and that have to be left. */
const READABLE = 2;
const UNREADABLE = 1;
const SEPARATOR = '; ';

/** Chooses the control prompts of one check. The same seed chooses the same ones. */
export function planControls(seed: string): ControlPrompt[] {
  return shuffled(Object.keys(CONTROL_PROMPTS), seed)
    .slice(0, LANGUAGES)
    .map((language) => {
      const [unreadable, readable] = [
        CONTROL_PROMPTS[language]!.filter(({ to }) => to === null),
        CONTROL_PROMPTS[language]!.filter(({ to }) => to !== null),
      ].map((list) => shuffled(list, `${seed} ${language}`));
      const chosen = [...readable!.slice(0, READABLE), ...unreadable!.slice(0, UNREADABLE)];
      return createControl(shuffled(chosen, `${seed} ${language} order`));
    });
}

/** Joins sentences to one prompt. */
export function createControl(chosen: readonly ControlSentence[]): ControlPrompt {
  let end = -SEPARATOR.length;
  const sentences = chosen.map((sentence) => {
    const start = end + SEPARATOR.length;
    end = start + sentence.prompt.length;
    return { ...sentence, start, end };
  });
  return { prompt: chosen.map(({ prompt }) => prompt).join(SEPARATOR), sentences };
}

/** The sentences of a control that a model read wrongly. `rewritings` is null for an answer without the right form. */
export function judgeControl(
  { prompt, sentences }: ControlPrompt,
  rewritings: Rewritings | null,
  planner: WordKinds & { planEnglish(text: string): Plan },
): Misreading[] {
  const isReadable = ({ to }: AlignedPart) => {
    const plan = to === null ? null : planner.planEnglish(to);
    return plan !== null && plan.corrected.length === 0 && !plan.searches.some(isBlocked);
  };
  const parts = rewritings === null ? [] : alignParts(prompt, rewritings, planner).filter(isReadable);
  return sentences.flatMap(({ prompt, to, start, end }) => {
    const own = parts.filter((part) => part.start < end && part.end > start);
    const read = own.length === 0 ? null : own.map((part) => part.to).join('. ');
    const isRight =
      to === null || read === null
        ? to === read
        : meaningOfPlan(planner.planEnglish(read)) === meaningOfPlan(planner.planEnglish(to));
    return isRight ? [] : [{ prompt, to: read }];
  });
}

function shuffled<T>(items: readonly T[], seed: string): T[] {
  const keyed = items.map((item, i) => ({ item, key: createHash('sha256').update(`${seed} ${i}`).digest('hex') }));
  return keyed.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map(({ item }) => item);
}
