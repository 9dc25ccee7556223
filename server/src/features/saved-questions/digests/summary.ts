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

/** The facts that a digest states besides its events. */
type DigestFacts = {
  name: string;
  day: string;
  /** Videos that were recorded on the day and that the question ran on. */
  recorded: number;
  /** Names of videos that were analyzed on the day without a time of recording, and their events. */
  undated: { videos: readonly string[]; eventCount: number };
  /** Videos that were analyzed on the day and recorded on another one. */
  late: number;
};

const MOST_LINES = 5;
const SHOWN_NAMES = 3;

/** Summary of a day in at most five lines. `events` are without those that reviewers rejected. */
export function summarize(facts: DigestFacts, events: readonly DigestEvent[], rejected: number): string[] {
  const { name, day, recorded } = facts;
  const title = `${shown(name)}, ${dateOf(day)}`;
  const others = othersText(facts);
  if (recorded === 0) return [`${title}: no videos of this day.`, ...others];
  if (events.length === 0) return [`${title}: nothing was found in ${counted(recorded, 'video')}.`, ...others];
  const [label, ...labels] = rank(events, (event) => event.label);
  const [video] = rank(events, (event) => event.videoName);
  const named = [label!, ...labels].slice(0, SHOWN_LABELS).map(([text, count]) => `${shown(text)} (${count})`);
  const best = events.reduce((most, event) => (event.confidence > most.confidence ? event : most));
  const found = new Set(events.map(({ videoId }) => videoId)).size;
  const count = (approval: string) => events.filter((event) => event.approval === approval).length;
  const lines = [
    `${title}: ${counted(events.length, 'event')} in ${found} of ${counted(recorded, 'video')}.`,
    `Most often: ${named.join(', ')}.`,
    `Most certain: ${shown(best.label)} in ${shown(best.videoName)} at ${clock(best.startS)}, confidence ${best.confidence.toFixed(2)}.`,
    `Reviewed: ${count('approved')} approved, ${rejected} rejected, ${count('pending') + count('unsure')} open.`,
    ...others,
  ];
  // The video with the most events is what the summary can do without.
  if (lines.length < MOST_LINES) lines.splice(2, 0, `Most events: ${shown(video![0])} (${video![1]}).`);
  return lines;
}

/** Videos that were analyzed on the day and that are not of it, in one line. */
function othersText({ undated: { videos, eventCount }, late }: DigestFacts): string[] {
  const names = videos.slice(0, SHOWN_NAMES).map(shown).join(', ');
  const more = videos.length > SHOWN_NAMES ? `, and ${videos.length - SHOWN_NAMES} more` : '';
  const parts = [
    ...(videos.length > 0
      ? [
          `${counted(videos.length, 'video')} without a time of recording, ${counted(eventCount, 'event')} (${names}${more})`,
        ]
      : []),
    ...(late > 0 ? [`${counted(late, 'video')} of other days`] : []),
  ];
  return parts.length > 0 ? [`Also analyzed: ${parts.join('; ')}.`] : [];
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
