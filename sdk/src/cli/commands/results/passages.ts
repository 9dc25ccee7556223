import type { Command } from 'commander';
import type { CliSession } from '../../session.ts';
import { clock, number, table } from '../../terminal.ts';
import type { Run } from '../../types.ts';

/** Largest page of passages. */
const MAX_PAGE = 500;

type Flags = { source?: 'transcript' | 'text'; video?: string; folderId?: string; limit: number };

/** Sentences and texts in videos. */
export function passageCommands(program: Command, run: Run): void {
  program
    .command('passages')
    .description('find what is spoken in videos and read in their frames; with --json one passage per line')
    .argument('[words]', 'only passages that contain all of these words')
    .option('--source <source>', '`transcript` (spoken) or `text` (read in frames)')
    .option('--video <id>', 'only passages of this video')
    .option('--folder-id <id>', 'only passages of the videos of this folder')
    .option('--limit <count>', 'maximum number', number, 50)
    .action(run(listPassages));
}

async function listPassages({ sightline, json, print }: CliSession, q: string | undefined, flags: Flags) {
  const { source, video, folderId, limit } = flags;
  const client = await sightline();
  const rows: string[][] = [];
  const query = { q, source, video_id: video, folder_id: folderId, limit: Math.min(limit, MAX_PAGE) };
  for await (const passage of client.passages(query)) {
    if (json) print(passage, String);
    const { video_name, start_s, end_s, text, video_id } = passage;
    rows.push([video_name, `${clock(start_s)} to ${clock(end_s)}`, passage.source, text, video_id]);
    if (rows.length >= limit) break;
  }
  if (!json) print(rows, () => table(['video', 'time', 'source', 'text', 'id'], rows, 'No passages were found.'));
}
