import type { Command } from 'commander';
import type { ObservationRun, ObservationRunSummary } from '../../../resources.generated.ts';
import { counted, createProgress, table } from '../../terminal.ts';
import type { Run } from '../../types.ts';

type Flags = { video?: string[]; folder?: string; detector?: string };

/** Observation of videos before anyone asks. */
export function observationCommands(program: Command, run: Run): void {
  const runs = program.command('observation-runs').description('observe videos before anyone asks');
  runs
    .command('start')
    .description('observe videos and show the progress; interrupting stops waiting, not the run')
    .argument('<observers...>', 'what to observe: sounds, speech, text, objects, embeddings, object_embeddings')
    .option('--video <id...>', 'ids of the videos')
    .option('--folder <id>', 'id of a folder with the videos instead')
    .option('--detector <name>', 'model that detects objects, such as yolox_tiny')
    .action(
      run(async ({ sightline, print, json }, observers: string[], { video, folder, detector }: Flags) => {
        const client = await sightline();
        const progress = json ? null : createProgress();
        const onAnswer = ({ completed, total, progress: share }: ObservationRun) =>
          progress?.show(`${completed} of ${counted(total, 'video')}`, 100 * share);
        const body = { observers, video_ids: video, folder_id: folder, detector };
        try {
          const ended = await client.observe(body, { onAnswer });
          progress?.stop();
          print(ended, () => describe(ended));
          if (ended.failed > 0) process.exitCode = 1;
        } finally {
          progress?.stop();
        }
      }),
    );
  runs
    .command('list', { isDefault: true })
    .description('list the newest runs')
    .action(
      run(async ({ sightline, print }) => {
        const { data } = await (await sightline()).api.GET('/api/observations', {});
        const rows = data!.runs.map((each) => [each.observation_id, each.observers.join(', '), ...toColumns(each)]);
        const head = ['id', 'observers', 'status', 'progress', 'videos', 'failed'];
        print(data, () => table(head, rows, 'No videos were observed by request.'));
      }),
    );
  runs
    .command('show')
    .description('show the videos of a run')
    .argument('<observation_id>')
    .action(
      run(async ({ sightline, print }, id: string) => {
        const found = await (await sightline()).observation(id);
        print(found, () => describe(found));
      }),
    );
  runs
    .command('cancel')
    .description('cancel the videos of a run that are not observed yet')
    .argument('<observation_id>')
    .action(
      run(async ({ sightline, print }, id: string) => {
        const found = await (await sightline()).cancelObservation(id);
        print(found, () => describe(found));
      }),
    );
}

const toColumns = ({ status, progress, total, failed }: Omit<ObservationRunSummary, 'observation_id'>) => [
  status,
  `${Math.round(100 * progress)} %`,
  String(total),
  String(failed),
];

function describe(run: ObservationRun): string {
  const rows = run.videos.map(({ video_id, status, progress, problem }) => [
    video_id,
    status,
    `${Math.round(100 * progress)} %`,
    problem?.message ?? '',
  ]);
  const state = `${run.observers.join(', ')}: ${run.status}, ${run.completed} of ${counted(run.total, 'video')}`;
  return `${state}\n\n${table(['video', 'status', 'progress', 'reason'], rows)}`;
}
