import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import type { Command } from 'commander';
import type { Ingest } from '../../../types.ts';
import type { CliSession } from '../../session.ts';
import { clock, number, table } from '../../terminal.ts';
import type { Run } from '../../types.ts';
import { folderId } from './folders.ts';

type Flags = { chunkSize?: number; folder?: string; org?: boolean; wait?: boolean };

const ENDED = new Set(['completed', 'partial', 'failed']);

export function mcapCommands(program: Command, run: Run): void {
  const mcap = program.command('mcap').description('upload and import recordings of robots and vehicles');
  const withPlace = (command: Command) =>
    command
      .option('--folder <name>', 'folder of the videos; created if it does not exist')
      .option('--org', 'share with everyone in the organization')
      .option('--chunk-size <seconds>', 'split long recordings into videos of this length', number)
      .option('--wait', 'wait until the videos are available');
  withPlace(mcap.command('upload').description('upload a recording').argument('<file>')).action(run(upload));
  withPlace(
    mcap
      .command('import')
      .description('import recordings from a bucket')
      .argument('<integration_id>')
      .argument('<key...>'),
  ).action(run(bring));
  mcap
    .command('list')
    .description('list recordings, newest first')
    .option('--limit <count>', 'maximum number', number, 50)
    .action(run(list));
  mcap
    .command('show')
    .description('show the status of a recording')
    .argument('<ingest_id>')
    .option('--wait', 'wait until the videos are available')
    .action(run((session, id: string, { wait }: { wait?: boolean }) => show(session, id, wait)));
  mcap
    .command('stitch')
    .description('assign channels to views')
    .argument('<ingest_id>')
    .option('--front <channel>', 'channel of the front view')
    .option('--role <channel=role...>', 'role of a channel, such as `/camera/1=rear`')
    .action(run(stitch));
}

async function list({ sightline, print }: CliSession, query: { limit: number }): Promise<void> {
  const { api } = await sightline();
  const { data } = await api.GET('/api/mcap', { params: { query } });
  const rows = data!.ingests.map(({ mcap_ingest_id, filename, status, created_at }) => [
    mcap_ingest_id,
    filename,
    status,
    created_at.slice(0, 16).replace('T', ' '),
  ]);
  print(data, () => table(['id', 'file', 'status', 'created'], rows, 'There are no recordings.'));
}

async function upload(session: CliSession, file: string, flags: Flags): Promise<void> {
  const sightline = await session.sightline();
  const { mcap_ingest_id } = await sightline.uploadRecording(await openAsBlob(file), {
    name: basename(file),
    ...(await resolveDestination(session, flags)),
  });
  await show(session, mcap_ingest_id, flags.wait);
}

async function bring(session: CliSession, integration_id: string, keys: string[], flags: Flags): Promise<void> {
  const { api, settled } = await session.sightline();
  const { folderId, scope, chunkSize } = await resolveDestination(session, flags);
  const files = keys.map((key) => ({ key }));
  const { data: started } = await api.POST('/api/mcap/cloud-ingest/s3', {
    body: { integration_id, files, folder_id: folderId, scope, chunk_size: chunkSize },
  });
  const params = { path: { mcap_import_job_id: started!.mcap_import_job_id } };
  const ask = async () => (await api.GET('/api/mcap/import-jobs/{mcap_import_job_id}', { params })).data!;
  const job = await settled(ask, ({ status }) => !flags.wait || ENDED.has(status));
  session.print(job, () => [`${job.mcap_import_job_id}: ${job.status}`, ...job.video_ids].join('\n'));
  if (flags.wait && job.status !== 'completed') process.exitCode = 1;
}

async function resolveDestination(session: CliSession, { folder, org, chunkSize }: Flags) {
  return {
    folderId: folder === undefined ? undefined : await folderId(await session.sightline(), folder, org),
    scope: org ? ('org' as const) : undefined,
    chunkSize,
  };
}

async function show(session: CliSession, ingest_id: string, wait = false): Promise<void> {
  const { api, settled } = await session.sightline();
  const ask = async () => (await api.GET('/api/mcap/{ingest_id}', { params: { path: { ingest_id } } })).data!;
  printIngest(session, await settled(ask, ({ status }) => !wait || ENDED.has(status)));
}

async function stitch(
  session: CliSession,
  ingest_id: string,
  { front, role = [] }: { front?: string; role?: string[] },
) {
  const { api } = await session.sightline();
  const channel_roles = Object.fromEntries(
    role.map((pair) => [pair.slice(0, pair.lastIndexOf('=')), pair.split('=').at(-1)!]),
  );
  const params = { path: { ingest_id } };
  await api.POST('/api/mcap/{ingest_id}/stitch', { params, body: { front_channel: front, channel_roles } });
  await show(session, ingest_id);
}

function printIngest({ print }: CliSession, ingest: Ingest): void {
  const rows = ingest.derived_videos.map(({ video_id, channel, role, status, offset_s, duration_s }) => [
    video_id ?? '',
    channel,
    role ?? '',
    status,
    ...[offset_s, duration_s].map((seconds) => (seconds === null ? '' : clock(seconds))),
  ]);
  print(ingest, () => {
    const videos =
      rows.length === 0 ? '' : `\n${table(['video', 'channel', 'role', 'status', 'from', 'length'], rows)}`;
    return `${ingest.mcap_ingest_id}: ${ingest.status}${ingest.error ? `: ${ingest.error}` : ''}${videos}`;
  });
  if (ingest.status === 'failed') process.exitCode = 1;
}
