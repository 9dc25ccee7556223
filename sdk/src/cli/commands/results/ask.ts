import { readFile } from 'node:fs/promises';
import { type Command, Option } from 'commander';
import type { OutputSchema, QueryPreview } from '../../../resources.generated.ts';
import type { Question, Sightline } from '../../../types.ts';
import { type RecordedFlags, toRecordedFilter, withRecordedFlags } from '../../recorded-filter.ts';
import type { CliSession } from '../../session.ts';
import { clock, counted, coverageText, createProgress, number } from '../../terminal.ts';
import type { Run } from '../../types.ts';
import { printDocuments, selectionText } from './batches.ts';

type AskFlags = RecordedFlags & {
  video?: string[];
  folder?: string;
  all?: boolean;
  fast?: boolean;
  dryRun?: boolean;
  minConfidence?: number;
  verify?: 'auto' | 'always' | 'never';
  fields?: string;
  preliminary?: boolean;
  visionProfile?: string;
  detector?: string;
};
type Found = { label: string; start_s: number; end_s: number; confidence: number };

export function askCommands(program: Command, run: Run): void {
  const command = program
    .command('ask')
    .description('query videos and show the progress and the answer; with --json all events of the stream')
    .argument('<prompt>', 'what to look for, in plain words')
    .option('--video <id...>', 'ids of the videos to query')
    .option('--folder <name>', 'query the videos of a folder instead, at most 1,000 of the time in the prompt')
    .option('--all', 'query all videos instead, in the same way')
    .option('--fast', 'answer from a sparse pass where that is sufficient')
    .option('--min-confidence <share>', 'minimum confidence of events, 0 to 1 (default: 0.5)', number)
    .addOption(
      new Option(
        '--verify <events>',
        'events that a vision-language model verifies: those in doubt, up to 20, or none',
      ).choices(['auto', 'always', 'never']),
    )
    .option('--vision-profile <name>', 'profile of the vision-language model')
    .option('--detector <name>', 'model that detects objects, such as yolox_tiny')
    .option('--fields <file>', 'JSON file with a schema of fields to fill for each event or video')
    .option('--preliminary', 'also show what is found while the videos are still being processed')
    .option('--dry-run', 'only show how the prompt is understood, what would search for it, and its cost');
  withRecordedFlags(command, 'videos of --folder or --all', 'of these, and of the prompt').action(run(ask));
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
    .command('cancel')
    .description('cancel the running analyses of a batch')
    .argument('<batch_id>')
    .action(
      run(async ({ sightline, print }, batch_id: string) => {
        const { api } = await sightline();
        const { data } = await api.POST('/api/batch/{batch_id}/cancel', { params: { path: { batch_id } } });
        print(data, () => `"${data!.query}": ${data!.status}`);
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
}

async function ask(session: CliSession, query: string, flags: AskFlags): Promise<void> {
  const { fast, dryRun, minConfidence, verify, fields, visionProfile, detector, timeZone, preliminary } = flags;
  const settings = { query, fast, minConfidence, verify, visionProfile, detector, timeZone, preliminary };
  const videos = toVideos(flags);
  const sightline = await session.sightline();
  if (dryRun) return showPreview(session, await sightline.preview({ ...settings, ...(videos ?? { videoIds: [] }) }));
  if (!videos) throw new Error('No videos are given. Use `--video ID`, `--folder NAME` or `--all`.');
  const outputSchema = fields === undefined ? undefined : (JSON.parse(await readFile(fields, 'utf8')) as OutputSchema);
  const batchId = await show(session, sightline.ask({ ...settings, ...videos, outputSchema }));
  if (!session.json) await printDocuments(session, sightline, batchId);
}

type Videos = { videoIds: readonly string[] } | { library: NonNullable<Question['library']> };

/** The videos of a question; null if none are given. */
function toVideos({ video, folder, all, ...flags }: AskFlags): Videos | null {
  if (video) return { videoIds: video };
  return folder === undefined && !all ? null : { library: { folder, ...toRecordedFilter(flags) } };
}
function showPreview({ print }: CliSession, preview: QueryPreview): void {
  print(preview, () => {
    const { total_videos: total } = preview;
    const cost = `${counted(total, 'video')}, ${preview.observed_videos} of them observed before; about ${preview.estimated_seconds} s`;
    const tokens = preview.estimated_vision_tokens > 0 ? `, ${preview.estimated_vision_tokens} vision tokens` : '';
    const chosen = preview.selection ? `\n${selectionText(preview.selection)}` : '';
    return `${preview.interpretation}\n\n${coverageText(preview.parts, preview.suggestions)}\n\n${cost}${tokens}${chosen}`;
  });
}

/** Prints the events of a stream. Returns the id of their batch. */
async function show({ json, print }: CliSession, events: ReturnType<Sightline['follow']>): Promise<string> {
  const progress = json ? null : createProgress();
  let batchId = '';
  let percent = 0;
  try {
    for await (const event of events) {
      const { kind, data } = event;
      if (kind === 'batch_created') batchId = String(data.batch_id);
      if (kind === 'progress') {
        percent = Number(data.progress);
        progress?.show(String(data.message ?? data.stage), percent);
      }
      const seen = data.preliminary as Found | undefined;
      if (seen) progress?.show(`preliminary at ${clock(seen.start_s)}: ${seen.label}`, percent);
      const found = data.finding as Found | undefined;
      if (found) progress?.show(`found at ${clock(found.start_s)}: ${found.label}`, 100);
      if (json) print(event, String);
      if (kind === 'error' || data.status === 'failed') process.exitCode = 1;
    }
  } finally {
    progress?.stop();
  }
  return batchId;
}
