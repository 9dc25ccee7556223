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
import { openSession } from './session.ts';
import { endWithReader } from './terminal.ts';
import type { Run } from './types.ts';
import { videoCommands } from './videos.ts';

/**
 * Command line for users of a service. All commands use the HTTP API with a key; each file of this folder has the
 * commands of one noun. An expected failure prints its message and exits with 1.
 */
export async function runCommandLine(argv: string[], env: NodeJS.ProcessEnv): Promise<void> {
  endWithReader();
  const program = new Command('sightline')
    .description('Ask in plain words what happened in a video.')
    .option('--json', 'print results as JSON, one per line')
    .configureHelp({ showGlobalOptions: true });
  const run: Run =
    (work) =>
    async (...args) => {
      const { json = false } = program.opts<{ json?: boolean }>();
      const session = openSession(env, json);
      try {
        await work(session, ...args);
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
