import { mkdir } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import type { Command } from 'commander';
import type { ExportRequest } from '../../../resources.generated.ts';
import { saveFile } from '../../save-file.ts';
import { counted, number, table } from '../../terminal.ts';
import type { Run } from '../../types.ts';

type Flags = Pick<ExportRequest, 'format' | 'label' | 'severity' | 'approval'> & {
  out?: string;
  video?: string[];
  folderId?: string;
  batch?: string;
  minConfidence?: number;
};

export function exportCommands(program: Command, run: Run): void {
  program
    .command('export')
    .description('write events into a file for another tool')
    .argument('[words]', 'only events whose label or prompt contain all of these words')
    .option('--format <format>', 'csv, parquet, vtt, otio, coco or another one of docs/exports.md', 'csv')
    .option('--out <path>', 'path of the file (default: the name that the service gives it)')
    .option('--video <id...>', 'only events of these videos; one for formats with its times')
    .option('--folder-id <id>', 'only events of the videos of this folder')
    .option('--batch <id>', 'only events of this batch')
    .option('--label <label>', 'only events with this label')
    .option('--severity <severity>', '`low`, `medium` or `high`')
    .option('--approval <state>', '`pending`, `approved`, `rejected` or `unsure`')
    .option('--min-confidence <share>', 'minimum confidence, 0 to 1', number)
    .action(
      run(async ({ sightline, print }, q: string | undefined, flags: Flags) => {
        const { out, video, folderId, batch, minConfidence, ...rest } = flags;
        const filter = { ...rest, video_ids: video, folder_id: folderId, batch_id: batch };
        const done = await (await sightline()).exportEvents({ q, ...filter, min_confidence: minConfidence });
        const path = out ?? done.filename;
        await download(done.download_url!, path);
        print(done, () => `${path}: ${done.event_count} events`);
      }),
    );
  const exports = program.command('exports').description('list, download and delete your exports of the last week');
  exports
    .command('list')
    .description('list your exports')
    .action(
      run(async ({ sightline, print }) => {
        const { data } = await (await sightline()).api.GET('/api/exports', {});
        const rows = data!.exports.map((each) => [
          each.created_at,
          each.format,
          each.status,
          String(each.event_count),
          String(each.size_bytes ?? ''),
          each.export_id,
        ]);
        print(data, () =>
          table(['created', 'format', 'state', 'events', 'bytes', 'id'], rows, 'There are no exports.'),
        );
      }),
    );
  exports
    .command('download')
    .description('download the file of an export')
    .argument('<export_id>')
    .option('--out <path>', 'path of the file (default: the name that the service gives it)')
    .action(
      run(async ({ sightline, print }, export_id: string, { out }: { out?: string }) => {
        const { api } = await sightline();
        const done = (await api.GET('/api/exports/{export_id}', { params: { path: { export_id } } })).data!;
        if (!done.download_url) throw new Error(`The export has no file: it is ${done.status}.`);
        await download(done.download_url, out ?? done.filename);
        print(done, () => `${out ?? done.filename}: ${done.event_count} events`);
      }),
    );
  exports
    .command('mcap')
    .description('download videos with the events of each as MCAP, for Foxglove and for training')
    .argument('<video_id...>')
    .option('--event <id...>', 'only these events (default: all events of the videos)')
    .option('--out <folder>', 'folder of the files', 'export')
    .action(
      run(async ({ sightline, print }, video_ids: string[], { event, out }: { event?: string[]; out: string }) => {
        const manifest = await (await sightline()).exportSelection({ video_ids, event_ids: event });
        for (const { path, url } of manifest.files) {
          const target = within(out, path);
          await mkdir(dirname(target), { recursive: true });
          await download(url, target);
        }
        const gaps = manifest.gaps.map(
          ({ video_id, event_id, reason }) => `Not included: ${video_id ?? event_id}. ${reason}`,
        );
        print(manifest, () => [`${out}: ${counted(manifest.files.length, 'file')}`, ...gaps].join('\n'));
      }),
    );
  exports
    .command('delete')
    .description('delete an export and its file')
    .argument('<export_id>')
    .action(
      run(async ({ sightline, print }, export_id: string) => {
        const { api } = await sightline();
        const { data } = await api.DELETE('/api/exports/{export_id}', { params: { path: { export_id } } });
        print(data, () => `Deleted ${export_id}.`);
      }),
    );
}

/** Path of a file of a manifest below a folder. Throws for one that is elsewhere. */
function within(folder: string, path: string): string {
  const target = resolve(folder, path);
  if (!target.startsWith(resolve(folder) + sep))
    throw new Error(`The service lists a file outside of the folder: ${path}`);
  return target;
}

async function download(url: string, path: string): Promise<void> {
  const response = await fetch(url);
  if (!response.ok || !response.body) throw new Error(`The file could not be downloaded: ${response.status}.`);
  await saveFile(response.body, path);
}
