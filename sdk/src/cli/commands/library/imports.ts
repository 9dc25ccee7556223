import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import type { CliSession } from '../../session.ts';
import { createProgress, table } from '../../terminal.ts';
import type { Run } from '../../types.ts';
import { folderId } from './folders.ts';

type StartFlags = {
  prefix?: string;
  include?: string[];
  exclude?: string[];
  folder?: string;
  org?: boolean;
  force?: boolean;
  wait?: boolean;
};

const ROUTES = { s3: 's3', s3_storage_transfer: 's3-storage-transfer', gcs: 'gcs', hf_bucket: 'hf-bucket' } as const;
type Kind = keyof typeof ROUTES;

export function importCommands(program: Command, run: Run): void {
  const imports = program.command('import').description('import videos from buckets');
  imports
    .command('connect')
    .description(
      'save the access to a bucket; its JSON (name, bucket, credentials) is read from stdin, out of sight of other programs',
    )
    .argument('<type>', Object.keys(ROUTES).join(', '))
    .action(
      run(async ({ sightline, print }, type: string) => {
        const route = ROUTES[type as Kind];
        if (!route) throw new Error(`The type is one of ${Object.keys(ROUTES).join(', ')}.`);
        const { api } = await sightline();
        const body = parsed(await text(process.stdin));
        const { data } = await api.POST(`/api/cloud-integrations/${route}`, { body });
        print(data, () => data!.id);
      }),
    );
  imports
    .command('integrations')
    .description('list saved integrations')
    .action(
      run(async ({ sightline, print }) => {
        const { data } = await (await sightline()).api.GET('/api/cloud-integrations');
        const rows = data!.map(({ id, name, type, bucket, prefix }) => [id, name, type, bucket, prefix ?? '']);
        print(data, () => table(['id', 'name', 'type', 'bucket', 'prefix'], rows, 'There are no integrations.'));
      }),
    );
  imports
    .command('start')
    .description('import objects by name or prefix')
    .argument('<integration_id>')
    .argument('[object...]', 'names of objects')
    .option('--prefix <prefix>', 'all videos whose name starts with this prefix')
    .option('--include <pattern...>', 'only names that match one of these patterns')
    .option('--exclude <pattern...>', 'skip names that match one of these patterns')
    .option('--folder <name>', 'folder of the videos; created if it does not exist')
    .option('--org', 'share with everyone in the organization')
    .option('--force', 'import objects again that were imported before')
    .option('--wait', 'wait until all objects are transferred')
    .action(run(start));
  imports
    .command('recordings')
    .description('import recordings by directory; an integration of their bucket must be saved')
    .argument(
      '<directory...>',
      'gs://bucket/directory/ or s3://bucket/directory/, each with the files of one recording',
    )
    .option('--format <format>', 'format of the recordings', 'mcap')
    .option('--folder <name>', 'folder of the videos; created if it does not exist')
    .option('--org', 'share with everyone in the organization')
    .option('--wait', 'wait until all recordings are converted to videos')
    .action(run(startRecordings));
  imports
    .command('show')
    .description('show the status of an import')
    .argument('<job_id>')
    .option('--wait', 'wait until all objects are transferred')
    .action(run(async (session, jobId: string, { wait }: { wait?: boolean }) => show(session, jobId, wait)));
  imports
    .command('list', { isDefault: true })
    .description('list imports, newest first')
    .action(
      run(async ({ sightline, print }) => {
        const { data } = await (await sightline()).api.GET('/api/import-jobs');
        const rows = data!.import_jobs.map((job) => [
          job.id,
          job.source,
          job.bucket,
          job.status,
          `${job.uploaded} of ${job.total}`,
          String(job.failed),
        ]);
        print(data, () =>
          table(['id', 'source', 'bucket', 'status', 'imported', 'failed'], rows, 'There are no imports.'),
        );
      }),
    );
  for (const what of ['cancel', 'retry'] as const) {
    imports
      .command(what)
      .argument('<job_id>')
      .action(
        run(async ({ sightline, print }, job_id: string) => {
          const { api } = await sightline();
          const { data } = await api.POST(`/api/import-jobs/{job_id}/${what}`, { params: { path: { job_id } } });
          print(data, () => `${job_id}: ${data!.status}`);
        }),
      );
  }
}

function parsed(value: string) {
  try {
    return JSON.parse(value);
  } catch {
    throw new Error('The input on stdin is not JSON. Expected: `{"name": "Fleet", "bucket": "recordings", …}`.');
  }
}

async function start(session: CliSession, integration_id: string, objects: string[], flags: StartFlags): Promise<void> {
  const sightline = await session.sightline();
  const { api } = sightline;
  const { data: integration } = await api.GET('/api/cloud-integrations/{integration_id}', {
    params: { path: { integration_id } },
  });
  const { prefix, include, exclude } = flags;
  const folder_id = flags.folder === undefined ? undefined : await folderId(sightline, flags.folder, flags.org);
  const place = {
    integration_id,
    bucket: integration!.bucket,
    folder_id,
    scope: flags.org ? ('org' as const) : undefined,
    force: flags.force,
  };
  const all = { ...place, prefix, include, exclude };
  const names = objects.length > 0 ? objects : undefined;
  const type = integration!.type as Kind;
  const started =
    type === 'gcs'
      ? await api.POST('/api/gcs/upload', { body: { ...all, files: names } })
      : type === 'hf_bucket'
        ? await api.POST('/api/hf-buckets/upload', { body: { ...all, files: names } })
        : await api.POST('/api/s3/upload', { body: { ...all, keys: names } });
  await show(session, started.data!.import_job_id, flags.wait);
}

async function startRecordings(
  session: CliSession,
  directories: string[],
  { format, folder, org, wait }: { format: string; folder?: string; org?: boolean; wait?: boolean },
): Promise<void> {
  const sightline = await session.sightline();
  const folder_id = folder === undefined ? null : await folderId(sightline, folder, org);
  const inputs = directories.map((source_uri) => ({ source_uri, folder_id }));
  const body = { source_format: format, scope: org ? ('org' as const) : undefined, inputs };
  const { data } = await sightline.api.POST('/api/import-jobs', { body });
  await show(session, data!.import_job_id, wait);
}

async function show({ sightline, print, json }: CliSession, job_id: string, wait = false): Promise<void> {
  const { api, settled } = await sightline();
  const progress = wait && !json ? createProgress() : null;
  const ask = async () => (await api.GET('/api/import-jobs/{job_id}', { params: { path: { job_id } } })).data!;
  const job = await settled(ask, ({ completed_at }) => !wait || completed_at !== null, {
    onAnswer: ({ uploaded, failed, total }) =>
      progress?.show('importing', total ? (100 * (uploaded + failed)) / total : 0),
  }).finally(() => progress?.stop());
  const skipped = job.skipped > 0 ? `, ${job.skipped} of them earlier` : '';
  print(
    job,
    () => `${job_id}: ${job.status}, ${job.uploaded} of ${job.total} imported${skipped}, ${job.failed} failed`,
  );
  if (wait && job.failed > 0) process.exitCode = 1;
}
