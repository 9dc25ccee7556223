// The files of `deploy`, compared with the configuration and read by the programs that use them.
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listVariables } from '#platform/config/index';
import { readDeployment } from './deployment.ts';
import { temporaryFolder } from './temporary-folder.ts';

const FILES = [
  'Dockerfile',
  'compose.yaml',
  'compose.cluster.yaml',
  'cluster.env.example',
  'systemd/sightline.service',
  'nginx/sightline.conf',
];
/** Variables of the AWS SDK, and of other programs in the compose files. */
const OTHERS = /^(AWS_|POSTGRES_|S3_|ROOT_|PATH$|HOME$|BASE$|RELEASE$)/;

test('each variable of the files is one of the configuration', async () => {
  const known = new Set(listVariables().map(({ name }) => name));
  for (const file of FILES) {
    const names =
      (await readDeployment(file)).match(/\b(?:SIGHTLINE|AWS|POSTGRES|S3|ROOT|DATABASE)_[A-Z0-9_]*[A-Z0-9]\b/g) ?? [];
    expect(
      names.filter((name) => !known.has(name) && !OTHERS.test(name)),
      file,
    ).toEqual([]);
  }
});

test('ports and health paths of the files are those of the service', async () => {
  const dockerfile = await readDeployment('Dockerfile');
  const port = listVariables().find(({ name }) => name === 'SIGHTLINE_PORT')!.defaultText;
  expect(dockerfile).toContain(`EXPOSE ${port} 9464`);
  expect(dockerfile).toContain('SIGHTLINE_MONITORING_PORT=9464');
  expect(dockerfile).toMatch(/HEALTHCHECK[\s\S]*\/livez/);
  expect(dockerfile).toMatch(/^USER 10001:10001$/m);
  for (const file of ['compose.yaml', 'compose.cluster.yaml']) {
    const text = await readDeployment(file);
    expect(text).toContain(`"127.0.0.1:${port}:${port}"`);
    expect(text).toContain('read_only: true');
    expect(text).not.toMatch(/9464:9464/);
  }
  const scraped = (await readDeployment('prometheus/prometheus.yml')).match(/[\w-]+:9464/g);
  const cluster = await readDeployment('compose.cluster.yaml');
  for (const target of scraped!) expect(cluster).toContain(`\n  ${target.split(':')[0]}:\n`);
});

/** The YAML of a file, as Python reads it. */
function parseYaml(text: string): {
  services: Record<string, { command?: string[]; environment?: Record<string, string> }>;
} {
  const { status, stdout, stderr } = spawnSync(
    '/usr/bin/python3',
    ['-c', 'import json, sys, yaml; print(json.dumps(yaml.safe_load(sys.stdin)))'],
    {
      input: text,
      encoding: 'utf8',
    },
  );
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout);
}

test('the cluster has two API nodes and two workers with the same settings, within the connections of PostgreSQL', async () => {
  const { services } = parseYaml(await readDeployment('compose.cluster.yaml'));
  const nodes = Object.values(services).filter(({ environment }) => environment?.DATABASE_URL !== undefined);
  expect(nodes.map(({ command }) => command!.join(' ')).sort()).toEqual([
    'start --only api',
    'start --only api',
    'start --only worker',
    'start --only worker',
  ]);
  expect(new Set(nodes.map(({ environment }) => JSON.stringify(environment))).size).toBe(1);
  const each = Number(nodes[0]!.environment!.SIGHTLINE_DATABASE_CONNECTIONS) + 4 + 2;
  expect(nodes.length * each).toBeLessThanOrEqual(97);
  for (const name of ['postgres', 's3', 'proxy', 'prometheus']) expect(services).toHaveProperty(name);
  expect(parseYaml(await readDeployment('compose.yaml')).services).toHaveProperty('sightline');
});

test('systemd accepts the unit', async () => {
  const unit = await readDeployment('systemd/sightline.service');
  const file = join(await temporaryFolder(), 'sightline.service');
  // The release is not installed here.
  await writeFile(file, unit.replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true'));
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', file], { encoding: 'utf8' });
  expect({ status, problems: stdout + stderr }).toEqual({ status: 0, problems: '' });
});
