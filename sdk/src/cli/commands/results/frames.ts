import { openAsBlob } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CliSession } from '../../session.ts';
import { clock, number, table } from '../../terminal.ts';
import type { Run } from '../../types.ts';

type Frame = { video_id: string; time_s: number };
type Box = { x: number; y: number; width: number; height: number };
type Flags = {
  picture?: string;
  frame?: Frame;
  box?: Box;
  of?: 'frames' | 'objects' | 'all';
  folderId?: string;
  video?: string[];
  after?: string;
  before?: string;
  minScore?: number;
  limit: number;
};

/** Search among frames. */
export function frameCommands(program: Command, run: Run): void {
  program
    .command('frames')
    .description(
      'find frames and objects that resemble words, an image or a frame, in videos observed with `embeddings`',
    )
    .argument('[words]', 'what is in view, in English')
    .option('--picture <file>', 'an image whose like is searched')
    .option('--frame <video@seconds>', 'a frame whose like is searched', toFrame)
    .option('--box <x,y,width,height>', 'only the part of that frame around this box, in fractions of it', toBox)
    .addOption(new Option('--of <what>', 'what to search; default: all').choices(['frames', 'objects', 'all']))
    .option('--folder-id <id>', 'only videos of this folder')
    .option('--video <id...>', 'only these videos')
    .option('--after <time>', 'only videos whose upload started at this time or later, ISO 8601')
    .option('--before <time>', 'only videos whose upload started before this time, ISO 8601')
    .option('--min-score <score>', 'minimum similarity, -1 to 1', number)
    .option('--limit <count>', 'maximum number', number, 20)
    .action(run(searchFrames));
}

async function searchFrames({ sightline, print }: CliSession, text: string | undefined, flags: Flags) {
  const { picture, frame, box, of, folderId, video, after, before, minScore, limit } = flags;
  if (box && !frame) throw new InvalidArgumentError('--box is a part of the frame that --frame names.');
  const client = await sightline();
  const found = await client.searchFrames({
    text,
    of,
    limit,
    ...(frame ? { frame: { ...frame, box } } : {}),
    ...(picture === undefined ? {} : { picture: await openAsBlob(picture) }),
    folder_id: folderId,
    video_ids: video,
    min_score: minScore,
    created_after: after,
    created_before: before,
  });
  print(found, () => {
    const rows = found.matches.map((match) => [
      match.video_name,
      clock(match.time_s),
      match.object?.class ?? '',
      match.score.toFixed(3),
      match.video_id,
    ]);
    const lines = table(['video', 'time', 'object', 'score', 'id'], rows, 'No frames were found.');
    return found.reason === null ? lines : `${lines}\n${found.reason}`;
  });
}

/** `video id@seconds` */
function toFrame(value: string): Frame {
  const [, video_id, seconds] = /^([^@]+)@(\d+(?:\.\d+)?)$/.exec(value) ?? [];
  if (video_id === undefined) throw new InvalidArgumentError('State it as VIDEO_ID@SECONDS.');
  return { video_id, time_s: Number(seconds) };
}

/** `x,y,width,height` as fractions */
function toBox(value: string): Box {
  const [x = NaN, y = NaN, width = NaN, height = NaN, ...others] = value.split(',').map(Number);
  if (others.length > 0 || ![x, y, width, height].every((each) => each >= 0 && each <= 1))
    throw new InvalidArgumentError('State four numbers from 0 to 1: X,Y,WIDTH,HEIGHT.');
  return { x, y, width, height };
}
