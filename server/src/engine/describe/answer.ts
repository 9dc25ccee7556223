import { type Found, type Hit, mostAtOnce, round } from '../find/index.ts';
import type { Finding } from '../index.ts';
import type { Plan, Question } from '../plan/index.ts';
import { timeBetween } from './between.ts';
import { wayOf } from './label.ts';
import { clock, kindOf, listed, pluralOf, seconds, timeOf } from './words.ts';

/** The part of the video that was looked at, in seconds. */
export type Stretch = { from: number; to: number };

/** What came of one search, as the findings that are told. */
export type Told = { found: Found; findings: Finding[] };

/** The answer to the question of a prompt, in words and with the reasoning; null when it asked none. */
export function answerOf({ question, per }: Plan, told: readonly Told[], seen: Stretch): string | null {
  if (question === null || question === 'describe') return null;
  if (question === 'time_between')
    return withLimits(told, () => timeBetween(told, ({ found, findings }) => startsOf(found, findings)));
  const parts = told.map((one) =>
    withLimits([one], () => {
      const { found, findings } = one;
      const name = told.length > 1 ? ` ("${found.search.text}")` : '';
      const text = ANSWERS[question](found, findings, name, seen);
      return per ? `${text} ${rate(startsOf(found, findings), per, seen)}` : text;
    }),
  );
  return parts.join(' ');
}

/** What is told of searches, and what it is limited by; of one that was not looked for nothing is. */
function withLimits(told: readonly Told[], tell: () => string): string {
  for (const { found } of told) {
    const unknown = found.outcomes.find((outcome) => outcome.status === 'not_looked_for');
    if (unknown) return `Not known for "${found.search.text}": ${unknown.reasons.join('; ')}.`;
  }
  const limits = [...new Set(told.flatMap(({ found }) => found.outcomes.flatMap((outcome) => outcome.reasons)))];
  return limits.length > 0 ? `${tell()} Mind: ${limits.join('; ')}.` : tell();
}

/** "No", unless what was not found may be there all the same. */
const absent = (found: Found, word: string, name: string) =>
  `${isSure(found) ? word : 'Not certain'}${name}: ${isOfAbsence(found) ? 'at no time was it so' : 'it was looked for and not found'}.`;
/** "Is the road empty?" was looked for as the time without. */
const isOfAbsence = ({ search: { steps } }: Found) => steps.every(({ negated }) => negated);
const isSure = (found: Found) => found.outcomes.every(({ recall }) => recall === 1);

type Teller = (found: Found, findings: readonly Finding[], name: string, seen: Stretch) => string;

const ANSWERS: Record<Exclude<Question, 'describe' | 'time_between'>, Teller> = {
  count,
  how_often: occasions,
  yes_no: (found, findings, name) => {
    const best = findings.toSorted((a, b) => b.confidence - a.confidence)[0];
    if (!best) return absent(found, 'No', name);
    const more = findings.length > 1 ? `, and ${findings.length - 1} more` : '';
    return `Yes${name}: ${best.label}, ${timeOf(best)} (confidence ${best.confidence.toFixed(2)})${more}.`;
  },
  when: (found, findings, name) => {
    if (findings.length === 0) return absent(found, 'Never', name);
    const most = found.search.pick === 'most' ? `, ${found.hits[0]!.count} at the same time` : '';
    return `${capital(times(findings))}${most}${name}.`;
  },
  where: (found, findings, name) => {
    if (findings.length === 0) return absent(found, 'Nowhere', name);
    const places = findings.slice(0, 10).map((f) => `${placeOf(f)} at ${clock(f.startS)}`);
    return `${capital(listed(places))}${name}${rest(findings)}.`;
  },
  which_way: (found, _findings, name) => {
    if (found.hits.length === 0) return absent(found, 'Nowhere', name);
    const ways = found.hits
      .slice(0, MOST_TIMES)
      .map(({ what, start }) => `${wayOf(what) || 'no one way'} at ${clock(start.timeS)}`);
    return `${capital(listed(ways))}${name}${rest(found.hits)}.`;
  },
  which_color: (found, _findings, name) => {
    const tracks = subjects(found.hits);
    if (tracks.length === 0) return `Not known${name}: it was not found.`;
    const told = tracks.slice(0, 10).map(({ track }) => {
      const top = track.colors.slice(0, 2).map((c) => `${c.name} (${Math.round(c.share * 100)} % of its pixels)`);
      return `${track.className} ${track.id}: ${top.length > 0 ? top.join(', ') : 'too small or too dark to say'}`;
    });
    return `${capital(told.join('; '))}${name}.`;
  },
  how_long: (found, findings, name) => {
    if (findings.length === 0) return absent(found, 'Not at all', name);
    const stretches = union(findings);
    const total = stretches.reduce((sum, { startS, endS }) => sum + endS - startS, 0);
    const mean = findings.reduce((sum, { startS, endS }) => sum + endS - startS, 0) / findings.length;
    const each = findings.length > 1 ? ` Each of ${findings.length} lasts ${seconds(mean)} on average.` : '';
    return `${seconds(total)} in all${name}, in ${stretches.length} ${stretches.length === 1 ? 'stretch' : 'stretches'}: ${times(stretches)}.${each}`;
  },
};

/** How often it happened: by the findings. */
function occasions(found: Found, findings: readonly Finding[], name: string): string {
  if (findings.length === 0) return absent(found, '0 times', name);
  return `${findings.length} ${findings.length === 1 ? 'time' : 'times'}${name}: ${times(findings)}.`;
}

/** Things are counted by their tracks, happenings by their findings. */
function isOfThings({ search: { steps } }: Found): boolean {
  return steps.length === 1 && steps[0]!.what.kind === 'object' && !steps[0]!.negated;
}

/** When each of what is counted began. */
function startsOf(found: Found, findings: readonly Finding[]): number[] {
  if (!isOfThings(found)) return findings.map(({ startS }) => startS);
  const first = new Map<number, number>();
  for (const { start, tracks } of found.hits)
    for (const { role, track } of tracks)
      if (role === 'subject') first.set(track.id, Math.min(start.timeS, first.get(track.id) ?? start.timeS));
  return [...first.values()];
}

/** The share of a stretch that is too short for one of its own. */
const REST = 0.1;

/** "By the minute: 0:00.0 3, 1:00.0 5", each counted where it began; of a shorter video what it would come to. */
function rate(starts: readonly number[], per: number, { from, to }: Stretch): string {
  const unit = per === 1 ? 'second' : per === 60 ? 'minute' : per === 3600 ? 'hour' : seconds(per);
  const whole = `${round((starts.length / Math.max(1e-9, to - from)) * per, 1)} per ${unit}`;
  if (to - from < per) return `That is ${whole}, reckoned from ${seconds(to - from)}.`;
  // A rest of a moment belongs to the stretch before it; a longer one is told with how long it is.
  const stretches = Math.ceil((to - from) / per - REST);
  const counts = Array.from({ length: stretches }, (_, i) => {
    const [startS, endS] = [from + i * per, i + 1 < stretches ? from + (i + 1) * per : to];
    const isRest = endS - startS < per * (1 - REST);
    return {
      startS,
      n: starts.filter((t) => t >= startS && (t < endS || endS === to)).length,
      lasts: isRest ? endS - startS : per,
    };
  });
  const each = counts
    .slice(0, MOST_TIMES)
    .map(({ startS, n, lasts }) => `${n} from ${clock(startS)}${lasts < per ? ` (of ${seconds(lasts)})` : ''}`);
  return `That is ${whole} on average: ${rest(counts) === '' ? listed(each) : `${each.join(', ')}${rest(counts)}`}.`;
}

function count(found: Found, findings: readonly Finding[], name: string, { from, to }: Stretch): string {
  const { what } = found.search.steps[0]!;
  if (!isOfThings(found) || what.kind !== 'object') {
    if (findings.length === 0) return absent(found, '0', name);
    return `${findings.length}${name}: ${times(findings)}.`;
  }
  const tracks = subjects(found.hits);
  if (tracks.length === 0) return absent(found, '0', name);
  const classes = new Map<string, number>();
  for (const { track } of tracks) {
    const kind = kindOf(track, what.subject);
    classes.set(kind, (classes.get(kind) ?? 0) + 1);
  }
  const kinds = [...classes]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([c, n]) => `${n} ${n === 1 ? c : pluralOf(c)}`);
  const each = `${isSure(found) ? '' : 'At least '}${listed(kinds)}${name}`;
  const caution = 'Each is one track: a thing that was lost and found again counts twice.';
  if (what.action !== 'present' && what.action !== 'stands') return `${each}: ${times(findings)}. ${caution}`;
  const most = mostAtOnce(found.hits);
  const mean = round(most.sumS / Math.max(1e-9, to - from), 1);
  const at =
    most.count > 0 ? `, at most ${most.count} at the same time (${clock(most.timeS)}), ${mean} on average` : '';
  return `${each}${at}. ${caution}`;
}

function subjects(hits: readonly Hit[]) {
  const uses = new Map(
    hits.flatMap((hit) =>
      hit.tracks.filter((use) => use.role === 'subject').map((use) => [use.track.id, use] as const),
    ),
  );
  return [...uses.values()].toSorted((a, b) => a.track.id - b.track.id);
}

type Times = Pick<Finding, 'startS' | 'endS'>;

const MOST_TIMES = 10;
const rest = (findings: readonly unknown[]) =>
  findings.length > MOST_TIMES ? ` and ${findings.length - MOST_TIMES} more` : '';

function times(findings: readonly Times[]): string {
  const told = findings.slice(0, MOST_TIMES).map(timeOf);
  return findings.length > MOST_TIMES ? `${told.join(', ')}${rest(findings)}` : listed(told);
}

/** When any of them is so. */
function union(findings: readonly Times[]): Times[] {
  const stretches: Times[] = [];
  for (const { startS, endS } of findings.toSorted((a, b) => a.startS - b.startS)) {
    const last = stretches.at(-1);
    if (last && startS <= last.endS) last.endS = Math.max(last.endS, endS);
    else stretches.push({ startS, endS });
  }
  return stretches;
}

function placeOf(finding: Finding): string {
  const box = finding.evidence.frames.find((f) => f.role === 'best')?.boxes[0];
  if (!box) return 'in the picture as a whole';
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const across = x < 1 / 3 ? 'left' : x > 2 / 3 ? 'right' : '';
  const down = y < 1 / 3 ? 'top' : y > 2 / 3 ? 'bottom' : '';
  return `in the ${[down, across].filter((p) => p !== '').join(' ') || 'middle'} of the picture`;
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
