/**
 * Compares requests per second with the metrics collected and scraped every second and without them, on the same
 * service, in turn in one run. `npm run bench -- monitoring`
 */
import autocannon from 'autocannon';
import { createMetrics } from '../../server/src/platform/metrics/metrics.ts';
import { interleave, median } from '../lib/measure.ts';
import { startService } from '../lib/service.ts';
import type { BenchmarkRow } from '../run.ts';

const ROUNDS = 25;
const REQUESTS = 3_000;
/** Fifteen times as often as in `deploy/prometheus/prometheus.yml`. */
const SCRAPE_MS = 1_000;

export async function run(): Promise<BenchmarkRow[]> {
  const service = await startService();
  const { sightline, baseUrl, apiKey } = service;
  const { database, diskSpace, jobs, media, system } = sightline;
  const sources = {
    version: 'bench',
    roles: 'api,worker',
    database,
    disk: diskSpace,
    jobs,
    media,
    checks: system.checks,
  };
  const load = async (): Promise<number> => {
    const { non2xx, errors, duration } = await autocannon({
      url: `${baseUrl}/api/keys/verify`,
      method: 'POST',
      headers: { 'x-api-key': apiKey },
      connections: 10,
      amount: REQUESTS,
      workers: 1,
      sampleInt: 20,
    });
    if (non2xx > 0 || errors > 0) throw new Error(`${non2xx + errors} requests failed`);
    return REQUESTS / duration;
  };
  const observed = async (): Promise<number> => {
    const metrics = createMetrics(sources);
    const scraping = setInterval(() => void metrics.text(), SCRAPE_MS);
    try {
      return await load();
    } finally {
      clearInterval(scraping);
      metrics.close();
    }
  };
  try {
    await load();
    const rates = await interleave(ROUNDS, { without: load, observed });
    return [
      { name: 'key verification without metrics, requests/s', value: median(rates.without), unit: '/s' },
      {
        name: 'key verification with metrics against without',
        value: median(rates.observed.map((rate, round) => rate / rates.without[round]!)),
        unit: '×',
        bar: { min: 0.97 },
        note: 'scraped every second',
      },
    ];
  } finally {
    await service.stop();
  }
}
