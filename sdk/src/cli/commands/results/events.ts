import { type Command, Option } from 'commander';
import type { EventStatistics } from '../../../resources.generated.ts';
import { type RecordedFlags, toRecordedFilter, withRecordedFlags } from '../../recorded-filter.ts';
import type { CliSession } from '../../session.ts';
import { clock, counted, number, table } from '../../terminal.ts';
import type { Run } from '../../types.ts';

/** Largest page of events. */
const MOST_EVENTS = 500;

/** Events of earlier prompts. */
export function eventCommands(program: Command, run: Run): void {
  const events = program
    .command('events')
    .description('list the events of earlier prompts, newest first; with --json one event per line')
    .argument('[words]', 'only events that contain all of these words: also spoken or read ones, tags and notes')
    .option('--video <id>', 'only events of this video')
    .option('--folder-id <id>', 'only events of the videos of this folder')
    .option('--batch <id>', 'only events of this batch')
    .option('--incident <id>', 'only events of this incident')
    .option('--incidents', 'one event for each incident, however many prompts found it; with --per count incidents')
    .option('--label <label>', 'only events with this label')
    .option('--severity <severity>', '`low`, `medium` or `high`')
    .option('--min-confidence <share>', 'minimum confidence, 0 to 1', number)
    .option('--approval <state>', '`pending`, `approved`, `rejected` or `unsure`')
    .option('--to-review', 'only events that wait for your verdict, lowest confidence first')
    .option('--surest', 'highest confidence first')
    .addOption(
      new Option('--per <unit>', 'show how many there are by local time instead').choices(['hour', 'day', 'weekday']),
    )
    .option('--limit <count>', 'maximum number', number, 100);
  withRecordedFlags(events, 'events').action(run(listEvents));
  program
    .command('search')
    .description('search the events of earlier analyses')
    .argument('<words>')
    .requiredOption('--folder <name>', 'in the videos of this folder')
    .option('--org', 'use a folder of the organization')
    .action(run(search));
}

type EventFlags = RecordedFlags &
  Partial<Record<'video' | 'folderId' | 'batch' | 'incident' | 'label', string>> & {
    incidents?: boolean;
    severity?: 'high';
    minConfidence?: number;
    approval?: 'pending';
    toReview?: boolean;
    surest?: boolean;
    per?: 'hour' | 'day' | 'weekday';
    limit: number;
  };

async function listEvents({ sightline, json, print }: CliSession, q: string | undefined, flags: EventFlags) {
  const { video, folderId, batch, incident, incidents, label, severity, minConfidence, approval } = flags;
  const { toReview, surest, per, limit } = flags;
  const client = await sightline();
  const rows: string[][] = [];
  const filter = {
    video_id: video,
    folder_id: folderId,
    batch_id: batch,
    incident_id: incident,
    per: incidents ? ('incident' as const) : undefined,
    min_confidence: minConfidence,
    approval,
    to_review: toReview,
    ...toRecordedFilter(flags),
  };
  if (per) {
    const statistics = await client.eventStatistics({ q, ...filter, label, severity });
    return print(statistics, () => statisticsText(statistics, per));
  }
  const sort = surest ? ('-confidence' as const) : toReview ? ('confidence' as const) : undefined;
  let left = limit;
  for await (const event of client.events({
    q,
    ...filter,
    label,
    severity,
    sort,
    limit: Math.min(limit, MOST_EVENTS),
  })) {
    if (json) print(event, String);
    const { video_name, start_s, end_s, confidence, approval: state, implied, event_id } = event;
    const range = `${clock(start_s)} to ${clock(end_s)}`;
    const found = event.matches.map(matchOf).join('; ');
    const verdict = implied ? `${implied.approval} (implied)` : state;
    const questions = event.incident ? [String(event.incident.questions)] : [];
    const values = [video_name, range, event.label, confidence.toFixed(2), verdict];
    rows.push([...values, ...questions, ...(q ? [found] : []), event_id]);
    if (--left <= 0) break;
  }
  const more = incidents ? ['prompts'] : [];
  const columns = ['video', 'time', 'event', 'confidence', 'review', ...more, ...(q ? ['found in'] : []), 'id'];
  if (!json) print(rows, () => table(columns, rows));
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

function statisticsText({ hours, weekdays, days, undated, is_complete }: EventStatistics, per: string): string {
  const rows =
    per === 'hour'
      ? hours.map((count, hour) => [`${String(hour).padStart(2, '0')}:00`, String(count)])
      : per === 'weekday'
        ? weekdays.map((count, day) => [WEEKDAYS[day]!, String(count)])
        : days.map(({ day, count }) => [day, String(count)]);
  const notes = [
    ...(undated > 0 ? [`${counted(undated, 'event')} of which it is not known when: the video has no clock`] : []),
    ...(is_complete ? [] : ['only the newest events were counted']),
  ];
  return [table([per, 'events'], rows, 'There are no events.'), ...notes].join('\n');
}

/** Where words were found: what is not in the row already is quoted. */
const matchOf = ({ source, text }: { source: string; text: string }) =>
  source === 'label' || source === 'type' ? source : `${source} "${text}"`;

async function search(
  { sightline, print }: CliSession,
  query: string,
  { folder, org }: { folder: string; org?: boolean },
) {
  const { api } = await sightline();
  const scope = org ? ('org' as const) : undefined;
  const { data: started } = await api.POST('/api/search-sessions/start', {
    body: { query, folder_name: folder, scope },
  });
  const { session_id, owner_uid } = started!;
  await api.POST('/api/search', { body: { session_id } });
  const params = { path: { owner_uid, session_id } };
  const { data } = await api.GET('/api/search-sessions/{owner_uid}/{session_id}', { params });
  const { summary, matches } = data!.data;
  const rows = matches.map((match) => [
    match.video_id,
    String(match.event_index),
    match.similarity.toFixed(2),
    match.reason,
  ]);
  print(data!.data, () =>
    rows.length === 0 ? summary : `${summary}\n${table(['video', 'event', 'fits', 'why'], rows)}`,
  );
}
