import type { Command } from 'commander';
import { table } from '../../terminal.ts';
import type { Run } from '../../types.ts';

export function systemCommands(program: Command, run: Run): void {
  const system = program.command('system').description('background work of the service, for its administrators');
  system
    .command('queues', { isDefault: true })
    .description('count the background jobs by kind: waiting, running, given up')
    .action(
      run(async ({ sightline, print }) => {
        const queues = await (await sightline()).queues();
        const rows = queues.map(({ name, waiting, oldest_waiting_at, delayed, running, failed }) => [
          name,
          String(waiting),
          oldest_waiting_at ?? '',
          String(delayed),
          String(running),
          String(failed),
        ]);
        print({ queues }, () => table(['job', 'waiting', 'oldest waits since', 'delayed', 'running', 'failed'], rows));
      }),
    );
  system
    .command('workers')
    .description('list the workers of all nodes, their last heartbeat and what they run')
    .action(
      run(async ({ sightline, print }) => {
        const workers = await (await sightline()).workers();
        const rows = workers.map(({ host, pid, status, started_at, heartbeat_at, running }) => [
          host,
          String(pid),
          status,
          started_at,
          heartbeat_at,
          running.map(({ name, count }) => `${count} × ${name}`).join('\n'),
        ]);
        const head = ['node', 'process', 'status', 'started', 'last heartbeat', 'running'];
        print({ workers }, () => table(head, rows, 'No worker runs: start one with `sightline start --only worker`.'));
      }),
    );
}
