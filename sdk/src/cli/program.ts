import { Command } from 'commander';
import { apiCommand } from './api.ts';
import { askCommands } from './ask.ts';
import { completionCommand } from './completion.ts';
import { folderCommands } from './folders.ts';
import { importCommands } from './imports.ts';
import { keyCommands } from './keys.ts';
import { liveCommands } from './live.ts';
import { loginCommands } from './login.ts';
import { mcapCommands } from './mcap.ts';
import { openSession, type Session } from './session.ts';
import { endWithReader } from './terminal.ts';
import { videoCommands } from './videos.ts';

/** Makes a function the action of a command: it is handed the session and then what was said to the command. */
export type Run = <Said extends unknown[]>(
  work: (session: Session, ...said: Said) => Promise<void>,
) => (...said: Said) => Promise<void>;

/**
 * The command line of whoever uses a service: everything goes over HTTP, with a key. Each file of this folder brings the commands of one noun.
 * An expected failure prints its sentence and exits with 1.
 */
export async function runCommandLine(argv: string[], env: NodeJS.ProcessEnv): Promise<void> {
  endWithReader();
  const program = new Command('sightline')
    .description('Ask in plain words what happened in a video.')
    .option('--json', 'print answers as JSON, one line for each')
    .configureHelp({ showGlobalOptions: true });
  const run: Run =
    (work) =>
    async (...said) => {
      const { json = false } = program.opts<{ json?: boolean }>();
      const session = openSession(env, json);
      try {
        await work(session, ...said);
      } catch (error) {
        if (!(error instanceof Error)) throw error;
        session.fail(error);
      }
    };
  for (const add of [
    loginCommands,
    videoCommands,
    folderCommands,
    askCommands,
    importCommands,
    mcapCommands,
    liveCommands,
    keyCommands,
    apiCommand,
  ]) {
    add(program, run);
  }
  completionCommand(program);
  await program.parseAsync(argv);
}
