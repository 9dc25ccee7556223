import { type Command, InvalidArgumentError } from 'commander';
import type { Zone } from '../../../resources.generated.ts';
import { table } from '../../terminal.ts';
import type { Run } from '../../types.ts';

type OwnerFlags = { video?: string; folderId?: string; camera?: string };

/** Named polygons and lines in the frame of a fixed camera. */
export function zoneCommands(program: Command, run: Run): void {
  const zones = program.command('zones').description('polygons and lines in the frame, which prompts call by name');
  withOwner(
    zones
      .command('list', { isDefault: true })
      .description('list the zones that hold for a video, or those of a folder or camera'),
  ).action(
    run(async ({ sightline, print }, flags: OwnerFlags) => {
      const { api } = await sightline();
      const { data } = await api.GET('/api/zones', { params: { query: toOwner(flags) } });
      const rows = data!.zones.map((zone) => [zone.zone_id, zone.name, zone.kind, toPlace(zone), toText(zone)]);
      print(data, () => table(['id', 'name', 'kind', 'of', 'points'], rows, 'There are no zones.'));
    }),
  );
  withOwner(
    zones
      .command('create')
      .description('draw a line (two points) or a polygon (three or more)')
      .argument('<name>', 'name of the zone in prompts')
      .argument('<point...>', 'corners as x,y in fractions of the frame from its top left corner: 0.25,0.5', toPoints),
  )
    .option('--note <text>', 'purpose of the zone')
    .action(
      run(async ({ sightline, print }, name: string, points: Zone['points'], flags: OwnerFlags & { note?: string }) => {
        const zone = await (await sightline()).createZone({ name, points, ...toOwner(flags), note: flags.note });
        print(zone, () => `Created the ${zone.kind === 'line' ? 'line' : 'zone'} ${zone.name}: ${zone.zone_id}.`);
      }),
    );
  zones
    .command('delete')
    .description('delete a zone')
    .argument('<zone_id>')
    .action(
      run(async ({ sightline, print }, zone_id: string) => {
        await (await sightline()).deleteZone(zone_id);
        print({ status: 'deleted', zone_id }, () => `Deleted ${zone_id}.`);
      }),
    );
}

const withOwner = (command: Command) =>
  command
    .option('--video <id>', 'of this video')
    .option('--folder-id <id>', 'of all videos of this folder')
    .option('--camera <id>', 'of all recordings of this camera');

const toOwner = ({ video, folderId, camera }: OwnerFlags) => ({
  video_id: video,
  folder_id: folderId,
  camera_id: camera,
});

function toPoints(text: string, before: Zone['points'] = []): Zone['points'] {
  const [x = Number.NaN, y = Number.NaN, ...more] = text
    .split(',')
    .map((part) => (part.trim() === '' ? Number.NaN : Number(part)));
  const isPoint = more.length === 0 && [x, y].every((value) => value >= 0 && value <= 1);
  if (!isPoint) throw new InvalidArgumentError('A point is two numbers from 0 to 1, as in 0.25,0.5.');
  return [...before, { x, y }];
}

const toText = ({ points }: Zone) => points.map(({ x, y }) => `${x},${y}`).join(' ');
const toPlace = ({ video_id, camera_id }: Zone) => (video_id ? 'video' : camera_id ? 'camera' : 'folder');
