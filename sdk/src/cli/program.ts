import { Command } from 'commander';
import { apiCommand } from './commands/api.ts';
import { askCommands } from './commands/ask.ts';
import { batchCommands } from './commands/batches.ts';
import { datasetCommands } from './commands/datasets.ts';
import { eventCommands } from './commands/events.ts';
import { exportCommands } from './commands/exports.ts';
import { folderCommands } from './commands/folders.ts';
import { importCommands } from './commands/imports.ts';
import { keyCommands } from './commands/keys.ts';
import { liveCommands } from './commands/live.ts';
import { loginCommands } from './commands/login.ts';
import { mcapCommands } from './commands/mcap.ts';
import { mcpCommand } from './commands/mcp.ts';
import { questionCommands } from './commands/questions.ts';
import { reviewCommands } from './commands/review.ts';
import { systemCommands } from './commands/system.ts';
import { timelineCommands } from './commands/timeline.ts';
import { videoCommands } from './commands/videos.ts';
import { watchCommand } from './commands/watch.ts';
import { webhookCommands } from './commands/webhooks.ts';
import { completionCommand } from './completion.ts';
import { openSession } from './session.ts';
import { endWithReader } from './terminal.ts';
import type { Run } from './types.ts';

/** The command line of the client. The program of the service has its commands, too. */
export async function runCommandLine(argv: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const program = new Command('sightline').description('Ask in plain words what happened in a video.');
  addUserCommands(program, env);
  await program.parseAsync(argv);
}

/**
 * Adds the commands for users of a service. All use the HTTP API with a key; each file of the folder `commands` has
 * those of one noun. An expected failure prints its message and exits with 1.
 */
export function addUserCommands(program: Command, env: NodeJS.ProcessEnv): void {
  endWithReader();
  program.option('--json', 'print results as JSON, one per line').configureHelp({ showGlobalOptions: true });
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
    timelineCommands,
    askCommands,
    batchCommands,
    eventCommands,
    questionCommands,
    reviewCommands,
    exportCommands,
    datasetCommands,
    importCommands,
    mcapCommands,
    liveCommands,
    keyCommands,
    webhookCommands,
    systemCommands,
    watchCommand,
    mcpCommand,
    apiCommand,
  ]) {
    add(program, run);
  }
  completionCommand(program);
}
