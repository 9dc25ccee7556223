import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import type { EventSummary, LabelImportRequest, LabelImportResult } from '../../../resources.generated.ts';
import { clock, counted, number, table } from '../../terminal.ts';
import type { Run } from '../../types.ts';
import { comparisonCommands, estimate } from './compare.ts';
import { sampleCommands } from './review-samples.ts';

type Flags = { reason?: string; note?: string; label?: string; severity?: 'low' | 'medium' | 'high' };

const VERDICTS = { approve: 'approved', reject: 'rejected', unsure: 'unsure', withdraw: 'pending' } as const;

const INCIDENT_DECISIONS = [
  ['same', true, 'state that an event shows the same incident as others'],
  ['different', false, 'state that an event shows another incident than others'],
  ['undecided', null, 'withdraw what was stated about the incident of an event and others'],
] as const;

export function reviewCommands(program: Command, run: Run): void {
  const review = program.command('review').description('decide whether events are right, and correct them');
  for (const [name, approval] of Object.entries(VERDICTS)) {
    review
      .command(name)
      .description(name === 'withdraw' ? 'withdraw your verdict on events' : `set your verdict on events: ${approval}`)
      .argument('<event_id...>')
      .option('--reason <text>', 'reason of the verdict')
      .option('--note <text>', 'note of the reviewers')
      .option('--label <text>', 'corrected label')
      .option('--severity <severity>', '`low`, `medium` or `high`')
      .action(
        run(async ({ sightline, print }, ids: string[], flags: Flags) => {
          const events = await (await sightline()).review(ids, { approval, ...flags });
          print({ events }, () => eventTable(events));
        }),
      );
  }
  review
    .command('add')
    .description('add an event that an analysis missed')
    .argument('<video_id>')
    .argument('<analysis_id>')
    .argument('<label>')
    .requiredOption('--start <seconds>', 'start in seconds from the first frame', number)
    .requiredOption('--end <seconds>', 'end in seconds from the first frame', number)
    .action(
      run(async ({ sightline, print }, video: string, analysis: string, label: string, { start, end }: Interval) => {
        const event = await (await sightline()).addEvent(video, analysis, { label, start_s: start, end_s: end });
        print(event, () => eventTable([event]));
      }),
    );
  review
    .command('import-labels')
    .description('compare the events of a batch with labels that people made elsewhere, and add the missed ones')
    .argument('<batch_id>')
    .argument('<file>', 'CSV, COCO, CVAT XML or JSON of Label Studio')
    .option('--format <format>', '`csv`, `coco`, `cvat` or `label_studio` (default: recognized from the file)')
    .option('--video <id>', 'all labels are of this video')
    .option('--label <label...>', 'only these labels')
    .option('--complete', 'the file has all events: reject undecided events that match no label')
    .option('--dry-run', 'only count what would change')
    .action(
      run(async ({ sightline, print }, batch_id: string, file: string, flags: LabelFlags) => {
        const { format, video, label, complete, dryRun } = flags;
        const result = await (await sightline()).importLabels({
          batch_id,
          content: await readFile(file, 'utf8'),
          name: basename(file).slice(0, 255),
          format,
          video_id: video,
          labels: label,
          complete,
          dry_run: dryRun,
        });
        print(result, () => describeImport(result));
        if (result.status === 'invalid') process.exitCode = 1;
      }),
    );
  for (const [name, same, description] of INCIDENT_DECISIONS)
    review
      .command(name)
      .description(description)
      .argument('<event_id>')
      .argument('<other_id...>', 'events of the same video')
      .action(
        run(async ({ sightline, print }, eventId: string, others: string[]) => {
          const events = await (await sightline()).decideIncident(eventId, { event_ids: others, same });
          print({ events }, () =>
            table(
              ['event', 'incident'],
              events.map(({ event_id, incident_id }) => [event_id, incident_id ?? '']),
            ),
          );
        }),
      );
  review
    .command('undo')
    .description('undo your last review')
    .action(
      run(async ({ sightline, print }) => {
        const { data } = await (await sightline()).api.POST('/api/review/undo', {});
        print(data, () => eventTable(data!.events));
      }),
    );
  review
    .command('history')
    .description('list who changed what on an event, newest first')
    .argument('<event_id>')
    .action(
      run(async ({ sightline, print }, event_id: string) => {
        const { api } = await sightline();
        const { data } = await api.GET('/api/events/{event_id}/history', { params: { path: { event_id } } });
        const rows = data!.changes.map(({ created_at, user_name, kind, undone, before, after }) => [
          created_at,
          user_name ?? '',
          undone ? `${kind}, undone` : kind,
          ...[before, after].map((values) => JSON.stringify(values)),
        ]);
        print(data, () => table(['time', 'reviewer', 'change', 'before', 'after'], rows, 'Nobody has reviewed it.'));
      }),
    );
  review
    .command('scores')
    .description('show precision and recall of prompts, from reviews')
    .option('--query <prompt>', 'only this prompt')
    .option('--folder-id <id>', 'only the videos of this folder')
    .action(
      run(async ({ sightline, print }, { query, folderId }: { query?: string; folderId?: string }) => {
        const { api } = await sightline();
        const params = { query: { query, folder_id: folderId } };
        const { data } = await api.GET('/api/review/scores', { params });
        const rows = data!.scores.map((score) => [
          score.query,
          score.engine_version,
          score.folder_name ?? '',
          String(score.approved + score.rejected),
          ...[score.precision, score.recall, score.overlap].map(estimate),
          score.calibration_error?.toFixed(2) ?? '',
          estimate(score.sampled?.recall ?? null),
          score.sampled ? `${score.sampled.missed} of ${score.sampled.ranges}` : '',
        ]);
        const head = [
          'prompt',
          'engine',
          'folder',
          'decided',
          'precision',
          'recall',
          'overlap',
          'calibration error',
          'recall from samples',
          'missed in samples',
        ];
        print(data, () => table(head, rows, 'No event was reviewed.'));
      }),
    );
  sampleCommands(review, run);
  comparisonCommands(review, run);
  review
    .command('folder')
    .description('show how far the reviewers of a folder agree; with --reviewers set how many must')
    .argument('<folder_id>')
    .option('--reviewers <count>', 'number of reviewers who must agree: 1 or 2', number)
    .action(
      run(async ({ sightline, print }, folder_id: string, { reviewers }: { reviewers?: number }) => {
        const { api } = await sightline();
        const params = { path: { folder_id } };
        const path = '/api/review/folders/{folder_id}' as const;
        const { data } = reviewers
          ? await api.PUT(path, { params, body: { reviewers } })
          : await api.GET(path, { params });
        const rows = data!.agreement.map(({ reviewers: [a, b], events, observed, kappa }) => [
          a?.name ?? '',
          b?.name ?? '',
          String(events),
          observed.toFixed(2),
          kappa?.toFixed(2) ?? '',
        ]);
        print(data, () => {
          const pairs = table(
            ['reviewer', 'reviewer', 'events', 'agreement', 'kappa'],
            rows,
            'No event has two verdicts.',
          );
          return `Reviewers per event: ${data!.reviewers}\n${pairs}`;
        });
      }),
    );
}

type Interval = { start: number; end: number };
type LabelFlags = Pick<LabelImportRequest, 'format'> & {
  video?: string;
  label?: string[];
  complete?: boolean;
  dryRun?: boolean;
};

function describeImport({ status, errors, error_count, ...result }: LabelImportResult): string {
  if (status === 'invalid') {
    const shown = errors.map(({ location, message }) => `${location}: ${message}`);
    const more = error_count > errors.length ? [`and ${error_count - errors.length} more`] : [];
    return ['Nothing was imported, because the file has errors:', ...shown, ...more].join('\n');
  }
  const { added, confirmed, unchanged, rejected, skipped } = result;
  const counts = { added, confirmed, unchanged, rejected, skipped };
  const parts = Object.entries(counts).flatMap(([name, count]) => (count > 0 ? `${count} ${name}` : []));
  const of = `${counted(result.labels, 'label')} of ${counted(result.videos, 'video')}`;
  return `${status === 'checked' ? 'Would import' : 'Imported'} ${of}: ${parts.join(', ') || 'nothing new'}.`;
}

function eventTable(events: readonly EventSummary[]): string {
  const rows = events.map(({ video_name, start_s, end_s, label, approval, event_id }) => [
    video_name,
    `${clock(start_s)} to ${clock(end_s)}`,
    label,
    approval,
    event_id,
  ]);
  return table(['video', 'time', 'event', 'review', 'id'], rows, 'No event was changed.');
}
