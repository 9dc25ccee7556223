import { type Command, InvalidArgumentError } from 'commander';
import type { DatasetDownloadOptions } from '../../../resources/datasets.ts';
import type { Dataset, DatasetRequest } from '../../../resources.generated.ts';
import { saveFile } from '../../save-file.ts';
import { clock, counted, number, table } from '../../terminal.ts';
import type { Run } from '../../types.ts';
import { datasetVersionCommands } from './dataset-versions.ts';
import { exploreDatasetCommands } from './explore-dataset.ts';

type NewClip = NonNullable<DatasetRequest['clips']>[number];
type EventConditions = DatasetRequest['clips_of_events'];
type Contents = {
  batch?: string[];
  video?: string[];
  clip?: NewClip[];
  clipsOfEvents?: EventConditions;
  description?: string;
  shared?: boolean;
};
type Changes = {
  name?: string;
  description?: string;
  addBatch?: string[];
  removeBatch?: string[];
  addVideo?: string[];
  removeVideo?: string[];
  addClip?: NewClip[];
  addClipsOfEvents?: EventConditions;
  removeClip?: string[];
};

type DownloadFlags = Pick<DatasetDownloadOptions, 'approval' | 'seed'> & { out: string; val?: number; test?: number };

const CLIP_FORM = '`VIDEO_ID@START-END` in seconds, with `=LABEL` if you like';

const CONDITIONS_FORM = 'filters of `GET /api/events` such as {"approval": "approved"}';

export function datasetCommands(program: Command, run: Run): void {
  const datasets = program.command('datasets').description('name sets of batches and download their results');
  datasets
    .command('list', { isDefault: true })
    .description('list your datasets')
    .option('--shared', 'those that are shared in the organization')
    .action(
      run(async ({ sightline, print }, { shared }: { shared?: boolean }) => {
        const found: Dataset[] = [];
        for await (const each of (await sightline()).datasets(shared ? 'org' : 'user')) found.push(each);
        const rows = found.map((each) => [each.id, each.name, each.status, ...toCounts(each)]);
        const head = ['id', 'name', 'state', 'videos', 'events', 'approved', 'rejected'];
        print(found, () => table(head, rows, 'There are no datasets.'));
      }),
    );
  datasets
    .command('create')
    .description('create a dataset and wait until its batches have ended')
    .argument('<name>')
    .option('--batch <id...>', 'batches whose results it has')
    .option('--video <id...>', 'videos that are listed without results')
    .option('--clip <range...>', `ranges of videos, ${CLIP_FORM}`, toClips)
    .option('--clips-of-events <json>', `the ranges of events, ${CONDITIONS_FORM}`, toConditions)
    .option('--description <text>', 'what the dataset is for')
    .option('--shared', 'members of the organization may read it')
    .action(
      run(async ({ sightline, print }, name: string, { description, shared, ...given }: Contents) => {
        const contents = { batch_ids: given.batch, video_ids: given.video, search_description: description };
        const clips = { clips: given.clip, clips_of_events: given.clipsOfEvents };
        const scope = shared ? ('org' as const) : ('user' as const);
        const made = await (await sightline()).createDataset({ name, ...contents, ...clips, scope });
        print(made, () => describe(made));
      }),
    );
  datasets
    .command('show')
    .description('show a dataset and its clips')
    .argument('<dataset_id>')
    .action(
      run(async ({ sightline, print }, dataset_id: string) => {
        const { api } = await sightline();
        const path = '/api/data-curation/datasets/{dataset_id}';
        const { data } = await api.GET(path, { params: { path: { dataset_id } } });
        print(data, () => describe(data!) + listClips(data!));
      }),
    );
  datasets
    .command('change')
    .description('rename a dataset, or add and remove batches, videos and clips')
    .argument('<dataset_id>')
    .option('--name <name>', 'new name')
    .option('--description <text>', 'what the dataset is for')
    .option('--add-batch <id...>', 'batches to add')
    .option('--remove-batch <id...>', 'batches to remove')
    .option('--add-video <id...>', 'videos to add')
    .option('--remove-video <id...>', 'videos to remove')
    .option('--add-clip <range...>', `clips to add, ${CLIP_FORM}`, toClips)
    .option('--add-clips-of-events <json>', `adds the ranges of events, ${CONDITIONS_FORM}`, toConditions)
    .option('--remove-clip <id...>', 'clips to remove; `show` lists their ids')
    .action(
      run(async ({ sightline, print }, id: string, { name, description, ...contents }: Changes) => {
        const changed = await (await sightline()).changeDataset(id, {
          name,
          search_description: description,
          add_batch_ids: contents.addBatch,
          remove_batch_ids: contents.removeBatch,
          add_video_ids: contents.addVideo,
          remove_video_ids: contents.removeVideo,
          add_clips_of_events: contents.addClipsOfEvents,
          add_clips: contents.addClip,
          remove_clip_ids: contents.removeClip,
        });
        print(changed, () => describe(changed));
      }),
    );
  datasets
    .command('download')
    .description('download a dataset as JSON, with the verdicts of this moment')
    .argument('<dataset_id>')
    .option('--out <path>', 'path of the file', 'dataset.json')
    .option('--approval <state>', 'only events in this state: `pending`, `approved`, `rejected` or `unsure`')
    .option('--val <share>', 'share of the videos in the split `val`, 0 to 1', number)
    .option('--test <share>', 'share of the videos in the split `test`, 0 to 1; the rest is `train`', number)
    .option('--seed <text>', 'draws other splits')
    .action(
      run(async ({ sightline, print }, id: string, { out, val, test, ...options }: DownloadFlags) => {
        const shares = { val_share: val, test_share: test };
        await saveFile(await (await sightline()).downloadDataset(id, { ...options, ...shares }), out);
        print({ id, path: out }, () => `Saved ${out}.`);
      }),
    );
  datasets
    .command('delete')
    .description('delete a dataset; its batches and videos stay')
    .argument('<dataset_id>')
    .action(
      run(async ({ sightline, print }, id: string) => {
        const deleted = await (await sightline()).deleteDataset(id);
        print(deleted, () => `Deleted ${id}.`);
      }),
    );
  datasetVersionCommands(datasets, run);
  exploreDatasetCommands(datasets, run);
}

const toCounts = ({ totals: { video_count, event_counts } }: Dataset) =>
  [video_count, event_counts.total, event_counts.approved, event_counts.rejected].map(String);

function describe({ id, name, status, totals, failed_batches }: Dataset): string {
  const { total, approved, rejected } = totals.event_counts;
  const contents = `${counted(totals.batch_count, 'batch', 'batches')}, ${counted(totals.video_count, 'video')}`;
  const clips = totals.clip_count > 0 ? `, ${counted(totals.clip_count, 'clip')}` : '';
  const events = `${counted(total, 'event')} (${approved} approved, ${rejected} rejected)`;
  const lost = failed_batches.map(({ batch_id, error }) => `\n${batch_id}: ${error}`).join('');
  return `${name} (${id}) is ${status}: ${contents}${clips}, ${events}.${lost}`;
}

/** The clips of a dataset below its description. */
function listClips({ clips = [] }: Dataset): string {
  if (clips.length === 0) return '';
  const rows = clips.map(({ clip_id, video_name, start_s, end_s, label }) => [
    clip_id,
    video_name,
    clock(start_s),
    clock(end_s),
    label ?? '',
  ]);
  return `\n${table(['clip', 'video', 'start', 'end', 'label'], rows)}`;
}

function toConditions(text: string): EventConditions {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError('It must be JSON.');
  }
}

/** Adds a clip of a command line to those before it. */
function toClips(text: string, before: NewClip[] = []): NewClip[] {
  const [, video_id, start, end, label] = /^([^@]+)@(\d+(?:\.\d+)?)-(\d+(?:\.\d+)?)(?:=(.+))?$/s.exec(text) ?? [];
  if (video_id === undefined) throw new InvalidArgumentError('State it as VIDEO_ID@START-END, in seconds.');
  return [...before, { video_id, start_s: Number(start), end_s: Number(end), label }];
}
