import { join } from 'node:path';
import { inject } from 'vitest';
import { freePort } from '../../server/src/platform/net/index.ts';
import { startShared } from '../../server/test/child-processes.ts';
import { type Service, startService } from './service.ts';

let started: Promise<Service> | null = null;

/**
 * The service that the test files of a worker share, one after another: with model weights, and allowed to connect to
 * this machine. Observations of clips are shared with other nodes of the run. For tests that do nothing to its
 * processes and files, and work in an organization of their own (`openConsole`). The run stops it at its end
 * (`end-services.ts`).
 */
export function shareService(): Promise<Service> {
  started ??= startShared(async () =>
    startService(join(inject('folder'), `shared data ${process.pid}`), {
      env: { SIGHTLINE_ALLOWED_NETWORKS: '127.0.0.0/8', SIGHTLINE_RTMP_LISTEN: `127.0.0.1:${await freePort()}` },
      sharesObservations: true,
    }),
  );
  return started;
}
