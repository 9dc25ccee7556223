import { coveredText } from '../calendar/index.ts';
import type { VideoFacts } from '../observe/observations.ts';
import type { Plan } from '../plan/index.ts';
import type { Coverage, VideoEvent } from '../types.ts';
import type { SearchEvents, SearchedRange } from './types.ts';
import { clock, listed, timeOf } from './words.ts';

/** Up to this many events are listed; of more, only the one with the highest confidence. */
const MAX_LISTED = 3;

/** One or two sentences each on what was found, what could not be searched, and which words were corrected. */
export function composeSummary(
  plan: Plan,
  searches: readonly SearchEvents[],
  coverage: readonly Coverage[],
  range: SearchedRange,
): string {
  const searched = searches.filter(({ result }) => result.outcomes.every((o) => o.status !== 'not_looked_for'));
  const open = searched.find(({ result }) => result.search.steps[0]!.what.kind === 'notable');
  const specific = searched.filter((search) => search !== open);
  const corrected = plan.corrected.slice(0, 5).map((c) => `"${c.from}" was read as "${c.to}"`);
  return [
    open ? overview(open.events) : '',
    specific.length > 0 ? `${capital([...new Set(specific.map(resultOf))].join('; '))}.` : '',
    notLookedFor(plan, coverage),
    searchedText(plan, range),
    corrected.length > 0 ? `${capital(listed(corrected))}.` : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/** Which part of the video was searched, and by which clock. */
function searchedText({ window, clock: recordingClock, searches }: Plan, range: SearchedRange): string {
  const isWhole = window?.calendar && window.from === 0 && window.to === null;
  const ranges = window?.parts?.map(partText) ?? [partText(range)];
  const remarks = new Set([window, ...searches.map((search) => search.window)].flatMap((each) => each?.remark ?? []));
  return [
    window && !isWhole && !window.missed ? `Only ${listed(ranges)} of the video was searched.` : '',
    recordingClock?.recorded_from && !window?.missed ? `By the recording clock, ${coveredText(recordingClock)}.` : '',
    ...[...remarks]
      .filter((remark) => !missedRemarks({ window, searches }).includes(remark))
      .map((remark) => `${capital(remark)}.`),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/** Remarks on searches that were not made, which are among what was not looked for. */
const missedRemarks = ({ window, searches }: Pick<Plan, 'window' | 'searches'>) =>
  [window, ...searches.map((search) => search.window)].flatMap((each) => (each?.missed ? (each.remark ?? []) : []));

/** Parts of the searched range that could not be analyzed because the file is damaged; empty if there are none. */
export function damageOf({ durationS, claimedS }: VideoFacts, { to }: SearchedRange): string {
  if (claimedS === undefined) return '';
  if (durationS > claimedS - 1) return 'The file is damaged: parts of it could not be analyzed.';
  return to < durationS
    ? ''
    : `The file ends early, after ${clock(durationS)} of ${clock(claimedS)}: the rest could not be analyzed.`;
}

/** "0:30.0 to 1:10.0". */
const partText = ({ from, to }: SearchedRange) => `${clock(from)} to ${clock(to)}`;

/**
 * Parts of the prompt that could not be searched, and why; empty if there are none. Words that only narrow a part are
 * reported in the coverage.
 */
export function notLookedFor(plan: Plan, coverage: readonly Coverage[]): string {
  const parts = new Set(plan.searches.flatMap(({ steps }) => steps.map(({ text }) => text)));
  const missed = coverage.filter(({ text, status }) => status === 'not_looked_for' && parts.has(text));
  if (missed.length === 0) return '';
  const texts = missed.map(({ text, reason }) => {
    const named = `"${text}": `;
    const why = reason?.startsWith(named) ? reason.slice(named.length) : reason;
    return why === null ? `"${text}"` : `"${text}" (${why})`;
  });
  return `Not looked for: ${texts.join(', ')}.`;
}

/** `2 events for "person": person in view (0:01.0 to 0:04.0) and person leaves to the left (0:05.0 to 0:08.0)` */
function resultOf({ result, events, candidates, minConfidence }: SearchEvents): string {
  const name = `"${result.search.text}"`;
  const found =
    events.length === 0 ? `nothing for ${name}${limitsOf(result)}` : `${plural(events.length, 'event')} for ${name}`;
  const below =
    candidates.length > 0
      ? ` and ${plural(candidates.length, 'candidate')} below a confidence of ${minConfidence}`
      : '';
  return `${found}${below}${events.length === 0 ? '' : `: ${listEvents(events)}`}`;
}

/** " (the detector finds about 6 in 10 cups of this size)": why nothing found is not the same as none there. */
function limitsOf({ outcomes }: SearchEvents['result']): string {
  // Reasons that quote a word are in the coverage.
  const limits = outcomes.flatMap(({ reasons }) => reasons.filter((reason) => !reason.startsWith('"')));
  return limits.length > 0 ? ` (${[...new Set(limits)].join('; ')})` : '';
}

/** "12 events (8 object, 3 cut and 1 light): ..." */
function overview(events: readonly VideoEvent[]): string {
  if (events.length === 0) return 'Nothing notable was found.';
  const byCategory = Map.groupBy(events, ({ category }) => category);
  const kinds = listed([...byCategory].map(([category, own]) => `${own.length} ${category}`));
  return `${plural(events.length, 'event')} (${kinds}): ${listEvents(events)}.`;
}

function listEvents(events: readonly VideoEvent[]): string {
  const one = (event: VideoEvent) => `${event.label} (${timeOf(event)})`;
  if (events.length <= MAX_LISTED) return listed(events.map(one));
  const [surest] = events.toSorted((a, b) => b.confidence - a.confidence);
  return `the surest is ${one(surest!)}`;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const plural = (n: number, word: string) => `${n} ${word}${n === 1 ? '' : 's'}`;
