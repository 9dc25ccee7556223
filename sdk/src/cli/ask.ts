import type { Command } from 'commander';
import type { Sightline } from '../client.ts';
import type { Run } from './program.ts';
import type { Session } from './session.ts';
import { clock, createProgress, number, table } from './terminal.ts';

type AskFlags = { video?: string[]; folder?: string; fast?: boolean };
type Found = { label: string; start_s: number; end_s: number; confidence: number };

/** The most documents that one request may ask for. */
const MOST_DOCUMENTS = 500;

export function askCommands(program: Command, run: Run): void {
  program
    .command('ask')
    .description('ask videos, and show what happens until the answer is there; with --json every event of the stream')
    .argument('<prompt>', 'what to look for, in plain words')
    .option('--video <id...>', 'the videos to ask')
    .option('--folder <name>', 'or all videos of a folder')
    .option('--fast', 'answer from a sparse look')
    .action(run(ask));
  program
    .command('follow')
    .description('show what happens with a question that was asked before')
    .argument('<stream_id>')
    .option('--last-id <id>', 'begin after this event', number, 0)
    .action(
      run(async (session, streamId: string, { lastId }: { lastId: number }) => {
        const sightline = await session.sightline();
        await show(session, sightline.follow(streamId, { lastId }));
      }),
    );
  program
    .command('batch')
    .description('how a batch stands, and what was found; with --json its status and then each document')
    .argument('<batch_id>')
    .option('--wait', 'until it has ended')
    .action(run(batch));
  program
    .command('search')
    .description('look among the events that were found before')
    .argument('<words>')
    .requiredOption('--folder <name>', 'in the videos of this folder')
    .option('--org', "the organisation's folder of that name")
    .action(run(search));
}

async function ask(session: Session, query: string, { video, folder, fast }: AskFlags): Promise<void> {
  const sightline = await session.sightline();
  const videoIds = video ?? (folder === undefined ? [] : await videosOf(sightline, folder));
  if (videoIds.length === 0)
    throw new Error('Say which videos to ask: `--video ID`, or `--folder NAME` of one that has videos.');
  const batchId = await show(session, sightline.ask({ query, videoIds, fast }));
  if (!session.json) await tellDocuments(session, sightline, batchId, videoIds);
}

/** Shows the events of a stream as they come. Returns the batch they tell of. */
async function show({ json, tell }: Session, events: ReturnType<Sightline['follow']>): Promise<string> {
  const progress = json ? null : createProgress();
  let batchId = '';
  try {
    for await (const event of events) {
      const { kind, data } = event;
      if (kind === 'batch_created') batchId = String(data.batch_id);
      if (kind === 'progress') progress?.show(String(data.stage), Number(data.progress));
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

async function batch(session: Session, batch_id: string, { wait }: { wait?: boolean }): Promise<void> {
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

async function tellDocuments({ tell }: Session, { api }: Sightline, batch_id: string, videoIds: readonly string[]) {
  for (let at = 0; at < videoIds.length; at += MOST_DOCUMENTS) {
    const { data } = await api.POST('/api/batch/{batch_id}/analyses/bulk', {
      params: { path: { batch_id } },
      body: { video_ids: videoIds.slice(at, at + MOST_DOCUMENTS) },
    });
    for (const document of data!.analyses) {
      const { video_id, filename, analysis } = document as unknown as Document;
      tell(document, () => {
        const rows = analysis.events.map(({ start_s, end_s, description, data }) => [
          ...[`${clock(start_s)} to ${clock(end_s)}`, description, data.confidence.toFixed(2)],
        ]);
        const found = rows.length === 0 ? '' : `\n${table(['time', 'event', 'confidence'], rows)}`;
        return `\n${filename} (${video_id})\n${analysis.answer}${found}`;
      });
    }
  }
}

/** As much of a document as is shown. */
type Document = {
  video_id: string;
  filename: string;
  analysis: {
    answer: string;
    events: { start_s: number; end_s: number; description: string; data: { confidence: number } }[];
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

async function search({ sightline, tell }: Session, query: string, { folder, org }: { folder: string; org?: boolean }) {
  const { api } = await sightline();
  const scope = org ? ('org' as const) : undefined;
  const { data: begun } = await api.POST('/api/search-sessions/start', { body: { query, folder_name: folder, scope } });
  const { session_id, owner_uid } = begun!;
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
