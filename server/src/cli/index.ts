import { availableParallelism } from 'node:os';
import { Command, InvalidArgumentError } from 'commander';
import { type Config, loadConfig } from '#platform/config/index';
import { createLog, type Log } from '#platform/log';
import { sentenceOf } from '#platform/problem';
import { VERSION } from '../version.ts';
import { abortOnInterruption, INTERRUPTED } from './interruption.ts';
import type { NewKeyOptions } from './keys.ts';

/** What every command gets: the configuration, the log, and a signal that aborts when the command should stop. */
export type Context = { config: Config; log: Log; interrupted: AbortSignal };

/**
 * The command line. Each command is a file of this folder, loaded when it is asked for; here they are only named and described. An expected
 * failure prints its sentence and exits with 1.
 */
export async function runCommandLine(argv: string[], env: NodeJS.ProcessEnv): Promise<void> {
  goOnUnread();
  const program = new Command('sightline').description('Ask in plain words what happened in a video.').version(VERSION);
  const withContext =
    <Args extends unknown[]>(run: (context: Context, ...args: Args) => Promise<void>) =>
    async (...args: Args) => {
      const interrupted = abortOnInterruption(env);
      try {
        const config = loadConfig(env, availableParallelism());
        await run({ config, log: createLog(config.logLevel), interrupted }, ...args);
      } catch (error) {
        if (interrupted.aborted) process.exitCode = INTERRUPTED;
        else fail(error);
      }
    };

  program
    .command('start')
    .description('run the whole service: API, workers and, without DATABASE_URL, the database')
    .action(withContext(async (context) => (await import('./start.ts')).start(context, { api: true, worker: true })));
  program
    .command('api')
    .description('run an API node only (needs a worker somewhere)')
    .action(withContext(async (context) => (await import('./start.ts')).start(context, { api: true, worker: false })));
  program
    .command('worker')
    .description('run a worker node only')
    .action(withContext(async (context) => (await import('./start.ts')).start(context, { api: false, worker: true })));
  program
    .command('migrate')
    .description('bring the database to this version')
    .action(withContext(async (context) => (await import('./migrate.ts')).migrateDatabase(context)));
  program
    .command('demo')
    .description('set everything up, run the main job once and show the result')
    .argument('[clip]', 'a video; without one a scene is drawn')
    .argument('[prompt]', 'what to look for, in plain words')
    .action(
      withContext(async (context, clip: string | undefined, prompt: string | undefined) =>
        (await import('./demo.ts')).demo(context, clip, prompt),
      ),
    );
  program
    .command('analyze')
    .description('analyse a file without a server')
    .argument('<clip>')
    .argument('<prompt>')
    .option('--local', 'in this process; the only way there is for now', true)
    .option('--json', 'print the whole answer as JSON')
    .action(
      withContext(async (context, clip: string, prompt: string, options: { json?: boolean }) =>
        (await import('./analyze.ts')).analyzeLocally(context, clip, prompt, options),
      ),
    );

  program
    .command('observe')
    .description(
      'have every frame of videos observed by this version of the engine; without an id of all that were observed before, be it by a sparse look only',
    )
    .argument('[video_id]')
    .option('--again', 'everything, not only what is missing or of an older version')
    .action(
      withContext(async (context, videoId: string | undefined, options: { again?: boolean }) =>
        (await import('./observe.ts')).observe(context, videoId, options),
      ),
    );

  const keys = program.command('keys').description('API keys');
  keys
    .command('create')
    .requiredOption('--name <name>', 'what it is for')
    .option('--scopes <scopes>', 'comma-separated: read, write, admin', 'read,write')
    .option('--days <days>', 'days until it expires (default: 90)', wholeNumber)
    .option('--folder <id>', 'the one folder it reaches')
    .action(
      withContext(async (context, options: NewKeyOptions) => (await import('./keys.ts')).createKey(context, options)),
    );
  keys.command('list').action(withContext(async (context) => (await import('./keys.ts')).listKeys(context)));
  keys
    .command('revoke')
    .argument('<key>', "the key's id or its first 8 characters")
    .action(withContext(async (context, key: string) => (await import('./keys.ts')).revokeKey(context, key)));

  const accounts = program.command('accounts').description('people and organisations');
  accounts
    .command('list')
    .action(withContext(async (context) => (await import('./accounts.ts')).listAccounts(context)));
  accounts
    .command('link')
    .description('a link by which someone chooses a password; without an address, the first owner')
    .argument('[email]')
    .action(
      withContext(async (context, email: string | undefined) =>
        (await import('./accounts.ts')).linkAccount(context, email),
      ),
    );
  accounts
    .command('create-organization')
    .description('another organisation, and a link for its owner')
    .requiredOption('--name <name>', 'what it is called')
    .requiredOption('--email <email>', 'address of its owner')
    .action(
      withContext(async (context, options: { name: string; email: string }) =>
        (await import('./accounts.ts')).createOrganization(context, options),
      ),
    );

  program
    .command('secrets')
    .description('what is kept sealed')
    .command('rotate')
    .description(
      'seal everything with the present SIGHTLINE_SECRET; SIGHTLINE_PREVIOUS_SECRET opens what was sealed before',
    )
    .action(withContext(async (context) => (await import('./secrets.ts')).rotateSecrets(context)));

  program
    .command('quota')
    .description('show what an organisation takes up and may have, or give it limits of its own')
    .argument('[organization]', 'its id; without one the first organisation')
    .option('--videos <count>', 'most videos, or `default` for the limit of the service', countOrDefault)
    .option('--bytes <count>', 'most bytes of videos, or `default`', countOrDefault)
    .action(
      withContext(async (context, organization: string | undefined, options: { videos?: Limit; bytes?: Limit }) =>
        (await import('./quota.ts')).quota(context, {
          organization,
          maxVideos: own(options.videos),
          maxBytes: own(options.bytes),
        }),
      ),
    );

  program
    .command('backup')
    .description('copy the embedded database into a new folder while it runs')
    .argument('<folder>')
    .action(withContext(async (context, folder: string) => (await import('./backup.ts')).backup(context, folder)));
  program
    .command('restore')
    .description('put a backup into an empty data folder')
    .argument('<folder>')
    .action(withContext(async (context, folder: string) => (await import('./backup.ts')).restore(context, folder)));

  await program.parseAsync(argv);
}

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('must be a whole number');
  return Number(text);
}

/** An option that is read as null would be an empty text: `default` stays what it is until its command runs. */
type Limit = number | 'default';
const countOrDefault = (text: string): Limit => (text === 'default' ? text : wholeNumber(text));
const own = (limit: Limit | undefined) => (limit === 'default' ? null : limit);

/** The reader of our output may leave (`| head`, a `tee` that Ctrl-C ended, a terminal that was closed): no reason to fail. */
function goOnUnread(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
    });
  }
}

/** Prints what a person can act on; the rest only where someone asked for it. */
function fail(error: unknown): void {
  const known = sentenceOf(error);
  const text =
    error instanceof Error && known.startsWith('Something went wrong') ? (error.stack ?? error.message) : known;
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
}
