import { createSightline, type Sightline } from '../client.ts';
import { type Kept, type Login, openKept } from './kept.ts';
import { plain } from './terminal.ts';

const DEFAULT_URL = 'http://localhost:8099';

/** What every command gets. */
export type Session = {
  env: NodeJS.ProcessEnv;
  /** Where the service is: what was said, what the environment says, what was kept, or this machine. */
  urlOf(said?: string): Promise<string>;
  /** Who is logged in. Throws a sentence when nobody is. */
  login(): Promise<Login>;
  /** The service, as whoever is logged in. */
  sightline(): Promise<Sightline>;
  kept: Kept;
  json: boolean;
  /** Prints an answer: as it is with `--json`, one line for each, else as text. */
  tell(answer: unknown, text: () => string): void;
  /** Says what went wrong, of `what` where there are several; the command ends with 1. */
  fail(error: Error, what?: string): void;
};

export function openSession(env: NodeJS.ProcessEnv, json: boolean): Session {
  const kept = openKept(env);
  const session: Session = {
    ...{ env, json, kept },
    async urlOf(said) {
      const url = said ?? env.SIGHTLINE_URL ?? (await kept.login())?.url ?? DEFAULT_URL;
      if (/^https?:\/\//.test(url)) return url;
      throw new Error(`"${url}" is no address of a service: those begin with http:// or https://.`);
    },
    async login() {
      const url = await session.urlOf();
      const login = await kept.login();
      // A key that was kept is for the service it was tried at, and for no other to see.
      const own = login && URL.parse(login.url)?.href === URL.parse(url)?.href ? login.key : null;
      const key = env.SIGHTLINE_API_KEY ?? own;
      if (!key) throw new Error(`Nobody is logged in at ${url}: run \`sightline login\`, or set SIGHTLINE_API_KEY.`);
      return { url, key };
    },
    async sightline() {
      const { url, key } = await session.login();
      return createSightline({ baseUrl: url, apiKey: key });
    },
    tell: (answer, text) => void process.stdout.write(`${json ? JSON.stringify(answer) : plain(text())}\n`),
    fail(error, what) {
      process.stderr.write(`${plain(`${what ? `${what}: ` : ''}${sentenceOf(error)}`)}\n`);
      process.exitCode = 1;
    },
  };
  return session;
}

const FILES: Record<string, string> = {
  ENOENT: 'There is no file',
  EACCES: 'You may not read',
  EISDIR: 'This is a folder:',
};

function sentenceOf({ name, message, code = '', path, cause }: NodeJS.ErrnoException): string {
  if (path !== undefined && FILES[code]) return `${FILES[code]} ${path}.`;
  // A connection that fails says why only in its cause, and one that failed in several ways not even there.
  if (name !== 'TypeError' || !(cause instanceof Error)) return message;
  return `The service cannot be reached: ${cause.message || (cause as NodeJS.ErrnoException).code}.`;
}
