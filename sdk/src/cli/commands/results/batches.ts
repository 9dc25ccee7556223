import type { Command } from 'commander';
import type { LibraryCount } from '../../../resources.generated.ts';
import type { Sightline } from '../../../types.ts';
import type { CliSession } from '../../session.ts';
import { clock, counted, number, suggestionsText, table } from '../../terminal.ts';
import type { Run } from '../../types.ts';

/** Largest number of documents per request. */
const MOST_DOCUMENTS = 500;

/** Earlier prompts and their documents. */
export function batchCommands(program: Command, run: Run): void {
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
    .command('analyses')
    .description('list the analyses of a video, newest first')
    .argument('<video_id>')
    .option('--limit <count>', 'maximum number', number, 100)
    .action(run(listAnalyses));
}

type BatchFlags = { status?: 'processing'; limit?: number };

async function listBatches({ sightline, print }: CliSession, { status, limit }: BatchFlags): Promise<void> {
  const { api } = await sightline();
  const { data } = await api.GET('/api/batches', { params: { query: { status, limit } } });
  print(data, () => {
    const rows = data!.batches.map(
      ({ batch_id, created_at, status, aggregated_progress: progress, event_count, query }) => [
        batch_id,
        created_at,
        status,
        `${progress.completed} of ${progress.total}`,
        String(event_count),
        query,
      ],
    );
    return table(['batch', 'created', 'status', 'ended', 'events', 'prompt'], rows);
  });
}

async function listAnalyses({ sightline, print }: CliSession, video_id: string, { limit }: BatchFlags): Promise<void> {
  const { api } = await sightline();
  const params = { path: { video_id }, query: { limit } };
  const { data } = await api.GET('/api/videos/{video_id}/analyses', { params });
  print(data, () => {
    const rows = data!.analyses.map(({ analysis_id, created_at, status, event_count, query }) => [
      analysis_id,
      created_at,
      status.toLowerCase(),
      String(event_count),
      query,
    ]);
    return table(['analysis', 'created', 'status', 'events', 'prompt'], rows);
  });
}

async function batch(session: CliSession, batch_id: string, { wait }: { wait?: boolean }): Promise<void> {
  const sightline = await session.sightline();
  const params = { path: { batch_id }, query: { include_videos: true } };
  const status = async () => (await sightline.api.GET('/api/batch/{batch_id}/status', { params })).data!;
  const over = ({ status }: { status: string }) => !wait || status !== 'processing';
  const answer = await sightline.settled(status, over);
  const { completed, failed, total } = answer.aggregated_progress;
  session.print(answer, () => `"${answer.query}": ${answer.status}, ${completed} of ${total} ended, ${failed} failed`);
  await printDocuments(session, sightline, batch_id);
  if (failed > 0) process.exitCode = 1;
}

/** Prints the analysis document of each of the videos, with its events as tables. */
export async function printDocuments({ print, json }: CliSession, { api }: Sightline, batch_id: string) {
  const params = { path: { batch_id }, query: { include_videos: true } };
  const { videos, answer, selection } = (await api.GET('/api/batch/{batch_id}/status', { params })).data!;
  const videoIds = [...new Set(videos.map(({ video_id }) => video_id))];
  const missed = new Map(videos.map((video) => [video.video_id, video.missed]));
  const without: string[] = [];
  for (let at = 0; at < videoIds.length; at += MOST_DOCUMENTS) {
    const { data } = await api.POST('/api/batch/{batch_id}/analyses/bulk', {
      params: { path: { batch_id } },
      body: { video_ids: videoIds.slice(at, at + MOST_DOCUMENTS) },
    });
    for (const document of data!.analyses) {
      const { video_id, filename, analysis } = document as unknown as Document;
      if (missed.get(video_id) === 'no_clock') without.push(filename);
      // Of several videos, those of another time are counted.
      if (!json && videoIds.length > 1 && missed.get(video_id)) continue;
      print(document, () => {
        const found = eventTable('event', analysis.events);
        const candidates = eventTable('candidate', analysis.candidates ?? []);
        const interpretation = analysis.interpretation ? `${analysis.interpretation}\n` : '';
        const answer = [analysis.answer, ...suggestionsText(analysis.suggestions)].join('\n');
        return `\n${filename} (${video_id})\n${interpretation}${answer}${found}${candidates}`;
      });
    }
  }
  const outside = [...missed.values()].filter((each) => each === 'outside').length;
  if (json) return;
  if (videoIds.length > 1 && outside + without.length > 0) print(null, () => missedText(outside, without));
  if (selection) print(null, () => `\n${selectionText(selection)}`);
  if (answer) print(null, () => `\n${answer}`);
}

/** States how the videos of a library were chosen, in lines. */
export function selectionText(selection: LibraryCount): string {
  const { considered, chosen, outside, no_clock, no_clock_videos, left_out, left_out_from, left_out_until } = selection;
  const names = no_clock_videos.map(({ name }) => name);
  const until = left_out_until === left_out_from ? '' : ` to ${left_out_until}`;
  return [
    `${chosen} of ${counted(considered, 'video')} chosen`,
    ...missedLines(outside, names, no_clock),
    ...(left_out > 0
      ? [`${counted(left_out, 'further video')} left out${left_out_from ? `, recorded ${left_out_from}${until}` : ''}`]
      : []),
  ].join('\n');
}

/** Names of videos without a clock that are listed. */
const MOST_NAMES = 10;

/** Videos that were not searched for a question about a time. */
const missedText = (outside: number, without: readonly string[]): string =>
  `\n${missedLines(outside, without, without.length).join('\n')}`;

function missedLines(outside: number, names: readonly string[], count: number): string[] {
  return [
    ...(outside > 0 ? [`${counted(outside, 'video')} recorded at another time: not searched`] : []),
    ...(count > 0
      ? [
          `${counted(count, 'video')} of which it is not known when they were recorded: not searched (${names
            .slice(0, MOST_NAMES)
            .join(', ')}${count > Math.min(names.length, MOST_NAMES) ? ', …' : ''})`,
        ]
      : []),
  ];
}

/** A table of events or candidates with the reasons to doubt them; empty if there are none. */
function eventTable(name: 'event' | 'candidate', events: readonly DocumentEvent[]): string {
  const rows = events.map(({ start_s, end_s, description, data, caveats = [] }) => [
    `${clock(start_s)} to ${clock(end_s)}`,
    description,
    data.confidence.toFixed(2),
    caveats.join('; '),
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
    suggestions?: string[];
    answer: string;
    events: DocumentEvent[];
    candidates?: DocumentEvent[];
  };
};
