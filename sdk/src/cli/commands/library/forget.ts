import type { Command } from 'commander';
import type { operations } from '../../../api.generated.ts';
import type { Video } from '../../../resources.generated.ts';
import type { Sightline } from '../../../types.ts';
import { type RecordedFlags, toRecordedFilter, withRecordedFlags } from '../../recorded-filter.ts';
import type { CliSession } from '../../session.ts';
import { clock, counted, table } from '../../terminal.ts';
import type { Run } from '../../types.ts';

type ForgetFlags = RecordedFlags & {
  camera?: string;
  folderId?: string;
  label?: string;
  reason: string;
  yes?: boolean;
};
type VideoQuery = NonNullable<operations['searchVideos']['parameters']['query']>;

/** Largest number of videos of one deletion, and of a page. */
const BATCH = 500;

/** Erases what was recorded at a time and place, for the request of a person; or an analysis. */
export function forgetCommand(program: Command, run: Run): void {
  const forget = program
    .command('forget')
    .description(
      'erase the videos of a camera or folder that were recorded at some time, such as for the request of a person; only lists them without --yes. With two ids: delete an analysis with its events and evidence images',
    )
    .argument('[video_id]', 'with an analysis: its video')
    .argument('[analysis_id]', 'delete this analysis alone')
    .option('--camera <id>', 'recordings of this camera')
    .option('--folder-id <id>', 'videos of this folder')
    .option('--label <label>', 'only videos with an event of this label at that time')
    .option('--reason <text>', 'why, for the record of deletions, such as the number of the request', 'forget')
    .option('--yes', 'erase them; there is no trash to restore them from');
  withRecordedFlags(forget, 'videos').action(
    run(async (session, videoId: string | undefined, analysisId: string | undefined, flags: ForgetFlags) => {
      if (videoId === undefined) return forgetRecordings(session, flags);
      if (analysisId === undefined) throw new Error('Name the analysis, too; `videos delete --erase` erases a video.');
      const answer = await (await session.sightline()).deleteAnalysis(videoId, analysisId);
      session.print(answer, () => 'The analysis is deleted.');
    }),
  );
}

async function forgetRecordings(session: CliSession, flags: ForgetFlags): Promise<void> {
  const { camera, folderId, label, recordedAfter, recordedBefore } = flags;
  if (!recordedAfter || !recordedBefore) throw new Error('State the time: --recorded-after and --recorded-before.');
  if (!camera && !folderId) throw new Error('State the place: --camera or --folder-id.');
  const sightline = await session.sightline();
  const place = { camera_id: camera, folder_id: folderId };
  const recorded = toRecordedFilter(flags);
  const shown = label === undefined ? null : await listVideosOf(sightline, { label, folder_id: folderId, ...recorded });
  const existing = (await listVideos(sightline, { ...place, ...recorded })).filter(
    ({ video_id }) => shown?.has(video_id) ?? true,
  );
  const trash = await listVideos(sightline, { ...place, ...recorded, deleted: true });
  // The events of deleted videos are not listed, so it is not known what these show.
  const found = shown ? existing : [...existing, ...trash];
  const [held, erasable] = [found.filter(({ hold }) => hold), found.filter(({ hold }) => !hold)];

  const notes = [
    ...(held.length > 0 ? [`${counted(held.length, 'video')} on legal hold: not erased.`] : []),
    ...(shown && trash.length > 0
      ? [
          `${counted(trash.length, 'video')} of that time in the trash: not erased, because events of deleted videos are unknown.`,
        ]
      : []),
    ...(await describeUnknown(sightline, place)),
  ];
  if (!flags.yes) {
    const sum = `${counted(erasable.length, 'video')} would be erased as a whole. Nothing was deleted; \`--yes\` erases.`;
    const plan = { would_erase: erasable.map(toRecord), on_hold: held.map(toRecord), notes };
    return session.print(plan, () => [toTable(found), sum, ...notes].join('\n'));
  }
  const results = [];
  for (let i = 0; i < erasable.length; i += BATCH) {
    const video_ids = erasable.slice(i, i + BATCH).map(({ video_id }) => video_id);
    const body = { video_ids, erase: true, reason: flags.reason };
    results.push(...(await sightline.api.POST('/api/videos/delete', { body })).data!.results);
  }
  const failed = results.filter(({ ok }) => !ok);
  if (failed.length > 0) process.exitCode = 1;
  session.print({ results, on_hold: held.map(toRecord), notes }, () =>
    [
      `${counted(results.length - failed.length, 'video')} erased.`,
      ...failed.map(({ video_id, message }) => `${video_id}  ${message}`),
      ...notes,
    ].join('\n'),
  );
}

/** Counts videos that a time of recording does not find: those without one, and those that are not complete yet. */
async function describeUnknown(sightline: Sightline, place: VideoQuery): Promise<string[]> {
  const processing = await listVideos(sightline, { ...place, status: 'processing' });
  // Those of an unknown time are the first ones.
  const untimed = await listVideos(
    sightline,
    { ...place, status: 'uploaded', sort: 'recorded_at' },
    (video) => video.recorded_at === null,
  );
  return [
    ...(processing.length > 0
      ? [
          `${counted(processing.length, 'video')} still recorded or uploaded: not looked at. Repeat the command afterwards.`,
        ]
      : []),
    ...(untimed.length > 0
      ? [`${counted(untimed.length, 'video')} of which it is not known when they were recorded: not looked at.`]
      : []),
  ];
}

/** All videos that match, while `accept` is true. */
async function listVideos(
  { api }: Sightline,
  query: VideoQuery,
  accept: (video: Video) => boolean = () => true,
): Promise<Video[]> {
  const all: Video[] = [];
  for (let cursor: string | undefined; ; ) {
    const { data } = await api.GET('/api/videos', { params: { query: { ...query, cursor, limit: BATCH } } });
    for (const video of data!.videos) {
      if (!accept(video)) return all;
      all.push(video);
    }
    if (data!.next_cursor === null) return all;
    cursor = data!.next_cursor;
  }
}

/** Ids of the videos of events. */
async function listVideosOf(sightline: Sightline, query: Parameters<Sightline['events']>[0]): Promise<Set<string>> {
  const ids = new Set<string>();
  for await (const { video_id } of sightline.events({ ...query, limit: BATCH })) ids.add(video_id);
  return ids;
}

const toRecord = ({ video_id, video_name, recorded_at, duration_s, hold }: Video) => ({
  video_id,
  video_name,
  recorded_at,
  duration_s,
  hold,
});

function toTable(videos: readonly Video[]): string {
  const rows = videos.map(({ video_id, video_name, recorded_at, duration_s, hold, restorable_until }) => [
    video_id,
    video_name,
    recorded_at?.slice(0, 19).replace('T', ' ') ?? '',
    duration_s === null ? '' : clock(duration_s),
    hold ? `on hold: ${hold.reason}` : restorable_until ? 'in the trash' : '',
  ]);
  return table(
    ['id', 'name', 'recorded (UTC)', 'length', 'state'],
    rows,
    'There are no videos of that time and place.',
  );
}
