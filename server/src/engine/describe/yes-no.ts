import { NO_AUDIO_TRACK } from '../find/index.ts';
import type { SoundName, Target } from '../plan/index.ts';
import type { VideoEvent } from '../types.ts';
import { absent, isSure, missingText, noteOf, noteOfNone, searchesAbsence, withLimits } from './certainty.ts';
import type { SearchEvents } from './types.ts';
import { listed, timeOf } from './words.ts';

type NameOf = (search: SearchEvents) => string;

/** Answers whether something happens. What may happen in one of several ways is answered once. */
export function answerYesNo(searches: readonly SearchEvents[], nameOf: NameOf): string {
  const texts = new Set(searches.map(({ result }) => result.search.text));
  // Readings of the same words are about different objects, such as the recording vehicle and one in the frame.
  if (searches.length > 1 && texts.size === searches.length) return answerSeveral(searches, nameOf);
  const parts = searches.map((one) => answerOne(one, nameOf, searches.length > 1 ? ` ("${nameOf(one)}")` : ''));
  return parts.join(' ');
}

function answerOne(search: SearchEvents, nameOf: NameOf, name: string): string {
  if (isInaudible(search)) return `No${name}: ${NO_AUDIO_TRACK}.`;
  const best = bestOf(search);
  const isNone =
    !best && isSure(search.result) && search.result.outcomes.every(({ status }) => status !== 'not_looked_for');
  if (isNone) return `${absent(search.result, 'No', name)}${noteOfNone(search)}`;
  return withLimits([search], nameOf, () => {
    if (!best) return absent(search.result, 'No', name);
    return `${isPlain(search, best) ? 'Yes' : 'Not certain'}${name}: ${foundText(search, best)}.`;
  });
}

/** "Is there any music", of a video without an audio track: nothing is audible. "The man" may talk all the same. */
const isInaudible = ({ result: { outcomes } }: SearchEvents) =>
  outcomes.length === 1 &&
  outcomes.every(({ step, reasons }) => isAudible(step.what) && !step.negated && reasons.includes(NO_AUDIO_TRACK));
const isAudible = (what: Target) =>
  what.kind === 'speech' ||
  (what.kind === 'sound' && what.sound !== 'silence' && !what.maker && !NAMES_MAKER.has(what.sound));
/** Sounds by the names of who makes them, who may be in view. */
const NAMES_MAKER: ReadonlySet<SoundName> = new Set(['dog_bark', 'cat_meow', 'rooster', 'birds', 'baby_cry']);

/**
 * False for an event with reasons to doubt it, which may be something else: a person in view is not a yes to "any
 * kids?". The absence of all people is.
 */
const isPlain = ({ result }: SearchEvents, { caveats }: VideoEvent) => caveats.length === 0 || searchesAbsence(result);

/** The event that answers a search: one without doubts if there is one, and the most confident of them. */
function bestOf(search: SearchEvents): VideoEvent | undefined {
  const rank = (event: VideoEvent) => Number(isPlain(search, event));
  return search.events.toSorted((a, b) => rank(b) - rank(a) || b.confidence - a.confidence)[0];
}

const foundText = ({ events }: SearchEvents, best: VideoEvent) =>
  `${best.label}, ${timeOf(best)} (confidence ${best.confidence.toFixed(2)})${events.length > 1 ? `, and ${events.length - 1} more` : ''}`;

/** The outcome of one of several searches; `open`: not found, though it may have been missed. */
type Verdict = 'yes' | 'maybe' | 'no' | 'open' | 'unknown';

function judge(search: SearchEvents): Verdict {
  const { result } = search;
  if (isInaudible(search)) return 'no';
  if (result.outcomes.some(({ status }) => status === 'not_looked_for')) return 'unknown';
  const best = bestOf(search);
  if (best) return isPlain(search, best) ? 'yes' : 'maybe';
  return isSure(result) ? 'no' : 'open';
}

/** One answer to "a cat or a dog?": what was found of them, and what was not. */
function answerSeveral(searches: readonly SearchEvents[], nameOf: NameOf): string {
  const byVerdict = Map.groupBy(searches, judge);
  const of = (verdict: Verdict) => byVerdict.get(verdict) ?? [];
  const named = (verdict: Verdict) => listed(of(verdict).map((each) => `"${nameOf(each)}"`));
  const found = (verdict: Verdict) =>
    of(verdict)
      .map((each) => foundText(each, bestOf(each)!))
      .join('; ');
  const isAll = (verdict: Verdict) => of(verdict).length === searches.length;
  const has = (verdict: Verdict) => of(verdict).length > 0;
  const none = has('no') ? `, no for ${named('no')}` : '';
  const noneText = () => {
    const isSilent = of('no').every(isInaudible);
    if (!isAll('no')) return `No for ${named('no')}: ${isSilent ? NO_AUDIO_TRACK : 'looked for and not found'}.`;
    return `No: ${isSilent ? NO_AUDIO_TRACK : `${named('no')} were looked for and not found`}.`;
  };
  const every = areAlternatives(searches) ? (searches.length === 2 ? 'Both' : 'All') : 'Yes';
  const sentences = [
    isAll('yes') ? `${every}: ${found('yes')}.` : has('yes') ? `Yes for ${named('yes')}${none}: ${found('yes')}.` : '',
    has('no') && !has('yes') ? noneText() : '',
    has('maybe') ? `Not certain for ${named('maybe')}: ${found('maybe')}.` : '',
    ...openTexts(of('open'), nameOf),
    ...of('unknown').map((each) => `Not known for "${nameOf(each)}": ${whyUnknown(each)}.`),
  ];
  const notes = noteOf(searches.filter((each) => judge(each) !== 'unknown' && !isInaudible(each)));
  return `${sentences.filter((sentence) => sentence !== '').join(' ')}${notes}`;
}

/** "Not certain for "a cat" and "a dog": looked for and not found.", by what prevents certainty. */
const openTexts = (open: readonly SearchEvents[], nameOf: NameOf): string[] =>
  [...Map.groupBy(open, ({ result }) => missingText(result) ?? 'looked for and not found')].map(
    ([why, own]) => `Not certain for ${listed(own.map((each) => `"${nameOf(each)}"`))}: ${why}.`,
  );

/** "Does the car turn left or right": what one object may do, of which it may do several at different times. */
function areAlternatives(searches: readonly SearchEvents[]): boolean {
  const subjects = searches.map(({ result: { search } }) => {
    const [step, ...others] = search.steps;
    return others.length === 0 && step ? subjectOf(step.what) : null;
  });
  return subjects[0] !== null && new Set(subjects).size === 1;
}

function subjectOf(what: Target): string | null {
  if (what.kind === 'object') return what.subject.classes.join();
  return what.kind === 'camera' || what.kind === 'traffic_light' ? what.kind : null;
}

const whyUnknown = ({ result: { outcomes } }: SearchEvents) =>
  outcomes.find(({ status }) => status === 'not_looked_for')!.reasons.join('; ');
