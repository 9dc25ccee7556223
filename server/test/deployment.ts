import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const REPOSITORY = join(import.meta.dirname, '../..');

/** A file of the folder `deploy`. */
export const readDeployment = (path: string): Promise<string> => readFile(join(REPOSITORY, 'deploy', path), 'utf8');

/** Names of metrics in a query language text, with the labels of their selectors. */
export function listSelectors(text: string): { metric: string; labels: string[] }[] {
  const found = text.matchAll(/\b((?:sightline|nodejs|process)_[a-z0-9_]+)(?:\{([^}]*)\})?/g);
  return [...found].map(([, metric, selector]) => ({
    metric: metric!,
    labels: [...(selector ?? '').matchAll(/(\w+)\s*[=!]/g)].map(([, label]) => label!),
  }));
}

/** Queries of the dashboard and of the alert rules. */
export async function listQueries(): Promise<string[]> {
  const dashboard = JSON.parse(await readDeployment('grafana/sightline.json')) as {
    panels: { targets: { expr: string }[] }[];
  };
  const alerts = await readDeployment('prometheus/alerts.yml');
  const rules = alerts.split(/- alert: /).slice(1);
  return [
    ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...rules.map((rule) => /expr: ([\s\S]*?)\n {8}(?:for|labels):/.exec(rule)![1]!.replace(/^\|\s*/, '')),
  ];
}

/** The metrics of a scrape: names with the suffixes of samples, and the labels that each has. */
export function readScrape(text: string): Map<string, Set<string>> {
  const metrics = new Map<string, Set<string>>();
  const suffixes: Record<string, string[]> = {
    counter: ['_total'],
    histogram: ['_bucket', '_count', '_sum'],
    summary: ['', '_count', '_sum'],
    gauge: [''],
  };
  for (const [, name, type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm))
    for (const suffix of suffixes[type!] ?? ['']) metrics.set(`${name}${suffix}`, new Set());
  for (const [, name, labels] of text.matchAll(/^([a-z_0-9]+)(?:\{(.*)\})? \S+$/gim))
    for (const [, label] of (labels ?? '').matchAll(/(\w+)="/g)) metrics.get(name!)?.add(label!);
  return metrics;
}
