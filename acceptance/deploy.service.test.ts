// Follows docs/deploy.md as printed: four processes on PostgreSQL and S3, with metrics.
import { spawn } from 'node:child_process';
import { chmod, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { freePort } from '../server/src/platform/net/index.ts';
import { urlOf } from '../server/test/app.ts';
import { runAsAdmin } from '../server/test/database/test-database.ts';
import { sceneClip } from '../server/test/media/clips.ts';
import { createS3TestClient } from '../server/test/servers/s3-client.ts';
import { startS3Server } from '../server/test/servers/s3-server.ts';
import { REPOSITORY } from './harness/command.ts';
import { killAll, treeOf } from './harness/processes.ts';
import { PROGRAM } from './harness/program.ts';
import { makeFolder } from './harness/service.ts';

const TIMEOUT_MS = 200_000;
const { s3Server } = inject('programs');

test.skipIf(s3Server === null)('every command of the page works as printed', { timeout: TIMEOUT_MS }, async () => {
  const folder = await makeFolder();
  const server = inject('postgres');
  const database = 'deployed';
  await runAsAdmin(server, `drop database if exists ${database} with (force)`);
  await runAsAdmin(server, `create database ${database}`);
  const s3 = await startS3Server(s3Server!);
  const bucket = createS3TestClient(s3.endpoint);
  await bucket.makeBucket('sightline');
  await copyFile(await sceneClip(), join(folder.path, 'clip.mp4'));
  const bin = join(folder.path, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'sightline'), `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`);
  await chmod(join(bin, 'sightline'), 0o755);

  const page = await readFile(join(REPOSITORY, 'docs/deploy.md'), 'utf8');
  const [first, ...blocks] = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block!);
  // The reader's own server and store, in place of those of the example.
  const connection = urlOf({ ...server, database });
  expect(first!.match(/^export/gm)).toHaveLength(4);
  const own = [
    `export DATABASE_URL='${connection}' SIGHTLINE_STORAGE=s3://sightline/files SIGHTLINE_S3_ENDPOINT=${s3.endpoint}`,
    'export AWS_ACCESS_KEY_ID=AKIATEST AWS_SECRET_ACCESS_KEY=secret',
    // Not part of the page: this machine has no internet access, and its ports may be in use.
    'export SIGHTLINE_MODELS_DOWNLOAD=false SIGHTLINE_DETECTOR=yolox_nano SIGHTLINE_MEDIA_PROCESSES=1',
  ].join('\n');
  let script = [own, ...blocks].map((block, at) => `echo "== ${at}"\n${block}`).join('\n');
  // The URL has an ampersand, which the shell would read in a file of settings.
  script = script.replace('DATABASE_URL=$DATABASE_URL', "DATABASE_URL='$DATABASE_URL'");
  for (const port of [8101, 8102, 9101, 9102, 9103, 9104])
    script = script.replaceAll(String(port), String(await freePort()));
  script = script.replace(/^kill %1/m, 'read -r _\n$&');

  const shell = spawn('bash', ['--norc', '-euo', 'pipefail', '-c', `exec 2>&1\n${script}`], {
    cwd: folder.path,
    env: { PATH: `${bin}:${process.env.PATH}`, HOME: folder.path },
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  const client = new pg.Client(connection);
  onTestFinished(async () => {
    await client.end().catch(() => {});
    await killAll(treeOf(shell.pid!));
    await s3.stop();
    await runAsAdmin(server, `drop database ${database} with (force)`);
    await folder.remove();
  });
  let output = '';
  const printed = text(shell.stdout);
  const exited = new Promise<number>((resolve) => shell.once('exit', (code) => resolve(code ?? 1)));
  const log = () => readFile(join(folder.path, 'prometheus.yml'), 'utf8').catch(() => '');
  await expect.poll(async () => (shell.exitCode === null ? await log() : 'ended'), { timeout: 150_000 }).not.toBe('');

  // All four work on one database, within the budget of the page.
  await client.connect();
  const { rows } = await client.query<{ name: string; count: number }>(
    `select application_name as name, count(*)::integer as count from pg_stat_activity
     where datname = $1 and pid <> pg_backend_pid() group by 1 order by 1`,
    [database],
  );
  shell.stdin.end('\n');
  const code = await exited;
  output = await printed;
  expect(code, output).toBe(0);
  const connections = rows.reduce((sum, { count }) => sum + count, 0);
  expect(connections).toBeLessThanOrEqual(4 * (12 + 4));
  const ready = '{"status":"ready","checks":{"database":"ok","storage":"ok","disk":"ok"}}';
  expect(output.split(ready)).toHaveLength(5);
  expect(output).toMatch(/"msg":"started"/);
  expect(output.match(/roles="worker"\} 1/g)).toHaveLength(2);
  expect(output.match(/sightline_workers\{state="running"\} 2/g)).toHaveLength(4);
  expect(output).toContain('clip.mp4');
  const worker = await readFile(join(folder.path, 'worker-1.log'), 'utf8');
  expect(worker).toContain('"roles":"worker"');
  expect((await bucket.list('sightline')).some((key) => key.startsWith('files/'))).toBe(true);
});
