import { Command } from 'commander';
import { cameraCommands } from './commands/library/cameras.ts';
import { folderCommands } from './commands/library/folders.ts';
import { forgetCommand } from './commands/library/forget.ts';
import { importCommands } from './commands/library/imports.ts';
import { liveCommands } from './commands/library/live.ts';
import { mcapCommands } from './commands/library/mcap.ts';
import { observationCommands } from './commands/library/observations.ts';
import { timelineCommands } from './commands/library/timeline.ts';
import { videoCommands } from './commands/library/videos.ts';
import { zoneCommands } from './commands/library/zones.ts';
import { askCommands } from './commands/results/ask.ts';
import { batchCommands } from './commands/results/batches.ts';
import { datasetCommands } from './commands/results/datasets.ts';
import { eventCommands } from './commands/results/events.ts';
import { exportCommands } from './commands/results/exports.ts';
import { frameCommands } from './commands/results/frames.ts';
import { passageCommands } from './commands/results/passages.ts';
import { questionCommands } from './commands/results/questions.ts';
import { reviewCommands } from './commands/results/review.ts';
import { apiCommand } from './commands/service/api.ts';
import { keyCommands } from './commands/service/keys.ts';
import { loginCommands } from './commands/service/login.ts';
import { mcpCommand } from './commands/service/mcp.ts';
import { systemCommands } from './commands/service/system.ts';
import { watchCommand } from './commands/service/watch.ts';
import { webhookCommands } from './commands/service/webhooks.ts';
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
 * Adds the commands for users of a service. All use the HTTP API with a key; each file below `commands` has those
 * of one noun. An expected failure prints its message and exits with 1.
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
    forgetCommand,
    folderCommands,
    timelineCommands,
    zoneCommands,
    observationCommands,
    askCommands,
    batchCommands,
    eventCommands,
    frameCommands,
    passageCommands,
    questionCommands,
    reviewCommands,
    exportCommands,
    datasetCommands,
    importCommands,
    mcapCommands,
    cameraCommands,
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
