import { createSightline } from '../client.ts';
import type { Sightline } from '../types.ts';
import { type LocalState, type Login, openLocalState } from './local-state.ts';
import { plain } from './terminal.ts';

const DEFAULT_URL = 'http://localhost:8099';

/** Context of a command. */
export type CliSession = {
  env: NodeJS.ProcessEnv;
  /** URL of the service: from the option, the environment, the login, or the default on this machine. */
  resolveUrl(option?: string): Promise<string>;
  /** Returns the current login. Throws if there is none. */
  login(): Promise<Login>;
  /** Client of the service with the key of the login. */
  sightline(): Promise<Sightline>;
  state: LocalState;
  json: boolean;
  /** Prints a result: as one line of JSON with `--json`, else as text. */
  print(answer: unknown, text: () => string): void;
  /** Prints an error, for `subject` if there are several; the command exits with 1. */
  fail(error: Error, subject?: string): void;
};

export function openSession(env: NodeJS.ProcessEnv, json: boolean): CliSession {
  const state = openLocalState(env);
  const session: CliSession = {
    env,
    json,
    state,
    async resolveUrl(option) {
      const url = option ?? env.SIGHTLINE_URL ?? (await state.login())?.url ?? DEFAULT_URL;
      if (/^https?:\/\//.test(url)) return url;
      throw new Error(`"${url}" is not a URL of a service. It must start with http:// or https://.`);
    },
    async login() {
      const url = await session.resolveUrl();
      const login = await state.login();
      // A stored key is sent only to the service that it was stored for.
      const own = login && URL.parse(login.url)?.href === URL.parse(url)?.href ? login.key : null;
      const key = env.SIGHTLINE_API_KEY ?? own;
      if (!key) throw new Error(`You are not logged in at ${url}. Run \`sightline login\`, or set SIGHTLINE_API_KEY.`);
      return { url, key };
    },
    async sightline() {
      const { url, key } = await session.login();
      return createSightline({ baseUrl: url, apiKey: key });
    },
    print: (answer, text) => void process.stdout.write(`${json ? JSON.stringify(answer) : plain(text())}\n`),
    fail(error, subject) {
      process.stderr.write(`${plain(`${subject ? `${subject}: ` : ''}${sentenceOf(error)}`)}\n`);
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
  // A failed connection has its reason in the cause; one that failed in several ways has only a code.
  if (name !== 'TypeError' || !(cause instanceof Error)) return message;
  return `The service cannot be reached: ${cause.message || (cause as NodeJS.ErrnoException).code}.`;
}
