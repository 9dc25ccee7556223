import { offsetMs } from '#platform/local-time';
import { round } from '../../find/index.ts';
import type { VideoEvent } from '../../types.ts';
import type { ReportedAbsence } from './track-absences.ts';

/** States an absence, and how much of its time was observed. Times of day are those of the time zone. */
export function describeAbsence(
  { query, fromMs, untilMs, requested, observedS, unobserved, lastSeen, confidence, described }: ReportedAbsence,
  timeZone: string,
): Pick<VideoEvent, 'label' | 'category' | 'severity' | 'confidence' | 'explanation' | 'caveats'> {
  const at = (instantMs: number) => timeOfDay(instantMs, timeZone);
  const gaps = unobserved.map((gap) => `${at(gap.fromMs)} to ${at(gap.untilMs)}`).join(', ');
  const isOpen = query.calendar?.times?.from === 0;
  const when = requested
    ? isOpen
      ? `by ${minuteOf(at(untilMs))}`
      : `between ${minuteOf(at(requested.fromMs))} and ${minuteOf(at(untilMs))}`
    : `for ${lengthOf(query.minS!)}`;
  const observed = `${lengthOf(observedS)} of which were observed${gaps === '' ? ' without a gap' : `, and not ${gaps}`}`;
  const seen = lastSeen ? `seen last at ${at(lastSeen.atMs)}` : 'not seen before, since the observation began';
  return {
    label: `${described.label} ${when}`,
    category: described.category,
    severity: described.severity,
    confidence: round(confidence, 3),
    explanation: `Not found from ${at(fromMs)} to ${at(untilMs)}, ${observed}; ${seen}.`,
    caveats: gaps === '' ? described.caveats : [...described.caveats, `not observed: ${gaps}`],
  };
}

function lengthOf(seconds: number): string {
  const whole = Math.round(seconds);
  const [h, m, s] = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60, whole % 60];
  return [h > 0 ? `${h} h` : '', m > 0 ? `${m} min` : '', s > 0 || whole === 0 ? `${s} s` : '']
    .filter(Boolean)
    .join(' ');
}

/** `HH:MM:SS` */
const timeOfDay = (instantMs: number, timeZone: string): string =>
  new Date(Math.round(instantMs / 1_000) * 1_000 + offsetMs(instantMs, timeZone)).toISOString().slice(11, 19);

/** Seconds are only stated if there are some. */
const minuteOf = (time: string): string => time.replace(/:00$/, '');
