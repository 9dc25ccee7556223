import { createHash } from 'node:crypto';
import type { ClientInfo } from '#features/audit/index';
import type { Database } from '#platform/db/index';
import type { RateLimitStore } from '#platform/http/index';
import type { Jobs } from '#platform/jobs/index';
import type { Messaging } from '#platform/messaging/index';
import { normalizeEmail } from '../email.ts';
import { problems } from '../problems.ts';
import * as users from '../store.ts';
import { mailReset } from './jobs.ts';
import type { Links } from './service.ts';

/** Mails to one address in a day: anybody may request them. */
const MAILS_PER_DAY = 3;

export interface PasswordResets {
  /** True if the service has a mail server. */
  readonly offered: boolean;
  /**
   * Requests a mail with a link to set a new password. A job looks up later whether there is an account, so that
   * neither the response nor its timing reveals it. Throws `password_reset_off` (409).
   */
  request(email: string, client: ClientInfo): Promise<void>;
  /** Registers the handler of the job. */
  registerJobs(): void;
}

export type ResetsDeps = {
  database: Database;
  jobs: Pick<Jobs, 'send' | 'handle'>;
  mailer: Messaging['mailer'];
  limits: RateLimitStore;
  links: Pick<Links, 'mailedLink'>;
  publicUrl: string;
};

export function createPasswordResets({ database, jobs, mailer, limits, links, publicUrl }: ResetsDeps): PasswordResets {
  async function isLimited(email: string): Promise<boolean> {
    const subject = `reset mails to ${createHash('sha256').update(email).digest('base64url')}`;
    const [used] = await limits.count([subject], MAILS_PER_DAY);
    // Uses over the limit of the minute do not count for the day.
    return Math.max(used!.minuteCount, used!.dayCount) > MAILS_PER_DAY;
  }

  return {
    offered: mailer !== null,
    async request(address, client) {
      if (!mailer) throw problems.password_reset_off();
      const email = normalizeEmail(address);
      // It may be a password in the wrong field, which must not be stored.
      if (email === null) return;
      const { address: ip, userAgent } = client;
      await database.transaction((trx) => jobs.send(trx, mailReset, { email, address: ip, userAgent }));
    },
    registerJobs() {
      jobs.handle(mailReset, async ({ email, address, userAgent }, { jobId, attempt, signal }) => {
        const user = await users.userByEmail(database.db, email);
        // Users of single sign-on have no password, and the first owner sets it by the link of the first start.
        if (!mailer || !user?.passwordHash) return;
        if (attempt === 0 && (await isLimited(email))) return;
        const client = { address, userAgent, operation: 'requestPasswordReset' };
        const url = await database.transaction((trx) => links.mailedLink(trx, user, client));
        const sent = await mailer.send(
          { to: user.email, ...toMail({ url, publicUrl, name: user.name }), id: jobId },
          signal,
        );
        if (!sent.ok) throw new Error(sent.reason);
      });
    },
  };
}

const toMail = ({ url, publicUrl, name }: { url: string; publicUrl: string; name: string }) => ({
  subject: 'Set a new password for Sightline',
  text: [
    `Hello ${name},`,
    '',
    `somebody requested a new password for your account at ${publicUrl}. To set one, open this link within an hour; it works once:`,
    '',
    url,
    '',
    'If it was not you, ignore this mail: your password stays as it is.',
    '',
  ].join('\n'),
});
