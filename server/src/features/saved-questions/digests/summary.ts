import { clock } from '#platform/clock';

/** An event of yesterday that matches the rule of its question. */
export type DigestEvent = {
  analysisId: string;
  position: number;
  videoId: string;
  videoName: string;
  label: string;
  confidence: number;
  startS: number;
  approval: string;
};

const SHOWN_LABELS = 3;
const MAX_NAME = 120;

/** Summary of a day in at most five lines. `events` are without those that reviewers rejected. */
export function summarize(
  { name, day, analyzed }: { name: string; day: string /** Videos that the question ran on. */; analyzed: number },
  events: readonly DigestEvent[],
  rejected: number,
): string[] {
  const title = `${shown(name)}, ${dateOf(day)}`;
  if (analyzed === 0) return [`${title}: no new videos.`];
  if (events.length === 0) return [`${title}: nothing was found in ${counted(analyzed, 'video')}.`];
  const [label, ...others] = rank(events, (event) => event.label);
  const [video] = rank(events, (event) => event.videoName);
  const labels = [label!, ...others].slice(0, SHOWN_LABELS).map(([text, count]) => `${shown(text)} (${count})`);
  const best = events.reduce((most, event) => (event.confidence > most.confidence ? event : most));
  const found = new Set(events.map(({ videoId }) => videoId)).size;
  const count = (approval: string) => events.filter((event) => event.approval === approval).length;
  return [
    `${title}: ${counted(events.length, 'event')} in ${found} of ${counted(analyzed, 'video')}.`,
    `Most often: ${labels.join(', ')}.`,
    `Most events: ${shown(video![0])} (${video![1]}).`,
    `Most certain: ${shown(best.label)} in ${shown(best.videoName)} at ${clock(best.startS)}, confidence ${best.confidence.toFixed(2)}.`,
    `Reviewed: ${count('approved')} approved, ${rejected} rejected, ${count('pending') + count('unsure')} open.`,
  ];
}

/** Values with their numbers, the most frequent first. */
const rank = (events: readonly DigestEvent[], of: (event: DigestEvent) => string): [string, number][] =>
  [...Map.groupBy(events, of)]
    .map(([value, { length }]): [string, number] => [value, length])
    .sort(([a, most], [b, count]) => count - most || (a < b ? -1 : 1));

/** In one line of bounded length. */
const shown = (text: string) => text.replaceAll(/\s+/g, ' ').slice(0, MAX_NAME).toWellFormed();

const dateOf = (day: string) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', weekday: 'long', day: 'numeric', month: 'long' }).format(
    new Date(`${day}T12:00:00Z`),
  );

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;
