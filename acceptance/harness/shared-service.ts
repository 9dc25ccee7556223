import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'vitest';
import { SHARED_SERVICES } from './end-shared-services.ts';
import { type Service, startService } from './service.ts';

let started: Promise<Service> | null = null;

/**
 * The service that the test files of a worker share, one after another: with model weights, and allowed to connect to
 * this machine. For tests that do nothing to its processes and files, and work in an organization of their own
 * (`openConsole`). The run stops it at its end (`end-shared-services.ts`).
 */
export function shareService(): Promise<Service> {
  started ??= start();
  return started;
}

async function start(): Promise<Service> {
  const folder = inject('folder');
  const env = { SIGHTLINE_ALLOWED_NETWORKS: '127.0.0.0/8' };
  const service = await startService(join(folder, `shared data ${process.pid}`), { env });
  // None with SIGHTLINE_TEST_URL.
  if (service.env.SIGHTLINE_PORT) appendFileSync(join(folder, SHARED_SERVICES), `${service.pid}\n`);
  return service;
}
