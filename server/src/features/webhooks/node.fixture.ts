import type { Database } from '#platform/db/index';
import { createRateLimitStore } from '#platform/http/index';
import { createJobs } from '#platform/jobs/index';
import { createLog } from '#platform/log';
import { createGuardedFetch } from '#platform/net/index';
import { createSealer, createSecrets } from '#platform/secrets/index';
import { webhookJobs } from './jobs.ts';
import { createWebhooks } from './service.ts';

const SECRET = 'a root secret of the test that is long enough';

/** The parts of a service that deliver messages, on a database. */
export function createNode(database: Database) {
  const jobs = createJobs({ database, log: createLog('warn'), definitions: webhookJobs });
  const net = createGuardedFetch({ allowedNetworks: ['127.0.0.0/8'] });
  const webhooks = createWebhooks({
    database,
    jobs,
    net,
    messaging: { mailer: null, broker: null },
    sealer: createSealer(SECRET),
    secrets: createSecrets(SECRET),
    limits: createRateLimitStore(database.db),
    folders: { require: () => Promise.reject(new Error('no webhook has a folder')) },
    publicUrl: 'http://public.example',
  });
  return { webhooks, jobs, net };
}
