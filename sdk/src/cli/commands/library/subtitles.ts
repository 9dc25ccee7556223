import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import type { Command } from 'commander';
import type { CliSession } from '../../session.ts';
import { clock } from '../../terminal.ts';
import type { Run } from '../../types.ts';

type Summary = { filename: string; language: string | null; captions: number; start_s: number; end_s: number };

/** Commands for the subtitle files of videos. */
export function subtitleCommands(videos: Command, run: Run): void {
  const subtitles = videos.command('subtitles').description('add or remove the subtitles of a video');
  subtitles
    .command('add')
    .description('add subtitles (SRT or WebVTT), in place of those that were added before')
    .argument('<video_id>')
    .argument('<file>')
    .option('--language <tag>', 'language of the subtitles, such as `en` (default: that of the file or its name)')
    .action(run(add));
  subtitles
    .command('remove')
    .description('remove the subtitles that were added; those in the video file stay')
    .argument('<video_id>')
    .action(
      run(async ({ sightline, print }, video_id: string) => {
        print(await (await sightline()).deleteSubtitles(video_id), () => `${video_id}  removed`);
      }),
    );
}

async function add({ sightline, print }: CliSession, video_id: string, path: string, flags: { language?: string }) {
  const file = await openAsBlob(path);
  const status = await (await sightline()).putSubtitles(video_id, file, { filename: basename(path), ...flags });
  const { captions, language, start_s, end_s } = status.metadata.subtitles as Summary;
  const range = `${clock(start_s)} to ${clock(end_s)}`;
  print(
    status,
    () =>
      `${video_id}  ${captions} ${captions === 1 ? 'caption' : 'captions'}, ${range}, language: ${language ?? 'not stated'}`,
  );
}
