import { type Command, Option } from 'commander';
import type { Comparison, ComparisonRequest } from '../../../resources.generated.ts';
import type { CliSession } from '../../session.ts';
import { clock, counted, createProgress, number, table } from '../../terminal.ts';
import type { Run } from '../../types.ts';

type CompareFlags = Pick<ComparisonRequest, 'verify' | 'detector'> & {
  baseline: string;
  folderId?: string;
  maxVideos?: number;
  fast?: boolean;
  minConfidence?: number;
  visionProfile?: string;
};

/** Commands that compare a changed query with a reviewed one. */
export function comparisonCommands(review: Command, run: Run): void {
  review
    .command('compare')
    .description('run a changed prompt on reviewed videos, and compare its precision and recall with the earlier one')
    .argument('<prompt>', 'the changed prompt; the same one to compare other settings')
    .requiredOption('--baseline <prompt>', 'the earlier prompt, whose answers were reviewed')
    .option('--folder-id <id>', 'only the videos of this folder')
    .option('--max-videos <count>', 'maximum number of videos (default: 100)', number)
    .option('--fast', 'answer from a sparse pass where that is sufficient')
    .option('--min-confidence <share>', 'minimum confidence of events, 0 to 1 (default: 0.5)', number)
    .addOption(
      new Option('--verify <events>', 'events that a vision-language model verifies').choices([
        'auto',
        'always',
        'never',
      ]),
    )
    .option('--vision-profile <name>', 'profile of the vision-language model')
    .option('--detector <name>', 'model that detects objects, such as yolox_tiny')
    .action(run(compare));
  review
    .command('comparison')
    .description('show a comparison again, or compare another batch with the reviewed answers to a prompt')
    .argument('<batch_id>')
    .option('--baseline <prompt>', 'the earlier prompt; default: that of the comparison')
    .action(
      run(async ({ sightline, print }, batchId: string, { baseline }: { baseline?: string }) => {
        const found = await (await sightline()).comparison(batchId, { baseline });
        print(found, () => describe(found));
      }),
    );
}

async function compare({ sightline, print, json }: CliSession, query: string, flags: CompareFlags): Promise<void> {
  const { baseline: baseline_query, folderId: folder_id, maxVideos: max_videos, verify, detector } = flags;
  const { fast, minConfidence: min_confidence, visionProfile: vision_profile } = flags;
  const mode = fast ? ('fast' as const) : undefined;
  const settings = { folder_id, max_videos, mode, min_confidence, verify, vision_profile, detector };
  const progress = json ? null : createProgress();
  try {
    const client = await sightline();
    const compared = await client.compare(
      { query, baseline_query, ...settings },
      {
        onEvent: ({ kind, data }) =>
          kind === 'progress' && progress?.show(String(data.message ?? data.stage), Number(data.progress)),
      },
    );
    progress?.stop();
    print(compared, () => describe(compared));
    if (compared.failed_videos > 0) process.exitCode = 1;
  } finally {
    progress?.stop();
  }
}

function describe(comparison: Comparison): string {
  const { videos, compared_videos, failed_videos, unchanged, appeared, disappeared, events } = comparison;
  const figures = ([name, side]: readonly [string, Comparison['baseline']]) => [
    ...[name, side.precision, side.recall, side.overlap].map((of) => (typeof of === 'string' ? of : estimate(of))),
    ...[side.right, side.wrong, side.undecided, side.missed].map(String),
  ];
  const sides = [
    ['earlier', comparison.baseline],
    ['changed', comparison.candidate],
  ] as const;
  const head = ['answers', 'precision', 'recall', 'overlap', 'right', 'wrong', 'undecided', 'missed'];
  const rows = events.map(({ change, judgment, event }) => [
    change,
    judgment,
    event.video_name,
    `${clock(event.start_s)} to ${clock(event.end_s)}`,
    event.label,
    event.event_id,
  ]);
  const failed = failed_videos > 0 ? `, ${failed_videos} failed` : '';
  return [
    `${compared_videos} of ${counted(videos, 'video')} compared${failed}; batch ${comparison.batch_id}`,
    table(head, sides.map(figures)),
    `${unchanged} events of both, ${appeared} appeared, ${disappeared} disappeared`,
    table(['change', 'judgment', 'video', 'time', 'event', 'id'], rows, 'No event appeared or disappeared.'),
  ].join('\n\n');
}

/** An estimate with its 95 % interval, as text; empty if nothing is known. */
export const estimate = (of: { value: number; low: number; high: number } | null) =>
  of ? `${of.value.toFixed(2)} (${of.low.toFixed(2)} to ${of.high.toFixed(2)})` : '';
