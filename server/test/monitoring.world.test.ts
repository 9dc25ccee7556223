// Metrics, rules and dashboard, read by the programs of Prometheus.
import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { startTestApp, type TestApp } from './app.ts';
import { listQueries } from './deployment.ts';
import { temporaryFolder } from './temporary-folder.ts';

const { promtool, openMetricsPython } = inject('programs');
const FOLDER = join(import.meta.dirname, '../../deploy/prometheus');

let app: TestApp;
let text: string;
beforeAll(async () => {
  app = await startTestApp({ SIGHTLINE_MONITORING_PORT: '0' });
  await app.api.call('GET', '/health');
  text = await (await fetch(`http://127.0.0.1:${app.sightline.monitoringPort}/metrics`)).text();
});
afterAll(() => app?.close());

/** Runs a program that must succeed, and returns what it printed. */
function run(program: string, args: string[], input?: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { input, encoding: 'utf8' });
  expect({ status, problem: status === 0 ? '' : stderr + stdout }).toEqual({ status: 0, problem: '' });
  return stdout;
}

test.skipIf(openMetricsPython === null)("the strict parser of Prometheus' client reads a scrape", () => {
  const script = `
import json, sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families
print(json.dumps({family.name: len(family.samples) for family in text_string_to_metric_families(sys.stdin.read())}))`;
  const families = JSON.parse(run(openMetricsPython!, ['-c', script], text)) as Record<string, number>;
  expect(families).toMatchObject({ sightline_build_info: 1, sightline_check: 3, sightline_db_connections_max: 1 });
  expect(families.sightline_http_requests).toBeGreaterThan(0);
});

test.skipIf(promtool === null)(
  'promtool accepts the configuration, the rules and all queries of the dashboard',
  async () => {
    expect(run(promtool!, ['check', 'config', join(FOLDER, 'prometheus.yml')])).toContain('SUCCESS');
    expect(run(promtool!, ['check', 'rules', join(FOLDER, 'alerts.yml')])).toContain('SUCCESS');
    const rules = (await listQueries()).map((expr, at) => ({
      record: `query_${at}`,
      expr: expr.replaceAll('$instance', '.*'),
    }));
    const file = join(await temporaryFolder(), 'queries.json');
    await writeFile(file, JSON.stringify({ groups: [{ name: 'queries', rules }] }));
    expect(run(promtool!, ['check', 'rules', file])).toContain(`${rules.length} rules found`);
  },
);
