import { availableParallelism } from 'node:os';
import { number } from '@sightline/sdk/terminal';
import { Command, InvalidArgumentError, Option } from 'commander';
import { loadConfig } from '#platform/config/index';
import { createLog } from '#platform/log';
import { sentenceOf } from '#platform/problem';
import { VERSION } from '../version.ts';
import type { BackupOptions, RestoreOptions } from './backup.ts';
import { abortOnInterruption, INTERRUPTED } from './interruption.ts';
import type { NewKeyOptions } from './keys.ts';
import type { Context } from './types.ts';

/**
 * The command line: commands of the node, which open its database and data folder and need no key, and those of the
 * client. Each command of the node is a file in this folder, imported on use. An expected failure prints its message
 * and exits with 1.
 */
export async function runCommandLine(argv: string[], env: NodeJS.ProcessEnv): Promise<void> {
  ignoreClosedOutput();
  const program = new Command('sightline')
    .description('Ask in plain words what happened in a video.')
    .version(VERSION)
    .commandsGroup('Commands of the node, without a key:');
  const withContext =
    <Args extends unknown[]>(run: (context: Context, ...args: Args) => Promise<void>, logLevel = 'warn') =>
    async (...args: Args) => {
      const interrupted = abortOnInterruption(env);
      try {
        const config = loadConfig(env, availableParallelism());
        // Commands import what they need later, so that nothing else has run as root.
        if (config.user) {
          const { becomeUser } = await import('#platform/process-user/become-user');
          await becomeUser(config, { signal: interrupted, print: (line) => process.stderr.write(`${line}\n`), env });
        }
        await run({ config, log: createLog(config.logLevel ?? logLevel), interrupted }, ...args);
      } catch (error) {
        if (interrupted.aborted) process.exitCode = INTERRUPTED;
        else fail(error);
      }
    };

  program
    .command('start')
    .description('run the whole service: API, workers and, without DATABASE_URL, the database')
    .addOption(new Option('--only <role>', 'run only API requests, or only jobs, beside other nodes').choices(ROLES))
    .action(
      withContext(
        async (context, { only }: { only?: (typeof ROLES)[number] }) =>
          (await import('./start.ts')).start(context, { api: only !== 'worker', worker: only !== 'api' }),
        'info',
      ),
    );
  program
    .command('migrate')
    .description('migrate the database to this version')
    .action(withContext(async (context) => (await import('./migrate.ts')).migrateDatabase(context)));
  program
    .command('doctor')
    .description('check what the service needs of this machine, its database and its bucket; exits with 1 on a failure')
    .option('--json', 'print the findings as JSON')
    .action(
      withContext(async (context, options: { json?: boolean }) =>
        (await import('./doctor.ts')).doctor(context, options),
      ),
    );
  program
    .command('demo')
    .description('set everything up, analyze a video and show the result')
    .argument('[clip]', 'video file (default: a generated scene)')
    .argument('[prompt]', 'what to look for, in plain words')
    .action(
      withContext(async (context, clip: string | undefined, prompt: string | undefined) =>
        (await import('./demo.ts')).demo(context, clip, prompt),
      ),
    );
  program
    .command('analyze')
    .description('analyze a file without a server')
    .argument('<clip>')
    .argument('<prompt>')
    .option('--local', 'analyze in this process (the only mode)', true)
    .option('--json', 'print the analysis document as JSON')
    .option('--min-confidence <share>', 'least confidence of an event, 0 to 1 (default: 0.5)', number)
    .action(
      withContext(async (context, clip: string, prompt: string, options: { json?: boolean; minConfidence?: number }) =>
        (await import('./analyze.ts')).analyzeLocally(context, clip, prompt, options),
      ),
    );

  program
    .command('eval')
    .description('measure the configured models on your own labels, without a server')
    .requiredOption('--labels <file>', 'JSON file: {"labels": [{"video", "prompt", "events": [[from, to]], "answer"}]}')
    .option('--json', 'print the figures and the result of each label as JSON')
    .action(
      withContext(async (context, options: { labels: string; json?: boolean }) =>
        (await import('./eval/evaluate-labels.ts')).evaluateLabels(context, options),
      ),
    );

  program
    .command('vision')
    .alias('look')
    .description('vision-language models')
    .command('probe')
    .description('try the endpoints of the configured models: images, order, context, tokens, speed')
    .argument('[profile]', 'only this profile')
    .option('--json', 'print one line of JSON for each profile')
    .action(
      withContext(async (context, profile: string | undefined, options: { json?: boolean }) =>
        (await import('./vision.ts')).probeProfiles(context, profile, options),
      ),
    );

  program
    .command('observe')
    .description(
      'observe every frame of a video with this version of the engine (default: all videos that were observed before)',
    )
    .argument('[video_id]')
    .option('--again', 'observe everything again, not only what is missing or outdated')
    .action(
      withContext(async (context, videoId: string | undefined, options: { again?: boolean }) =>
        (await import('./observe.ts')).observe(context, videoId, options),
      ),
    );

  const accounts = program.command('accounts').description('users, organizations and keys of this service');
  accounts
    .command('list')
    .action(withContext(async (context) => (await import('./accounts.ts')).listAccounts(context)));
  accounts
    .command('link')
    .description('print a link for setting a password (default: for the first owner)')
    .argument('[email]')
    .action(
      withContext(async (context, email: string | undefined) =>
        (await import('./accounts.ts')).linkAccount(context, email),
      ),
    );
  accounts
    .command('reset-second-factor')
    .description('remove the second factor of a user who has lost it, such as the last administrator')
    .argument('<email>')
    .action(
      withContext(async (context, email: string) => (await import('./accounts.ts')).resetSecondFactor(context, email)),
    );
  accounts
    .command('create-organization')
    .description('create an organization and print a link for its owner')
    .requiredOption('--name <name>', 'name of the organization')
    .requiredOption('--email <email>', 'e-mail address of the owner')
    .action(
      withContext(async (context, options: { name: string; email: string }) =>
        (await import('./accounts.ts')).createOrganization(context, options),
      ),
    );

  accounts
    .command('create-key')
    .description('create a key of the first owner and print it once')
    .requiredOption('--name <name>', 'purpose of the key')
    .option('--scopes <scopes>', 'comma-separated: read, write, admin', 'read,write')
    .option('--days <days>', 'days until it expires (default: 90)', wholeNumber)
    .option('--folder <id>', 'restrict the key to this folder')
    .action(
      withContext(async (context, options: NewKeyOptions) => (await import('./keys.ts')).createKey(context, options)),
    );
  accounts
    .command('list-keys')
    .description('list the keys of the first organization')
    .action(withContext(async (context) => (await import('./keys.ts')).listKeys(context)));
  accounts
    .command('revoke-key')
    .description('revoke a key of the first organization')
    .argument('<key>', "the key's id or its first 8 characters")
    .action(withContext(async (context, key: string) => (await import('./keys.ts')).revokeKey(context, key)));

  const models = program.command('models').description('models of this machine, such as the object detector');
  models
    .command('list')
    .description('list all models and whether they are there')
    .action(withContext(async (context) => (await import('./models.ts')).listModels(context)));
  models
    .command('fetch')
    .description('download a model; an interrupted download is continued')
    .argument('<name>')
    .action(withContext(async (context, name: string) => (await import('./models.ts')).fetchModel(context, name)));
  models
    .command('verify')
    .description('compare the files of a model with the published ones (default: of all models that are there)')
    .argument('[name]')
    .action(
      withContext(async (context, name: string | undefined) =>
        (await import('./models.ts')).verifyModels(context, name),
      ),
    );
  models
    .command('remove')
    .description('delete the files of a model')
    .argument('<name>')
    .action(withContext(async (context, name: string) => (await import('./models.ts')).removeModel(context, name)));

  program
    .command('secrets')
    .description('encrypted credentials')
    .command('rotate')
    .description('encrypt everything again with SIGHTLINE_SECRET; SIGHTLINE_PREVIOUS_SECRET decrypts what is stored')
    .action(withContext(async (context) => (await import('./secrets.ts')).rotateSecrets(context)));

  program
    .command('quota')
    .description('show the usage and limits of an organization, or set its limits')
    .argument('[organization]', 'id of the organization (default: the first)')
    .option('--videos <count>', 'maximum number of videos, or `default` for the limit of the service', countOrDefault)
    .option('--bytes <count>', 'maximum size of all videos in bytes, or `default`', countOrDefault)
    .action(
      withContext(async (context, organization: string | undefined, options: { videos?: Limit; bytes?: Limit }) =>
        (await import('./quota.ts')).quota(context, {
          organization,
          maxVideos: toLimit(options.videos),
          maxBytes: toLimit(options.bytes),
        }),
      ),
    );

  const audit = program.command('audit').description('the audit log');
  audit
    .command('verify')
    .description(
      'recompute the digests of the audit log (default: of all organizations); fails if an entry is missing or altered',
    )
    .argument('[organization]', 'id of the organization')
    .option(
      '--known <position:digest>',
      'compare with a position and digest that you noted (default: of the first organization)',
    )
    .action(
      withContext(async (context, organization: string | undefined, { known }: { known?: string }) =>
        (await import('./audit.ts')).verifyAudit(context, { organization, known }),
      ),
    );
  audit
    .command('erase')
    .description(
      'erase address, user agent and details of all entries of a user, or about an object; their digests remain',
    )
    .argument('<subject>', 'id or e-mail address of the user, or id of the object')
    .option('--organization <id>', 'id of the organization (default: the first)')
    .action(
      withContext(async (context, subject: string, options: { organization?: string }) =>
        (await import('./audit.ts')).eraseFromAudit(context, subject, options),
      ),
    );

  program
    .command('backup')
    .description('add a backup of the database and the files to a folder or bucket, while the service runs')
    .argument('<target>', 'folder, or s3://BUCKET/PREFIX; what earlier backups there have is not copied again')
    .option('--recipient <key>', 'encrypt for this public key of age (`backup-key` makes one)')
    .option('--keep <count>', 'delete all but the newest backups after it', wholeNumber)
    .option('--database-only', 'copy only the files of the embedded database, into a new folder')
    .action(
      withContext(async (context, target: string, options: BackupOptions) =>
        (await import('./backup.ts')).backup(context, target, options),
      ),
    );
  program
    .command('restore')
    .description('restore a backup into an empty database and storage')
    .argument('<source>', 'folder, or s3://BUCKET/PREFIX')
    .option('--identity <file>', 'file with the secret key of an encrypted backup')
    .option('--backup <id>', 'which backup (default: the newest)')
    .action(
      withContext(async (context, source: string, options: RestoreOptions) =>
        (await import('./backup.ts')).restore(context, source, options),
      ),
    );
  program
    .command('verify-backup')
    .description('read all content of a backup and compare it with its checksums')
    .argument('<source>', 'folder, or s3://BUCKET/PREFIX')
    .option('--identity <file>', 'file with the secret key of an encrypted backup')
    .option('--backup <id>', 'which backup (default: the newest)')
    .action(
      withContext(async (context, source: string, options: RestoreOptions) =>
        (await import('./backup.ts')).verify(context, source, options),
      ),
    );
  program
    .command('backup-key')
    .description('print a new key pair for encrypted backups: redirect it into a file')
    .action(withContext(async () => (await import('./backup.ts')).printBackupKey()));

  // Loaded for commands that are not of the node: they take a tenth of a second.
  if (!program.commands.some((command) => command.name() === commandOf(argv))) {
    program.commandsGroup('Commands for users, with a key:');
    (await import('@sightline/sdk/cli')).addUserCommands(program, env);
  }
  await program.parseAsync(argv);
}

const ROLES = ['api', 'worker'] as const;

const commandOf = (argv: readonly string[]) => argv.slice(2).find((word) => !word.startsWith('-'));

function wholeNumber(text: string): number {
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError('must be a whole number');
  return Number(text);
}

/** commander treats null as an empty option, so `default` is converted when the command runs. */
type Limit = number | 'default';
const countOrDefault = (text: string): Limit => (text === 'default' ? text : wholeNumber(text));
const toLimit = (limit: Limit | undefined) => (limit === 'default' ? null : limit);

/** Ignores that the reader of the output has closed it (`head`, a closed terminal). */
function ignoreClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
    });
  }
}

/** Prints the message of an expected failure, or the stack of an unexpected one. */
function fail(error: unknown): void {
  const known = sentenceOf(error);
  const text =
    error instanceof Error && known.startsWith('Something went wrong') ? (error.stack ?? error.message) : known;
  process.stderr.write(`${text}\n`);
  process.exitCode = 1;
}
