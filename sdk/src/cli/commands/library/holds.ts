import type { Command } from 'commander';
import type { AuditEvent } from '../../../resources.generated.ts';
import type { CliSession } from '../../session.ts';
import { clock, number, table } from '../../terminal.ts';
import type { Run } from '../../types.ts';

type Outcome = { video_id: string; ok: boolean; message?: string };

/** Legal holds of videos, and the record of erased ones; both for administrators. */
export function holdCommands(videos: Command, run: Run): void {
  videos
    .command('hold')
    .description('put videos on legal hold: nothing deletes them until they are released')
    .argument('<video_id...>')
    .requiredOption('--reason <text>', 'why; everyone who sees the videos can read it')
    .action(
      run(async (session, video_ids: string[], { reason }: { reason: string }) => {
        const { api } = await session.sightline();
        printOutcomes(session, (await api.POST('/api/videos/hold', { body: { video_ids, reason } })).data!.results);
      }),
    );
  videos
    .command('release')
    .description('release videos from legal hold')
    .argument('<video_id...>')
    .action(
      run(async (session, video_ids: string[]) => {
        const { api } = await session.sightline();
        printOutcomes(session, (await api.POST('/api/videos/release', { body: { video_ids } })).data!.results);
      }),
    );
  videos
    .command('erased')
    .description('show the record of erased videos: the time, the user or the rule, and the reason')
    .option('--video <id>', 'only of this video')
    .option('--limit <count>', 'maximum number', number, 100)
    .action(run(listErased));
}

/** Prints the result for each video; a failure of one is the exit code of the command. */
export function printOutcomes({ print }: CliSession, results: readonly Outcome[]): void {
  for (const each of results) print(each, () => `${each.video_id}  ${each.ok ? 'done' : each.message}`);
  if (results.some(({ ok }) => !ok)) process.exitCode = 1;
}

async function listErased({ sightline, print }: CliSession, { video, limit }: { video?: string; limit: number }) {
  const { api } = await sightline();
  const query = { action: 'video.erased', subject_id: video, limit };
  const { data } = await api.GET('/api/audit-events', { params: { query } });
  const head = ['video', 'deleted', 'erased', 'by', 'reason', 'recorded', 'length', 'bytes'];
  print(data, () => table(head, data!.events.map(toRow), 'No videos were erased.'));
}

function toRow({ subject_id, at, email, user_id, detail }: AuditEvent): string[] {
  const { deleted_at, rule, reason, recorded_at, duration_s, size_bytes } = detail as Record<string, string | number>;
  return [
    subject_id,
    toMinute(deleted_at),
    toMinute(at),
    String(rule ?? email ?? user_id ?? ''),
    String(reason ?? ''),
    toMinute(recorded_at),
    duration_s === undefined ? '' : clock(Number(duration_s)),
    String(size_bytes ?? ''),
  ];
}

const toMinute = (iso: string | number | undefined) =>
  String(iso ?? '')
    .slice(0, 16)
    .replace('T', ' ');
