import type { Plan } from '../plan/index.ts';
import type { Answer, VideoEvent } from '../types.ts';
import type { FieldSubject } from './measured-fields.ts';
import type { FieldResult, FieldValue, OutputField } from './types.ts';

/**
 * Answers a phrase as a prompt on the same video; null if the vocabulary does not know all of it, or no observer looks
 * for it.
 */
export type AskPhrase = (phrase: string) => Answer | null;

/** Creates the function that answers phrases, each once. `answer` answers a plan. */
export function createAskPhrase(plan: (phrase: string) => Plan, answer: (plan: Plan) => Answer): AskPhrase {
  const answers = new Map<string, Answer | null>();
  const ask = (phrase: string) => {
    const planned = plan(phrase);
    if (!isKnown(planned)) return null;
    const found = answer(planned);
    return found.coverage.some(({ status }) => status === 'not_looked_for') ? null : found;
  };
  return (phrase) => {
    const known = answers.get(phrase);
    if (known !== undefined) return known;
    const found = ask(phrase);
    answers.set(phrase, found);
    return found;
  };
}

/** True if every word of the prompt is understood, and something can be found for each part of it. */
const isKnown = ({ question, corrected, searches }: Plan) =>
  (question === null || question === 'yes_no') &&
  corrected.length === 0 &&
  searches.every(({ steps }) =>
    steps.every(({ what, unchecked }) => !NOT_FOUND.has(what.kind) && unchecked.length === 0),
  );
const NOT_FOUND: ReadonlySet<string> = new Set(['unknown', 'notable', 'fact']);

/** Values that state that nothing else applies, and those that state that nobody knows. */
const NONE = new Set(['none', 'no', 'nothing', 'absent', 'not present', 'false', 'nobody', 'no one', 'other']);
const UNKNOWN = new Set(['unknown', 'uncertain', 'unclear', 'unsure', 'undetermined', 'not visible', 'n/a', 'na']);
const YES = new Set(['yes', 'true', 'present']);

/**
 * An enum or a boolean whose values the vocabulary knows: each is looked for as a prompt, and the one that holds at the
 * time of the event (anywhere, for a video) is the value. Nothing is guessed: a field has no value if a word of a
 * phrase is not checked, or if nothing holds but a detector may have missed it.
 */
export function findKnownValue(field: OutputField, subject: FieldSubject, ask: AskPhrase): FieldResult {
  if (field.type === 'boolean') return decide(field, subject, ask, (holds) => holds);
  const values = field.values!.map((value) => ({ value, words: wordsOf(value) }));
  const stated = values.filter(({ words }) => !UNKNOWN.has(words) && !NONE.has(words));
  const otherwise = values.find(({ words }) => NONE.has(words))?.value;
  if (stated.every(({ words }) => YES.has(words)))
    return decide(field, subject, ask, (holds) => (holds ? stated[0]?.value : otherwise));
  const searched = stated.map(({ value, words }) => ({ value, found: search(words, subject, ask) }));
  const unread = searched.filter(({ found }) => found === null).map(({ value }) => `"${value}"`);
  if (unread.length > 0) return { missing: `no observer knows ${unread.join(', ')}` };
  const known = searched.flatMap(({ value, found }) => (found === null ? [] : { value, ...found }));
  const held = known.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score);
  const [best, second] = held;
  if (!best) {
    const doubt = known.find(({ limits }) => limits !== null)?.limits;
    if (doubt) return { missing: `none of its values was found, but ${doubt}` };
    return otherwise === undefined ? { missing: 'none of its values was found' } : { value: otherwise };
  }
  if (field.repeated) return { value: held.map(({ value }) => value) };
  if (second && second.score === best.score) return { missing: `"${best.value}" and "${second.value}" hold equally` };
  return { value: best.value };
}

/** The value for whether the description of a field, or else its name, holds. */
function decide(
  { name, description }: OutputField,
  subject: FieldSubject,
  ask: AskPhrase,
  valueFor: (holds: boolean) => FieldValue | undefined,
): FieldResult {
  const phrases = [description ?? '', wordsOf(name).replace(/^(is|has|are) /, '')].filter((phrase) => phrase !== '');
  for (const phrase of phrases) {
    const found = search(phrase, subject, ask);
    if (!found) continue;
    if (found.score === 0 && found.limits !== null)
      return { missing: `"${phrase}" was not found, but ${found.limits}` };
    const value = valueFor(found.score > 0);
    return value === undefined ? { missing: `"${phrase}" was not found` } : { value };
  }
  return { missing: `no observer knows "${phrases[0]}"` };
}

/**
 * Scores a phrase: the overlap of its events with the event, weighted by their confidence; an event of the same tracks
 * counts double. `limits` are reasons why something may have been missed. Null: it could not be looked for.
 */
function search(
  phrase: string,
  { event }: FieldSubject,
  ask: AskPhrase,
): { score: number; limits: string | null } | null {
  const answer = ask(phrase);
  if (!answer) return null;
  const score = Math.max(0, ...answer.events.map((found) => overlap(found, event) * found.confidence));
  const partial = answer.coverage.filter(({ status }) => status === 'partly').map(({ reason }) => reason);
  return { score, limits: partial.length > 0 ? partial.join('; ') : null };
}

function overlap(found: VideoEvent, event: VideoEvent | null): number {
  if (!event) return 1;
  const shared = Math.min(found.endS, event.endS) - Math.max(found.startS, event.startS);
  if (shared < 0) return 0;
  const tracks = new Set(event.evidence.tracks.map(({ id }) => id));
  const isSame = found.evidence.tracks.some(({ id }) => tracks.has(id));
  return (isSame ? 2 : 1) * Math.max(0.01, shared / Math.max(0.01, event.endS - event.startS));
}

const wordsOf = (value: string) => value.toLowerCase().replaceAll(/[_-]+/g, ' ').trim();
