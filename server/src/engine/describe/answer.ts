import {
  countedStep,
  countSubjects,
  countsObjects,
  distinctSubjects,
  measureOccupancy,
  round,
  type SearchMatches,
} from '../find/index.ts';
import type { Track } from '../observe/observations.ts';
import type { ObjectQuery, Plan, QuestionKind } from '../plan/index.ts';
import type { VideoEvent } from '../types.ts';
import { absent, isSure, withLimits } from './certainty.ts';
import { searchText } from './interpretation.ts';
import { directionOf } from './label.ts';
import { timeTextOf } from './quantity-text.ts';
import { timeBetween } from './time-between.ts';
import type { SearchEvents, SearchedRange } from './types.ts';
import { clock, kindOf, listed, pluralOf, seconds, timeOf } from './words.ts';
import { answerYesNo } from './yes-no.ts';

/** Answers the question of a prompt in words, with the reasoning; null if it asks none. */
export function composeAnswer(
  { question, per, query }: Plan,
  searches: readonly SearchEvents[],
  range: SearchedRange,
): string | null {
  if (question === null || question === 'describe' || question === 'calculation') return null;
  const nameOf = nameSearches(searches, query);
  if (question === 'time_between')
    return withLimits(searches, nameOf, () => timeBetween(searches, ({ result, events }) => startsOf(result, events)));
  if (question === 'yes_no') return answerYesNo(searches, nameOf);
  const parts = searches.map((one) =>
    withLimits([one], nameOf, () => {
      const { result, events } = one;
      const name = searches.length > 1 ? ` ("${nameOf(one)}")` : '';
      const text = ANSWERS[question](result, events, name, range);
      return per ? `${text} ${rate(startsOf(result, events), per, range)}` : text;
    }),
  );
  return stateOnce(parts, OF_TRACKS).join(' ');
}

/** Parts of an answer of which only the last one states a caution that several have. */
function stateOnce(parts: readonly string[], caution: string): string[] {
  const last = parts.findLastIndex((part) => part.includes(caution));
  return parts.map((part, at) => (at < last ? part.replace(` ${caution}`, '') : part));
}

/**
 * Names searches by their words in the prompt. Where two search for the same words, as for an accident of the recording
 * vehicle and of others, by what each of them searches for.
 */
function nameSearches(searches: readonly SearchEvents[], query: string): (search: SearchEvents) => string {
  const time = timeTextOf(query);
  const texts = searches.map(({ result }) => result.search.text);
  return ({ result: { search } }) =>
    texts.filter((text) => text === search.text).length > 1 ? searchText(search, time) : search.text;
}

type AnswerWriter = (
  result: SearchMatches,
  events: readonly VideoEvent[],
  name: string,
  range: SearchedRange,
) => string;

const ANSWERS: Record<Exclude<QuestionKind, 'describe' | 'time_between' | 'yes_no' | 'calculation'>, AnswerWriter> = {
  count,
  how_often: countOccasions,
  when: (result, events, name) => {
    if (events.length === 0) return absent(result, 'Never', name);
    const most = result.search.pick === 'most' ? `, ${countSubjects(result.matches[0]!)} at the same time` : '';
    return `${capital(times(events))}${most}${name}.`;
  },
  where: (result, events, name) => {
    if (events.length === 0) return absent(result, 'Nowhere', name);
    const places = events.slice(0, 10).map((f) => `${describePlace(f)} at ${clock(f.startS)}`);
    return `${capital(listed(places))}${name}${moreText(events)}.`;
  },
  which_way: (result, _events, name) => {
    if (result.matches.length === 0) return absent(result, 'Nowhere', name);
    const ways = result.matches
      .slice(0, MAX_TIMES)
      .map(({ what, start }) => `${directionOf(what) || 'no one way'} at ${clock(start.timeS)}`);
    return `${capital(listed(ways))}${name}${moreText(result.matches)}.`;
  },
  which_color: (result, _events, name) => {
    const lamps = result.matches.flatMap(({ what, start, end }) =>
      what.kind === 'traffic_light' ? `${what.color} ${timeOf({ startS: start.timeS, endS: end.timeS })}` : [],
    );
    if (lamps.length > 0) return `${capital(listed(lamps.slice(0, MAX_TIMES)))}${moreText(lamps)}${name}.`;
    const tracks = distinctSubjects(result.matches);
    if (tracks.length === 0) return `Not known${name}: it was not found.`;
    const texts = tracks.slice(0, 10).map((track) => {
      const top = track.colors.slice(0, 2).map((c) => `${c.name} (${Math.round(c.share * 100)} % of its pixels)`);
      return `${track.className} ${track.id}: ${top.length > 0 ? top.join(', ') : 'too small or too dark to tell'}`;
    });
    return `${capital(texts.join('; '))}${name}.`;
  },
  which_text: (result, events, name) => {
    if (events.length === 0) return absent(result, 'None', name);
    const startOf = new Map<string, number>();
    for (const { what, start } of result.matches)
      if (what.kind === 'text' && what.text !== null && !startOf.has(what.text)) startOf.set(what.text, start.timeS);
    const texts = [...startOf].map(([text, timeS]) => `"${text}" at ${clock(timeS)}`);
    return `${listed(texts.slice(0, MAX_TEXTS))}${name}${texts.length > MAX_TEXTS ? ` and ${texts.length - MAX_TEXTS} more` : ''}.`;
  },
  how_long: (result, events, name) => {
    if (events.length === 0) return absent(result, 'Not at all', name);
    const intervals = mergeOverlaps(events);
    const total = intervals.reduce((sum, { startS, endS }) => sum + endS - startS, 0);
    const mean = events.reduce((sum, { startS, endS }) => sum + endS - startS, 0) / events.length;
    const each = events.length > 1 ? ` Each of ${events.length} lasts ${seconds(mean)} on average.` : '';
    return `${seconds(total)} in all${name}, in ${intervals.length} ${intervals.length === 1 ? 'interval' : 'intervals'}: ${times(intervals)}.${each}`;
  },
};

/** Counts how often it happened, by events. */
function countOccasions(result: SearchMatches, events: readonly VideoEvent[], name: string): string {
  if (events.length === 0) return absent(result, '0 times', name);
  return `${events.length} ${events.length === 1 ? 'time' : 'times'}${name}: ${times(events)}.`;
}

/** Start times of what is counted: of objects, when each of them first takes part. */
function startsOf(result: SearchMatches, events: readonly VideoEvent[]): number[] {
  if (!countsObjects(result)) return events.map(({ startS }) => startS);
  const counted = new Set(distinctSubjects(result.matches).map(({ id }) => id));
  const first = new Map<number, number>();
  for (const { id, start } of result.matches.flatMap(({ presences }) => presences))
    if (counted.has(id)) first.set(id, Math.min(start.timeS, first.get(id) ?? start.timeS));
  return [...first.values()];
}

/** A last period shorter than this share of a period is added to the one before. */
const MIN_LAST_PERIOD = 0.1;

/**
 * "That is 4 per minute on average: 3 from 0:00.0 and 5 from 1:00.0", each counted where it starts; extrapolated if
 * the range is shorter than a period.
 */
function rate(starts: readonly number[], per: number, { from, to }: SearchedRange): string {
  const unit = per === 1 ? 'second' : per === 60 ? 'minute' : per === 3600 ? 'hour' : seconds(per);
  const whole = `${round((starts.length / Math.max(1e-9, to - from)) * per, 1)} per ${unit}`;
  if (to - from < per) return `That is ${whole}, extrapolated from ${seconds(to - from)}.`;
  // A very short last period is added to the one before; a longer one is listed with its length.
  const periods = Math.ceil((to - from) / per - MIN_LAST_PERIOD);
  const counts = Array.from({ length: periods }, (_, i) => {
    const [startS, endS] = [from + i * per, i + 1 < periods ? from + (i + 1) * per : to];
    const isShort = endS - startS < per * (1 - MIN_LAST_PERIOD);
    return {
      startS,
      n: starts.filter((t) => t >= startS && (t < endS || endS === to)).length,
      lasts: isShort ? endS - startS : per,
    };
  });
  const each = counts
    .slice(0, MAX_TIMES)
    .map(({ startS, n, lasts }) => `${n} from ${clock(startS)}${lasts < per ? ` (of ${seconds(lasts)})` : ''}`);
  return `That is ${whole} on average: ${moreText(counts) === '' ? listed(each) : `${each.join(', ')}${moreText(counts)}`}.`;
}

function count(
  result: SearchMatches,
  events: readonly VideoEvent[],
  name: string,
  { from, to }: SearchedRange,
): string {
  const what = countedStep(result.search)?.what;
  if (!countsObjects(result) || what?.kind !== 'object') {
    if (events.length === 0) return absent(result, '0', name);
    return `${events.length}${name}: ${times(events)}.`;
  }
  const tracks = distinctSubjects(result.matches);
  if (tracks.length === 0) return absent(result, '0', name);
  const { peak, sumS } = measureOccupancy(result.matches.flatMap(({ presences }) => presences));
  const most = peak?.count ?? 0;
  const kinds = kindsOf(tracks, what.subject);
  const isState = what.action === 'present' || what.action === 'stands';
  const mean = round(sumS / Math.max(1e-9, to - from), 1);
  const at = peak ? `${most} at the same time (${clock(peak.start.timeS)}), ${mean} on average` : '';
  if (isState && most >= CROWD)
    return `At least ${most} ${nounOf(tracks, what.subject)}${name}: ${at}. ${tracks.length} tracks in all: ${CROWDED}`;
  const each = `${isSure(result) && most < CROWD ? '' : 'At least '}${kinds}${name}`;
  if (!isState) return `${each}: ${times(events)}. ${OF_TRACKS}`;
  return `${each}${at === '' ? '' : `, at most ${at}`}. ${OF_TRACKS}`;
}

/** A caution about counted objects. */
export const OF_TRACKS = 'Each is one track; an object that was lost and found again counts twice.';

/** From this many objects at the same time, some are hidden by others or too small. */
const CROWD = 10;
const CROWDED = 'in a crowd, objects hide each other, and one that was lost and found again has several tracks.';

/** "2 cars and 1 truck" */
function kindsOf(tracks: readonly Track[], query: ObjectQuery): string {
  const classes = Map.groupBy(tracks, (track) => kindOf(track, query));
  const kinds = [...classes].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return listed(kinds.map(([name, { length }]) => `${length} ${length === 1 ? name : pluralOf(name)}`));
}

/** "people"; "objects" for several classes. */
function nounOf(tracks: readonly Track[], query: ObjectQuery): string {
  const names = new Set(tracks.map((track) => kindOf(track, query)));
  return names.size === 1 ? pluralOf([...names][0]!) : 'objects';
}

type Times = Pick<VideoEvent, 'startS' | 'endS'>;

const MAX_TIMES = 10;
const MAX_TEXTS = 30;
const moreText = (events: readonly unknown[]) =>
  events.length > MAX_TIMES ? ` and ${events.length - MAX_TIMES} more` : '';

function times(events: readonly Times[]): string {
  const texts = events.slice(0, MAX_TIMES).map(timeOf);
  return events.length > MAX_TIMES ? `${texts.join(', ')}${moreText(events)}` : listed(texts);
}

/** Merges overlapping intervals. */
function mergeOverlaps(events: readonly Times[]): Times[] {
  const intervals: Times[] = [];
  for (const { startS, endS } of events.toSorted((a, b) => a.startS - b.startS)) {
    const last = intervals.at(-1);
    if (last && startS <= last.endS) last.endS = Math.max(last.endS, endS);
    else intervals.push({ startS, endS });
  }
  return intervals;
}

function describePlace(event: VideoEvent): string {
  const box = event.evidence.frames.find((f) => f.role === 'best')?.boxes[0];
  if (!box) return 'in the picture as a whole';
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const across = x < 1 / 3 ? 'left' : x > 2 / 3 ? 'right' : '';
  const down = y < 1 / 3 ? 'top' : y > 2 / 3 ? 'bottom' : '';
  return `in the ${[down, across].filter((p) => p !== '').join(' ') || 'middle'} of the picture`;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
