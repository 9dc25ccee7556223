import { randomUUID } from 'node:crypto';
import type { Config } from '#platform/config/index';
import { createStorage } from '#platform/storage/index';
import { attempt, type Finding, ok } from './finding.ts';

const CONTENT = Buffer.from('written by sightline doctor');
const PREFIX = 'doctor/';

/** The bucket: every operation that the service needs, on an object of its own. */
export async function checkBucket(config: Pick<Config, 'storage' | 'dataDir'>): Promise<Finding[]> {
  const { storage: location } = config;
  if (location.kind !== 's3') return [];
  const unreachable = 'Check SIGHTLINE_STORAGE, SIGHTLINE_S3_ENDPOINT, the region and the credentials.';
  return attempt('bucket', unreachable, async () => {
    const storage = await createStorage(location, { dataDir: config.dataDir, removesAbandoned: false });
    const key = `${PREFIX}${randomUUID()}`;
    const operations: [string, string, () => Promise<unknown>][] = [
      ['write', 's3:PutObject', () => storage.write(key, CONTENT)],
      ['read', 's3:GetObject', () => storage.readAll(key)],
      ['list', 's3:ListBucket', () => Array.fromAsync(storage.list(PREFIX))],
      ['delete', 's3:DeleteObject', () => storage.remove(key)],
    ];
    try {
      const findings: Finding[] = [];
      for (const [name, right, run] of operations) {
        const check = `bucket: ${name}`;
        const remedy = `Allow ${right} on ${location.bucket}, for all objects${location.prefix ? ` below ${location.prefix}` : ''}.`;
        findings.push(
          ...(await attempt(check, remedy, async () => {
            await run();
            return ok(check, location.bucket);
          })),
        );
      }
      return findings;
    } finally {
      await storage.close();
    }
  });
}
