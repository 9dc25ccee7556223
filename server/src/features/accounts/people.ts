import type { SsoConfig } from '#platform/config/index';
import type { Database } from '#platform/db/index';
import { createRateLimitStore } from '#platform/http/index';
import type { Log } from '#platform/log';
import type { Sealer, Secrets } from '#platform/secrets/index';
import { createPasswordResets, type PasswordResets, type ResetsDeps } from './links/resets.ts';
import { createLinks, type Links } from './links/service.ts';
import { createMembers, type Members } from './members/service.ts';
import { createPasswords, type Passwords } from './passwords.ts';
import { problems } from './problems.ts';
import { createFactors } from './second-factor/factors.ts';
import { createEnrollment, type Enrollment } from './second-factor/service.ts';
import { createDevices, type Devices } from './sessions/devices.ts';
import { createSessions, type Sessions } from './sessions/service.ts';
import { createProvider } from './sso/provider.ts';
import { createSso, type Sso } from './sso/service.ts';

/** Users: sign-in, invitations, roles. */
export interface People {
  sessions: Sessions;
  enrollment: Enrollment;
  links: Links;
  members: Members;
  sso: Sso;
  resets: PasswordResets;
  devices: Devices;
  /** Removes expired sessions and links. Returns their number. */
  purge(): Promise<number>;
  close(): Promise<void>;
}

export type PeopleDeps = {
  database: Database;
  log: Log;
  secrets: Secrets;
  sealer: Pick<Sealer, 'seal' | 'open'>;
  /** Address of the service, without a trailing slash: links start with it. */
  publicUrl: string;
  /** Duration of a session in seconds. */
  sessionS: number;
  /** Provider of single sign-on; null if none is configured. */
  sso: SsoConfig | null;
  /** Password hashing; default: scrypt at full cost. */
  passwords?: Passwords;
  now?: () => number;
  /** Dependencies of mails with links; absent on the command line, which prints links. */
  resetMails?: Pick<ResetsDeps, 'jobs' | 'mailer' | 'limits'>;
};

/** Password resets of the command line, which neither serves requests nor runs jobs. */
const NO_RESETS: PasswordResets = {
  offered: false,
  request: async () => {
    throw problems.password_reset_off();
  },
  registerJobs: () => {},
};

export function createPeople({
  database,
  log,
  secrets,
  sealer,
  publicUrl,
  sessionS,
  sso,
  passwords = createPasswords(),
  now = Date.now,
  resetMails,
}: PeopleDeps): People {
  const factors = createFactors({ sealer, limits: createRateLimitStore(database.db), now });
  const sessions = createSessions({ database, log, passwords, factors, sessionS, now });
  const links = createLinks({ database, passwords, sessions, factors, publicUrl, now });
  return {
    sessions,
    enrollment: createEnrollment({ database, passwords, sessions, factors, publicUrl, now }),
    links,
    devices: createDevices({ secrets, now }),
    resets: resetMails ? createPasswordResets({ ...resetMails, database, links, publicUrl }) : NO_RESETS,
    members: createMembers({ database, sessions, now }),
    sso: createSso({
      database,
      sessions,
      secrets,
      provider: sso && createProvider(sso, publicUrl),
      welcome: sso ?? { domains: [], role: 'member' },
      now,
    }),
    purge: async () => (await sessions.purge()) + (await links.purge()),
    close: () => sessions.close(),
  };
}
