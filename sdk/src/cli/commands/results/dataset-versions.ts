import { type Command, InvalidArgumentError } from 'commander';
import type { DatasetVersion, DatasetVersionRequest } from '../../../resources.generated.ts';
import { saveFile } from '../../save-file.ts';
import { counted, number, table } from '../../terminal.ts';
import type { Run } from '../../types.ts';

type FreezeFlags = Pick<DatasetVersionRequest, 'name' | 'approval' | 'seed'> & {
  label?: string[];
  type?: string[];
  minConfidence?: number;
  val?: number;
  test?: number;
};

/** Versions of a dataset, which nothing changes. */
export function datasetVersionCommands(datasets: Command, run: Run): void {
  datasets
    .command('freeze')
    .description('freeze a version of a dataset: its events, verdicts and splits as they are now')
    .argument('<dataset_id>')
    .option('--name <name>', 'name of the version')
    .option('--approval <state>', 'only events in this state: `pending`, `approved`, `rejected` or `unsure`')
    .option('--label <label...>', 'only events with one of these labels')
    .option('--type <type...>', 'only events of one of these kinds')
    .option('--min-confidence <share>', 'minimum confidence, 0 to 1', number)
    .option('--val <share>', 'share of the videos in the split `val`, 0 to 1', number)
    .option('--test <share>', 'share of the videos in the split `test`, 0 to 1; the rest is `train`', number)
    .option('--seed <text>', 'draws other splits')
    .action(
      run(async ({ sightline, print }, id: string, flags: FreezeFlags) => {
        const { label, type, minConfidence, val, test, ...rest } = flags;
        const version = await (await sightline()).freezeDataset(id, {
          ...rest,
          labels: label,
          types: type,
          min_confidence: minConfidence,
          val_share: val,
          test_share: test,
        });
        print(version, () => describe(version));
        if (version.status === 'failed') process.exitCode = 1;
      }),
    );
  datasets
    .command('versions')
    .description('list the versions of a dataset')
    .argument('<dataset_id>')
    .action(
      run(async ({ sightline, print }, id: string) => {
        const { api } = await sightline();
        const params = { path: { dataset_id: id } };
        const { versions } = (await api.GET('/api/datasets/{dataset_id}/versions', { params })).data!;
        const rows = versions.map((each) => [
          String(each.number),
          each.name,
          each.status,
          String(each.video_count),
          String(each.event_count),
          String(each.missing_videos),
          each.created_at,
          each.sha256 ?? '',
        ]);
        const head = ['number', 'name', 'state', 'videos', 'events', 'deleted videos', 'created', 'sha256'];
        print(versions, () => table(head, rows, 'The dataset has no versions.'));
      }),
    );
  datasets
    .command('download-version')
    .description('download a version of a dataset as JSON')
    .argument('<dataset_id>')
    .argument('<number>', 'number of the version', wholeNumber)
    .option('--out <path>', 'path of the file', 'dataset.json')
    .action(
      run(async ({ sightline, print }, id: string, version: number, { out }: { out: string }) => {
        await saveFile(await (await sightline()).downloadDataset(id, { version }), out);
        print({ id, version, path: out }, () => `Saved ${out}.`);
      }),
    );
  datasets
    .command('delete-version')
    .description('delete a version of a dataset')
    .argument('<dataset_id>')
    .argument('<number>', 'number of the version', wholeNumber)
    .action(
      run(async ({ sightline, print }, dataset_id: string, version: number) => {
        const { api } = await sightline();
        const params = { path: { dataset_id, version } };
        const { data } = await api.DELETE('/api/datasets/{dataset_id}/versions/{version}', { params });
        print(data, () => `Deleted version ${version} of ${dataset_id}.`);
      }),
    );
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('It is not the number of a version.');
  return Number(text);
}

function describe({ number, name, status, video_count, event_count, sha256 }: DatasetVersion): string {
  const contents = `${counted(video_count, 'video')}, ${counted(event_count, 'event')}`;
  return `Version ${number} (${name}) is ${status}: ${contents}.\nSHA-256: ${sha256}`;
}
