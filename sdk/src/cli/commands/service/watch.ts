import { type Command, InvalidArgumentError } from 'commander';
import type { ActivityEvent } from '../../../activity.ts';
import type { CliSession } from '../../session.ts';
import type { Run } from '../../types.ts';

export function watchCommand(program: Command, run: Run): void {
  program
    .command('watch')
    .description('print what changes, until interrupted')
    .option('--last-id <id>', 'resume after this event', position)
    .option('--only <resource...>', 'only changes of these resources, such as `video` or `analysis`')
    .action(run(watch));
}

function position(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be the id of an event.');
  return Number(text);
}

async function watch({ sightline, print }: CliSession, { lastId, only }: { lastId?: number; only?: string[] }) {
  const client = await sightline();
  for await (const event of client.activity({ lastId })) {
    if (!only || !('id' in event) || only.includes(event.type)) print(event, () => lineOf(event));
  }
}

function lineOf(event: ActivityEvent): string {
  if (event.type === 'ready') return `Waiting for changes (position ${event.eventId}).`;
  if (event.type === 'reset') return 'Earlier changes are no longer stored; waiting for new ones.';
  if (!('id' in event)) return event.type;
  const { type, change, id, status, progress, changed_at } = event;
  const done = progress === undefined || change !== 'progress' ? '' : ` ${Math.round(progress)}%`;
  return `${changed_at} ${type} ${id} ${change}${status === undefined ? '' : ` (${status}${done})`}`;
}
