import type { Command } from 'commander';
import type { CliSession } from '../../session.ts';
import { clock, number, table } from '../../terminal.ts';
import type { Run } from '../../types.ts';

type DrawFlags = { query?: string; folderId?: string; batch?: string; count?: number; length?: number };
type VerdictFlags = { missed?: boolean; unsure?: boolean; label?: string; at?: number; until?: number };

/** Commands for recall: ranges without events, and what a reviewer saw in them. */
export function sampleCommands(review: Command, run: Run): void {
  review
    .command('sample')
    .description('draw random ranges without events, to look for missed ones')
    .option('--query <prompt>', 'only this prompt')
    .option('--folder-id <id>', 'only the videos of this folder')
    .option('--batch <id>', 'only this batch')
    .option('--count <count>', 'number of ranges', number)
    .option('--length <seconds>', 'length of a range', number)
    .action(run(draw));
  review
    .command('seen')
    .description('state that no event starts in a range, or with --missed that one does')
    .argument('<video_id>')
    .argument('<analysis_id>')
    .argument('<start>', 'start of the range in seconds', number)
    .argument('<end>', 'end of the range in seconds', number)
    .option('--missed', 'an event was missed')
    .option('--unsure', 'it is not certain')
    .option('--label <text>', 'add the missed event with this label')
    .option('--at <seconds>', 'start of the missed event; default: that of the range', number)
    .option('--until <seconds>', 'end of the missed event; default: that of the range', number)
    .action(run(answer));
}

async function draw({ sightline, print }: CliSession, flags: DrawFlags): Promise<void> {
  const { query, folderId: folder_id, batch: batch_id, count, length: length_s } = flags;
  const samples = await (await sightline()).drawSamples({ query, folder_id, batch_id, count, length_s });
  const rows = samples.map((sample) => [
    sample.video_name,
    `${clock(sample.start_s)} - ${clock(sample.end_s)}`,
    sample.query,
    sample.video_id,
    sample.analysis_id,
    String(sample.start_s),
    String(sample.end_s),
  ]);
  const head = ['video', 'time', 'prompt', 'video id', 'analysis id', 'start', 'end'];
  print({ samples }, () => table(head, rows, 'There is no time without events that was not reviewed.'));
}

async function answer(
  { sightline, print }: CliSession,
  video_id: string,
  analysis_id: string,
  start_s: number,
  end_s: number,
  { missed, unsure, label, at, until }: VerdictFlags,
): Promise<void> {
  const verdict = missed || label ? ('missed' as const) : unsure ? ('unsure' as const) : ('clear' as const);
  const event = label ? { label, start_s: at ?? start_s, end_s: until ?? end_s } : undefined;
  const seen = { start_s, end_s, verdict, event };
  const reviewed = await (await sightline()).reviewSample(video_id, analysis_id, seen);
  const added = reviewed.event ? `, event ${reviewed.event.event_id} added` : '';
  print(reviewed, () => `${clock(start_s)} - ${clock(end_s)}: ${reviewed.verdict}${added}`);
}
