import { createHash } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { SightlineError } from '../../../errors.ts';
import type { Sightline } from '../../../types.ts';
import { type RecordedFlags, toRecordedFilter, withRecordedFlags } from '../../recorded-filter.ts';
import type { CliSession } from '../../session.ts';
import { clock, createProgress, number, table } from '../../terminal.ts';
import type { Run } from '../../types.ts';
import { folderId } from './folders.ts';
import { holdCommands, printOutcomes } from './holds.ts';
import { subtitleCommands } from './subtitles.ts';

type UploadFlags = { folder?: string; name?: string; org?: boolean };
type ListFlags = { folder?: string; name?: string; limit?: number; deleted?: boolean; held?: boolean };
type UrlFlags = { kind: string; start?: number; end?: number };

export function videoCommands(program: Command, run: Run): void {
  program
    .command('upload')
    .description('upload videos; the same command resumes an interrupted upload')
    .argument('<file...>', 'files, or http and https addresses for the service to fetch')
    .option('--folder <name>', 'folder of the videos; created if it does not exist')
    .option('--org', 'share with everyone in the organization')
    .option('--name <name>', 'name of the video (default: its file name)')
    .action(run(upload));

  const videos = program.command('videos').description('list and manage videos');
  const listed = videos
    .command('list', { isDefault: true })
    .description('list videos, newest first')
    .option('--folder <name>', 'only videos in this folder')
    .option('--name <text>', 'only videos whose name contains this text')
    .option('--deleted', 'only deleted videos that can still be restored')
    .option('--held', 'only videos on legal hold')
    .option('--limit <count>', 'maximum number', number, 100);
  withRecordedFlags(listed, 'videos').action(run(list));
  videos
    .command('show')
    .description('show the status of a video')
    .argument('<video_id>')
    .action(
      run(async ({ sightline, print }, video_id: string) => {
        const { api } = await sightline();
        const { data } = await api.GET('/api/video/{video_id}/status', { params: { path: { video_id } } });
        print(data, () => JSON.stringify(data, null, 2));
      }),
    );
  videos
    .command('count')
    .description('count videos by status, source, tag, duration and whether they were queried')
    .option('--folder <name>', 'only videos in this folder')
    .option('--name <text>', 'only videos whose name contains this text')
    .action(run(count));
  videos
    .command('views')
    .description('list sets of videos that show the same scene')
    .argument('[video_id]', 'only the set of this video')
    .action(run(listViews));
  videos
    .command('captions')
    .description('caption a whole video; captions that exist are printed at once')
    .argument('<video_id>')
    .option('--mode <footage>', '`driving`, `construction` or `robotics`', 'driving')
    .option('--refresh', 'caption the video again')
    .option('--vtt', 'print WebVTT')
    .action(run(showCaptions));
  subtitleCommands(videos, run);
  holdCommands(videos, run);
  videos
    .command('url')
    .description('print a URL that plays without a key until it expires')
    .argument('<video_id>')
    .option(
      '--kind <kind>',
      '`video`, `poster`, `frame`, `storyboard`, `captions`, `captions_srt`, `clip` or `hls`',
      'video',
    )
    .option('--start <seconds>', 'start of a clip', number)
    .option('--end <seconds>', 'end of a clip', number)
    .action(
      run(async ({ sightline, print }, video_id: string, { kind, start, end }: UrlFlags) => {
        // The API calls the video file `film`.
        const body = { kind: (kind === 'video' ? 'film' : kind) as 'film', start, end };
        const { api } = await sightline();
        const { data } = await api.POST('/api/video/{video_id}/signed-url', { params: { path: { video_id } }, body });
        print(data, () => data!.url);
      }),
    );
  videos
    .command('move')
    .description('move videos into a folder')
    .argument('<video_id...>')
    .requiredOption('--folder <name>', 'destination; created if it does not exist')
    .option('--org', 'use a folder of the organization')
    .action(
      run(async (session, video_ids: string[], flags: { folder: string; org?: boolean }) => {
        const sightline = await session.sightline();
        const folder_id = await folderId(sightline, flags.folder, flags.org);
        const { data } = await sightline.api.POST('/api/videos/move', { body: { video_ids, folder_id } });
        printOutcomes(session, data!.results);
      }),
    );
  videos
    .command('delete')
    .description('delete videos; they can be restored for a while')
    .argument('<video_id...>')
    .option('--erase', 'erase at once, also what is in the trash; the videos cannot be restored')
    .option('--reason <text>', 'why, for the record of deletions')
    .action(
      run(async (session, video_ids: string[], { erase = false, reason }: { erase?: boolean; reason?: string }) => {
        const { api } = await session.sightline();
        printOutcomes(
          session,
          (await api.POST('/api/videos/delete', { body: { video_ids, erase, reason } })).data!.results,
        );
      }),
    );
  videos
    .command('restore')
    .description('restore deleted videos')
    .argument('<video_id...>')
    .action(
      run(async (session, video_ids: string[]) => {
        const { api } = await session.sightline();
        printOutcomes(session, (await api.POST('/api/videos/restore', { body: { video_ids } })).data!.results);
      }),
    );
}

async function upload(session: CliSession, files: string[], flags: UploadFlags): Promise<void> {
  const sightline = await session.sightline();
  const folder = flags.folder === undefined ? undefined : await folderId(sightline, flags.folder, flags.org);
  const place = { folderId: folder, scope: flags.org ? ('org' as const) : undefined, name: flags.name };
  for (const file of files) {
    const send = /^https?:\/\//.test(file) ? fetchFrom : sendFile;
    try {
      const video_id = await send(session, sightline, file, place);
      await sightline.ready(video_id);
      session.print({ file, video_id, status: 'uploaded' }, () => `${video_id}  ${file}`);
    } catch (error) {
      // The other files continue.
      if (files.length === 1 || !isOfFile(error)) throw error;
      session.fail(error, file);
    }
  }
}

/** True if the error concerns the file, not the service, the key or the storage. */
function isOfFile(error: unknown): error is Error {
  if (error instanceof SightlineError) return [400, 404, 409, 413, 415].includes(error.status);
  return error instanceof Error && error.name === 'Error';
}

type Place = { folderId?: string; scope?: 'org'; name?: string };

async function fetchFrom(_: CliSession, { api }: Sightline, url: string, { folderId, scope, name }: Place) {
  const body = { source: 'video_url' as const, video_url: url, folder_id: folderId, scope, custom_name: name };
  return (await api.POST('/api/upload-video', { body })).data!.video_id;
}

/** Uploads a file, and resumes an unfinished upload of the same file to the same place. */
async function sendFile(
  { state, login }: CliSession,
  sightline: Sightline,
  file: string,
  place: Place,
): Promise<string> {
  const path = await realpath(file);
  const found = await stat(path);
  if (!found.isFile()) throw new Error(`${path} is a folder: name the files in it.`);
  const { url } = await login();
  const whole = { url, path, size: found.size, changed: found.mtimeMs, ...place };
  const same = createHash('sha256').update(JSON.stringify(whole)).digest('hex');
  const blob = await openAsBlob(path);
  const progress = createProgress();
  const send = (resume?: string) =>
    sightline.upload(blob, {
      ...place,
      name: place.name ?? basename(path),
      resume,
      onStarted: (id) => state.saveUpload(same, id),
      onProgress: (sent, total) => progress.show(`uploading ${basename(path)}`, (100 * sent) / total),
    });
  try {
    const resumeId = await state.upload(same);
    const { video_id } = await send(resumeId).catch((error) => {
      // The earlier upload has expired or ended, or belongs to another user.
      if (resumeId && error instanceof SightlineError && (error.status === 404 || error.status === 403)) return send();
      throw error;
    });
    await state.deleteUpload(same);
    return video_id;
  } finally {
    progress.stop();
  }
}

async function list({ sightline, print }: CliSession, flags: ListFlags & RecordedFlags): Promise<void> {
  const { api } = await sightline();
  const { folder, name, limit, deleted, held } = flags;
  const query = { folder, name, limit, deleted, held, ...toRecordedFilter(flags) };
  const { data } = await api.GET('/api/videos', { params: { query } });
  const rows = data!.videos.map((video) => [
    video.video_id,
    video.video_name,
    video.status,
    video.duration_s === null ? '' : clock(video.duration_s),
    video.folder_name ?? '',
    day(video.created_at),
    video.recorded_at?.slice(0, 19).replace('T', ' ') ?? '',
  ]);
  const head = ['id', 'name', 'status', 'length', 'folder', 'created', 'recorded (UTC)'];
  print(data, () => table(head, rows, 'There are no videos.'));
}

async function count({ sightline, print }: CliSession, query: Pick<ListFlags, 'folder' | 'name'>): Promise<void> {
  const { api } = await sightline();
  const facets = (await api.GET('/api/videos/facets', { params: { query } })).data!;
  const { statuses, sources, scopes, tags, durations, queried, not_queried, is_complete, total } = facets;
  const values = { status: statuses, source: sources, scope: scopes, tag: tags };
  const rows = [
    ['videos', is_complete ? '' : 'of the newest', String(total)],
    ...Object.entries(values).flatMap(([field, each]) => each.map(({ value, count }) => [field, value, String(count)])),
    ['queried', 'yes', String(queried)],
    ['queried', 'no', String(not_queried)],
    ...durations.map(({ min_s, max_s, count }) => [
      'duration',
      `${clock(min_s)}${max_s === null ? ' or more' : ` to ${clock(max_s)}`}`,
      String(count),
    ]),
  ];
  print(facets, () => table(['field', 'value', 'videos'], rows));
}

async function listViews({ sightline, print }: CliSession, video_id?: string): Promise<void> {
  const { api } = await sightline();
  const { data } = await api.GET('/api/multi-view', { params: { query: { video_id } } });
  const rows = data!.view_sets.flatMap(({ primary_view_id, details }) =>
    details.map(({ video_id: id, role, label, offset_s }) => [primary_view_id, id, role, label ?? '', `${offset_s} s`]),
  );
  print(data, () => table(['set', 'video', 'role', 'label', 'offset'], rows, 'There are no sets of views.'));
}

type CaptionFlags = { mode: string; refresh?: boolean; vtt?: boolean };

async function showCaptions(session: CliSession, video_id: string, flags: CaptionFlags): Promise<void> {
  const sightline = await session.sightline();
  const mode = flags.mode as 'driving';
  const progress = createProgress();
  progress.show('captioning', 0);
  const index = await sightline.captions(video_id, { mode, refresh: flags.refresh }).finally(() => progress.stop());
  if (flags.vtt) {
    const params = { path: { video_id: index.index_video_id ?? video_id }, query: { mode } };
    const { data } = await sightline.api.GET('/api/videos/{video_id}/index.vtt', { params, parseAs: 'text' });
    return session.print(data, () => data!);
  }
  const rows = index.grounded_caption!.map(({ t_start, t_end, caption }) => [clock(t_start), clock(t_end), caption]);
  session.print(index, () => table(['from', 'to', 'caption'], rows));
}

const day = (iso: string) => iso.slice(0, 16).replace('T', ' ');
