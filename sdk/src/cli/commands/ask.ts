import { readFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import type { Sightline } from '../../client.ts';
import type { OutputSchema, QueryPreview } from '../../resources.generated.ts';
import type { CliSession } from '../session.ts';
import { clock, createProgress, number, table } from '../terminal.ts';
import type { Run } from '../types.ts';

type AskFlags = {
  video?: string[];
  folder?: string;
  fast?: boolean;
  dryRun?: boolean;
  minConfidence?: number;
  verify?: 'auto' | 'always' | 'never';
  fields?: string;
  visionProfile?: string;
};
type Found = { label: string; start_s: number; end_s: number; confidence: number };

/** Largest number of documents per request. */
const MOST_DOCUMENTS = 500;
/** Largest page of events. */
const MOST_EVENTS = 500;

export function askCommands(program: Command, run: Run): void {
  program
    .command('ask')
    .description('query videos and show the progress and the answer; with --json all events of the stream')
    .argument('<prompt>', 'what to look for, in plain words')
    .option('--video <id...>', 'ids of the videos to query')
    .option('--folder <name>', 'query all videos of a folder instead')
    .option('--fast', 'answer from a sparse pass where that is sufficient')
    .option('--min-confidence <share>', 'minimum confidence of events, 0 to 1 (default: 0.5)', number)
    .addOption(
      new Option(
        '--verify <events>',
        'events that a vision-language model verifies: those in doubt, up to 20, or none',
      ).choices(['auto', 'always', 'never']),
    )
    .option('--vision-profile <name>', 'profile of the vision-language model')
    .option('--fields <file>', 'JSON file with a schema of fields to fill for each event or video')
    .option('--dry-run', 'only show how the prompt is understood, what would search for it, and its cost')
    .action(run(ask));
  program
    .command('follow')
    .description('follow a query that was started before')
    .argument('<stream_id>')
    .option('--last-id <id>', 'resume after this event', number, 0)
    .action(
      run(async (session, streamId: string, { lastId }: { lastId: number }) => {
        const sightline = await session.sightline();
        await show(session, sightline.follow(streamId, { lastId }));
      }),
    );
  program
    .command('batch')
    .description('show the status and the events of a batch; with --json its status, then each document')
    .argument('<batch_id>')
    .option('--wait', 'wait until the batch has ended')
    .action(run(batch));
  program
    .command('batches')
    .description('list queries, newest first')
    .option('--status <status>', '`processing`, `completed`, `failed` or `cancelled`')
    .option('--limit <count>', 'maximum number', number, 100)
    .action(run(listBatches));
  program
    .command('cancel')
    .description('cancel the running analyses of a batch')
    .argument('<batch_id>')
    .action(
      run(async ({ sightline, tell }, batch_id: string) => {
        const { api } = await sightline();
        const { data } = await api.POST('/api/batch/{batch_id}/cancel', { params: { path: { batch_id } } });
        tell(data, () => `"${data!.query}": ${data!.status}`);
      }),
    );
  program
    .command('retry')
    .description('query the videos again whose analysis failed')
    .argument('<batch_id>')
    .action(
      run(async (session, batch_id: string) => {
        const sightline = await session.sightline();
        const { data } = await sightline.api.POST('/api/batch/{batch_id}/retry', { params: { path: { batch_id } } });
        await show(session, sightline.follow(data!.stream_id));
      }),
    );
  program
    .command('analyses')
    .description('list the analyses of a video, newest first')
    .argument('<video_id>')
    .option('--limit <count>', 'maximum number', number, 100)
    .action(run(listAnalyses));
  program
    .command('events')
    .description('list the events of earlier prompts, newest first; with --json one event per line')
    .argument('[words]', 'only events whose label or prompt contain all of these words')
    .option('--video <id>', 'only events of this video')
    .option('--folder-id <id>', 'only events of the videos of this folder')
    .option('--batch <id>', 'only events of this batch')
    .option('--label <label>', 'only events with this label')
    .option('--severity <severity>', '`low`, `medium` or `high`')
    .option('--min-confidence <share>', 'minimum confidence, 0 to 1', number)
    .option('--approval <state>', '`pending`, `approved`, `rejected` or `unsure`')
    .option('--to-review', 'only events that wait for your verdict, lowest confidence first')
    .option('--surest', 'highest confidence first')
    .option('--limit <count>', 'maximum number', number, 100)
    .action(run(listEvents));
  program
    .command('forget')
    .description('delete an analysis with its events and evidence images')
    .argument('<video_id>')
    .argument('<analysis_id>')
    .action(
      run(async ({ sightline, tell }, video_id: string, analysis_id: string) => {
        const answer = await (await sightline()).deleteAnalysis(video_id, analysis_id);
        tell(answer, () => 'The analysis is deleted.');
      }),
    );
  program
    .command('search')
    .description('search the events of earlier analyses')
    .argument('<words>')
    .requiredOption('--folder <name>', 'in the videos of this folder')
    .option('--org', 'use a folder of the organization')
    .action(run(search));
}

async function ask(session: CliSession, query: string, flags: AskFlags): Promise<void> {
  const { video, folder, fast, dryRun, minConfidence, verify, fields, visionProfile } = flags;
  const sightline = await session.sightline();
  const videoIds = video ?? (folder === undefined ? [] : await videosOf(sightline, folder));
  if (dryRun)
    return showPreview(
      session,
      await sightline.preview({ query, videoIds, fast, minConfidence, verify, visionProfile }),
    );
  if (videoIds.length === 0)
    throw new Error('No videos are given. Use `--video ID`, or `--folder NAME` of a folder with videos.');
  const outputSchema = fields === undefined ? undefined : (JSON.parse(await readFile(fields, 'utf8')) as OutputSchema);
  const question = { query, videoIds, fast, minConfidence, verify, visionProfile, outputSchema };
  const batchId = await show(session, sightline.ask(question));
  if (!session.json) await tellDocuments(session, sightline, batchId, videoIds);
}

function showPreview({ tell }: CliSession, preview: QueryPreview): void {
  tell(preview, () => {
    const { total_videos: total } = preview;
    const rows = preview.parts.map(({ text, status, by, reason }) => [
      ...[text, status.replaceAll('_', ' '), by.join(', '), reason ?? ''],
    ]);
    const cost = `${total} video${total === 1 ? '' : 's'}, ${preview.observed_videos} of them observed before; about ${preview.estimated_seconds} s`;
    const tokens = preview.estimated_vision_tokens > 0 ? `, ${preview.estimated_vision_tokens} vision tokens` : '';
    return `${preview.interpretation}\n\n${table(['part of the prompt', 'status', 'detected by', 'notes'], rows)}\n\n${cost}${tokens}`;
  });
}

/** Prints the events of a stream. Returns the id of their batch. */
async function show({ json, tell }: CliSession, events: ReturnType<Sightline['follow']>): Promise<string> {
  const progress = json ? null : createProgress();
  let batchId = '';
  try {
    for await (const event of events) {
      const { kind, data } = event;
      if (kind === 'batch_created') batchId = String(data.batch_id);
      if (kind === 'progress') progress?.show(String(data.message ?? data.stage), Number(data.progress));
      const found = data.finding as Found | undefined;
      if (found) progress?.show(`found at ${clock(found.start_s)}: ${found.label}`, 100);
      if (json) tell(event, String);
      if (kind === 'error' || data.status === 'failed') process.exitCode = 1;
    }
  } finally {
    progress?.stop();
  }
  return batchId;
}

type BatchFlags = { status?: 'processing'; limit?: number };

async function listBatches({ sightline, tell }: CliSession, { status, limit }: BatchFlags): Promise<void> {
  const { api } = await sightline();
  const { data } = await api.GET('/api/batches', { params: { query: { status, limit } } });
  tell(data, () => {
    const rows = data!.batches.map(
      ({ batch_id, created_at, status, aggregated_progress: progress, event_count, query }) => [
        ...[batch_id, created_at, status, `${progress.completed} of ${progress.total}`, String(event_count), query],
      ],
    );
    return table(['batch', 'created', 'status', 'ended', 'events', 'prompt'], rows);
  });
}

async function listAnalyses({ sightline, tell }: CliSession, video_id: string, { limit }: BatchFlags): Promise<void> {
  const { api } = await sightline();
  const params = { path: { video_id }, query: { limit } };
  const { data } = await api.GET('/api/videos/{video_id}/analyses', { params });
  tell(data, () => {
    const rows = data!.analyses.map(({ analysis_id, created_at, status, event_count, query }) => [
      ...[analysis_id, created_at, status.toLowerCase(), String(event_count), query],
    ]);
    return table(['analysis', 'created', 'status', 'events', 'prompt'], rows);
  });
}

type EventFlags = Partial<Record<'video' | 'folderId' | 'batch' | 'label', string>> & {
  severity?: 'high';
  minConfidence?: number;
  approval?: 'pending';
  toReview?: boolean;
  surest?: boolean;
  limit: number;
};

async function listEvents({ sightline, json, tell }: CliSession, q: string | undefined, flags: EventFlags) {
  const { video, folderId, batch, label, severity, minConfidence, approval, toReview, surest, limit } = flags;
  const client = await sightline();
  const rows: string[][] = [];
  const filter = {
    ...{ video_id: video, folder_id: folderId, batch_id: batch, min_confidence: minConfidence },
    ...{ approval, to_review: toReview },
  };
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
    if (json) tell(event, String);
    const { video_name, start_s, end_s, confidence, approval: state, event_id } = event;
    const range = `${clock(start_s)} to ${clock(end_s)}`;
    rows.push([video_name, range, event.label, confidence.toFixed(2), state, event_id]);
    if (--left <= 0) break;
  }
  if (!json) tell(rows, () => table(['video', 'time', 'event', 'confidence', 'review', 'id'], rows));
}

async function batch(session: CliSession, batch_id: string, { wait }: { wait?: boolean }): Promise<void> {
  const sightline = await session.sightline();
  const params = { path: { batch_id }, query: { include_videos: true } };
  const status = async () => (await sightline.api.GET('/api/batch/{batch_id}/status', { params })).data!;
  const over = ({ status }: { status: string }) => !wait || status !== 'processing';
  const answer = await sightline.settled(status, over);
  const { completed, failed, total } = answer.aggregated_progress;
  session.tell(answer, () => `"${answer.query}": ${answer.status}, ${completed} of ${total} ended, ${failed} failed`);
  await tellDocuments(session, sightline, batch_id, [...new Set(answer.videos.map(({ video_id }) => video_id))]);
  if (failed > 0) process.exitCode = 1;
}

async function tellDocuments({ tell }: CliSession, { api }: Sightline, batch_id: string, videoIds: readonly string[]) {
  for (let at = 0; at < videoIds.length; at += MOST_DOCUMENTS) {
    const { data } = await api.POST('/api/batch/{batch_id}/analyses/bulk', {
      params: { path: { batch_id } },
      body: { video_ids: videoIds.slice(at, at + MOST_DOCUMENTS) },
    });
    for (const document of data!.analyses) {
      const { video_id, filename, analysis } = document as unknown as Document;
      tell(document, () => {
        const found = eventTable('event', analysis.events);
        const candidates = eventTable('candidate', analysis.candidates ?? []);
        const interpretation = analysis.interpretation ? `${analysis.interpretation}\n` : '';
        return `\n${filename} (${video_id})\n${interpretation}${analysis.answer}${found}${candidates}`;
      });
    }
  }
}

/** A table of events or candidates with the reasons to doubt them; empty if there are none. */
function eventTable(name: 'event' | 'candidate', events: readonly DocumentEvent[]): string {
  const rows = events.map(({ start_s, end_s, description, data, caveats = [] }) => [
    ...[`${clock(start_s)} to ${clock(end_s)}`, description, data.confidence.toFixed(2), caveats.join('; ')],
  ]);
  const hasCaveats = events.some(({ caveats = [] }) => caveats.length > 0);
  const columns = ['time', name, 'confidence', ...(hasCaveats ? ['caveats'] : [])];
  if (rows.length === 0) return '';
  return `\n${table(
    columns,
    rows.map((row) => row.slice(0, columns.length)),
  )}`;
}

type DocumentEvent = {
  start_s: number;
  end_s: number;
  description: string;
  caveats?: string[];
  data: { confidence: number };
};

/** Fields of a document that are printed. */
type Document = {
  video_id: string;
  filename: string;
  analysis: {
    interpretation?: string;
    answer: string;
    events: DocumentEvent[];
    candidates?: DocumentEvent[];
  };
};

async function videosOf({ api }: Sightline, folder: string): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { data } = await api.GET('/api/videos', {
      params: { query: { folder, status: 'uploaded', limit: 1000, cursor } },
    });
    ids.push(...data!.videos.map(({ video_id }) => video_id));
    cursor = data!.next_cursor;
  }
  return ids;
}

async function search(
  { sightline, tell }: CliSession,
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
  tell(data!.data, () =>
    rows.length === 0 ? summary : `${summary}\n${table(['video', 'event', 'fits', 'why'], rows)}`,
  );
}
