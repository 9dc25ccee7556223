import type { Command } from 'commander';
import type { CliSession } from '../../session.ts';
import { clock, number, table } from '../../terminal.ts';
import type { Run } from '../../types.ts';

type RangeFlags = { from?: number; to?: number };
type SeriesFlags = RangeFlags & { fields?: string; points?: number };
type TrackFlags = RangeFlags & { classes?: string; rate?: number };

export function timelineCommands(program: Command, run: Run): void {
  const withRange = (command: Command) =>
    command
      .option('--from <seconds>', 'start in the video', number)
      .option('--to <seconds>', 'end in the video', number);
  const withSeries = (command: Command) =>
    withRange(command.argument('<video_id>'))
      .option('--fields <names>', 'only these fields, separated by commas')
      .option('--points <count>', 'maximum number of intervals per field', number);
  withSeries(
    program.command('observations').description('print what was observed in a video over time, as CSV'),
  ).action(run((session, id: string, flags: SeriesFlags) => printSeries(session, 'observations', id, flags)));
  withSeries(program.command('telemetry').description('print the telemetry of a video, as CSV')).action(
    run((session, id: string, flags: SeriesFlags) => printSeries(session, 'telemetry', id, flags)),
  );
  withRange(program.command('tracks').description('list the tracked objects of a video').argument('<video_id>'))
    .option('--classes <names>', 'only objects of these classes, separated by commas')
    .option('--rate <fps>', 'maximum boxes per second of each object', number)
    .action(run(listTracks));
  program
    .command('actions')
    .description('list what the vehicle in a video did, as its telemetry shows')
    .argument('<video_id>')
    .action(run(listActions));
}

async function listActions({ sightline, print }: CliSession, video_id: string): Promise<void> {
  const { api } = await sightline();
  const { data } = await api.GET('/api/videos/{video_id}/causation', { params: { path: { video_id } } });
  const { ego_meta_actions: actions, source, notes } = data!;
  const rows = actions.map(({ start_s, end_s, longitudinal, lateral, speed_mps }) => [
    clock(start_s),
    clock(end_s),
    longitudinal ?? '',
    lateral ?? '',
    speed_mps?.toFixed(1) ?? '',
  ]);
  const list = table(['from', 'to', 'longitudinal', 'lateral', 'm/s'], rows, 'There are no actions.');
  print(data, () => [list, `Measured by: ${[source, ...notes].join('; ')}`].join('\n'));
}

async function printSeries(
  { sightline, print, json }: CliSession,
  kind: 'observations' | 'telemetry',
  video_id: string,
  flags: SeriesFlags,
): Promise<void> {
  const { api } = await sightline();
  const path = `/api/videos/{video_id}/${kind}` as const;
  const params = { path: { video_id }, query: { ...flags, format: json ? ('json' as const) : ('csv' as const) } };
  const { data } = await api.GET(path, { params, parseAs: json ? 'json' : 'text' });
  print(data, () => String(data).trimEnd());
}

async function listTracks({ sightline, print }: CliSession, video_id: string, query: TrackFlags): Promise<void> {
  const { api } = await sightline();
  const { data } = await api.GET('/api/videos/{video_id}/tracks', { params: { path: { video_id }, query } });
  const { tracks, unavailable } = data!;
  const rows = tracks.map(({ id, class: name, color, times_s }) => [
    String(id),
    name,
    color ?? '',
    clock(times_s[0]!),
    clock(times_s.at(-1)!),
    String(times_s.length),
  ]);
  const none = unavailable?.message ?? 'There are no tracked objects in this range.';
  print(data, () => table(['id', 'class', 'color', 'from', 'to', 'boxes'], rows, none));
}
