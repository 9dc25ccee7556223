import type { Command } from 'commander';
import type { SavedQuestion, SavedQuestionRequest } from '../../../resources.generated.ts';
import { type RecordedFlags, toRecordedFilter, withRecordedFlags } from '../../recorded-filter.ts';
import { counted, number, table } from '../../terminal.ts';
import type { Run } from '../../types.ts';

type Settings = RecordedFlags & {
  folderId?: string;
  fast?: boolean;
  minConfidence?: number;
  labels?: string[];
  alertConfidence?: number;
  cooldown?: number;
  quiet?: string;
  digest?: string;
  webhooks?: string[];
};
const PATH = '/api/saved-questions/{saved_question_id}';

/** Questions that run by themselves on new videos. */
export function questionCommands(program: Command, run: Run): void {
  const questions = program.command('questions').description('prompts that run by themselves on new videos');
  questions
    .command('list', { isDefault: true })
    .description('list saved questions')
    .action(
      run(async ({ sightline, print }) => {
        const saved = await (await sightline()).savedQuestions();
        const rows = saved.map((each) => [
          each.saved_question_id,
          each.name,
          toState(each),
          each.reading?.state ?? '',
          toPlace(each),
          each.query,
        ]);
        const head = ['id', 'name', 'state', 'reading', 'folder', 'prompt'];
        print({ saved_questions: saved }, () => table(head, rows, 'There are no saved questions.'));
      }),
    );
  withSettings(questions.command('save').description('save a question').argument('<name>').argument('<prompt>')).action(
    run(async ({ sightline, print }, name: string, query: string, flags: Settings) => {
      const saved = await (await sightline()).saveQuestion({ ...toBody(flags), name, query });
      print(saved, () => `Saved ${saved.saved_question_id}: runs on new videos of ${toPlace(saved)}.`);
    }),
  );
  withSettings(
    questions
      .command('change')
      .description('change a saved question; options of alerts replace all of them')
      .argument('<saved_question_id>'),
  )
    .option('--name <name>', 'new name')
    .option('--prompt <prompt>', 'new prompt')
    .action(
      run(
        async (
          { sightline, print },
          saved_question_id: string,
          { name, prompt: query, ...flags }: Settings & { name?: string; prompt?: string },
        ) => {
          const { api } = await sightline();
          const request = { params: { path: { saved_question_id } }, body: { ...toBody(flags), name, query } };
          const { data } = await api.PATCH(PATH, request);
          print(data, () => `${data!.name}: ${data!.query}`);
        },
      ),
    );
  for (const [name, enabled] of [
    ['pause', false],
    ['resume', true],
  ] as const) {
    questions
      .command(name)
      .description(enabled ? 'run on new videos again' : 'do not run on new videos')
      .argument('<saved_question_id>')
      .action(
        run(async ({ sightline, print }, saved_question_id: string) => {
          const { api } = await sightline();
          const { data } = await api.PATCH(PATH, { params: { path: { saved_question_id } }, body: { enabled } });
          print(data, () => `${data!.name} is ${toState(data!)}.`);
        }),
      );
  }
  questions
    .command('snooze')
    .description('announce no events for some hours; 0 ends the snooze')
    .argument('<saved_question_id>')
    .option('--hours <number>', 'hours from now', number, 24)
    .action(
      run(async ({ sightline, print }, saved_question_id: string, { hours }: { hours: number }) => {
        const { api } = await sightline();
        const snoozed_until = new Date(Date.now() + hours * 3_600_000).toISOString();
        const { data } = await api.PATCH(PATH, { params: { path: { saved_question_id } }, body: { snoozed_until } });
        print(data, () => `${data!.name} is ${toState(data!)}.`);
      }),
    );
  questions
    .command('run')
    .description('run on existing videos, as one batch')
    .argument('<saved_question_id>')
    .option('--announce', 'raise alerts about their events')
    .action(
      run(async ({ sightline, print }, id: string, { announce }: { announce?: boolean }) => {
        const started = await (await sightline()).runSavedQuestion(id, { announce });
        const more = started.has_more ? ' Run it again for the others.' : '';
        print(started, () => `Batch ${started.batch_id} of ${counted(started.total, 'video')}.${more}`);
      }),
    );
  questions
    .command('reading')
    .description('show how a saved question is understood; accept the reading of this version, or keep the stored one')
    .argument('<saved_question_id>')
    .option('--accept', 'later runs use the reading of this version')
    .option('--keep', 'later runs use the stored reading, and this one is not proposed again')
    .action(
      run(async ({ sightline, print }, saved_question_id: string, flags: { accept?: boolean; keep?: boolean }) => {
        const client = await sightline();
        const { data } = await client.api.GET(PATH, { params: { path: { saved_question_id } } });
        const reading_id = data!.reading?.proposed?.reading_id;
        const decision = flags.accept ? 'accept' : flags.keep ? 'keep' : null;
        const isDecided = decision !== null && reading_id !== undefined;
        const decided = isDecided ? await client.decideReading(saved_question_id, { reading_id, decision }) : data!;
        print(decided, () => toReadingText(decided));
      }),
    );
  questions
    .command('runs')
    .description('list the latest runs')
    .argument('<saved_question_id>')
    .option('--limit <number>', 'number of runs', number, 50)
    .action(
      run(async ({ sightline, print }, saved_question_id: string, query: { limit: number }) => {
        const { api } = await sightline();
        const { data } = await api.GET(`${PATH}/runs`, { params: { path: { saved_question_id }, query } });
        const rows = data!.runs.map((each) => [
          each.created_at,
          each.video_name,
          each.status,
          String(each.matching_count),
          String(each.alert_count),
          each.message ?? each.silenced ?? '',
        ]);
        const head = ['created', 'video', 'status', 'matching', 'alerts', 'note'];
        print(data, () => table(head, rows, 'There are no runs.'));
      }),
    );
  questions
    .command('alerts')
    .description('list the latest alerts of all saved questions')
    .option('--limit <number>', 'number of alerts', number, 50)
    .action(
      run(async ({ sightline, print }, query: { limit: number }) => {
        const page = await (await sightline()).alerts(query);
        const rows = page.alerts.map((each) => [
          each.created_at,
          each.saved_question_name ?? '',
          each.label,
          each.video_name ?? each.camera_name ?? '',
          String(each.start_s ?? ''),
          String(each.confidence ?? ''),
          each.is_muted ? 'muted' : each.is_read ? '' : 'new',
        ]);
        const head = ['created', 'question', 'label', 'video', 'start_s', 'confidence', 'state'];
        print(page, () => table(head, rows, 'There are no alerts.'));
      }),
    );
  questions
    .command('delete')
    .description('delete a saved question; its analyses stay')
    .argument('<saved_question_id>')
    .action(
      run(async ({ sightline, print }, saved_question_id: string) => {
        const { api } = await sightline();
        const { data } = await api.DELETE(PATH, { params: { path: { saved_question_id } } });
        print(data, () => `Deleted ${saved_question_id}.`);
      }),
    );
}

const withSettings = (command: Command) =>
  withRecordedFlags(command, 'new videos', 'of these times, of those of alerts and of the prompt')
    .option('--folder-id <id>', 'only new videos of this folder; default: shared videos and your own')
    .option('--fast', 'answer from a sparse pass where that is sufficient')
    .option('--min-confidence <number>', 'least confidence of an event, 0 to 1', number)
    .option('--labels <text...>', 'announce only events whose label contains one of these texts')
    .option('--alert-confidence <number>', 'announce only events of this confidence', number)
    .option('--cooldown <seconds>', 'least seconds between two alerts', number)
    .option('--quiet <from-to>', 'announce nothing in these hours, such as 22:00-06:00')
    .option('--digest <time>', 'send a digest of the day before at this time, such as 08:00')
    .option('--webhooks <id...>', 'send alerts to these webhooks only; default: all that want alerts');

function toBody({
  folderId,
  fast,
  minConfidence,
  labels,
  alertConfidence,
  cooldown,
  quiet,
  digest,
  webhooks,
  ...recordedFlags
}: Settings): Omit<SavedQuestionRequest, 'name' | 'query'> {
  const alerts = { labels, alertConfidence, cooldown, quiet, digest };
  const { time_zone, ...recorded } = toRecordedFilter(recordedFlags);
  return {
    time_zone,
    recorded: Object.values(recorded).some((value) => value !== undefined) ? recorded : undefined,
    folder_id: folderId,
    mode: fast ? 'fast' : undefined,
    webhook_ids: webhooks,
    min_confidence: minConfidence,
    rule: Object.values(alerts).some((flag) => flag !== undefined)
      ? toRule({ ...alerts, timeZone: time_zone })
      : undefined,
  };
}

function toRule({
  labels,
  alertConfidence,
  cooldown,
  quiet,
  digest,
  timeZone,
}: Settings): SavedQuestionRequest['rule'] {
  const [from = '', to = ''] = quiet?.split('-') ?? [];
  const time_zone = timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  return {
    labels,
    min_confidence: alertConfidence,
    cooldown_s: cooldown,
    quiet_hours: quiet ? { from, to, time_zone } : undefined,
    digest: digest ? { at: digest, time_zone } : undefined,
  };
}

const toState = ({ state, snoozed_until }: SavedQuestion) =>
  state === 'snoozed' ? `snoozed until ${snoozed_until}` : state.replace('_', ' ');

function toReadingText({ reading }: SavedQuestion): string {
  if (reading === null) return 'It was saved by an earlier version, and is read within a minute.';
  const { state, interpretation, problem, proposed } = reading;
  const lines = [`${interpretation ?? `This version cannot run the stored reading: ${problem}`} (${state})`];
  if (proposed) lines.push(`This version reads it differently: ${proposed.interpretation}`);
  return lines.join('\n');
}

const toPlace = ({ folder_id, folder_name }: SavedQuestion) => folder_name ?? folder_id ?? 'all folders';
