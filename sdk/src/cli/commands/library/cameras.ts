import type { Command } from 'commander';
import type { Camera, CameraKey, CameraTest } from '../../../resources.generated.ts';
import { table } from '../../terminal.ts';
import type { Run } from '../../types.ts';
import { addRecordingOptions, describeRetained, type RecordingFlags, toRecording } from './recording.ts';

type AddFlags = {
  push?: boolean;
  folderId?: string;
  shared?: boolean;
  off?: boolean;
  questions?: string[];
} & RecordingFlags;
type SetFlags = {
  name?: string;
  source?: string;
  folderId?: string;
  timeZone?: string;
  schedule?: string;
  questions?: string[];
  mute?: string;
  retention?: string;
} & RecordingFlags;

/** Sources that the service records whenever they are on. */
export function cameraCommands(program: Command, run: Run): void {
  const cameras = program.command('cameras').description('cameras, which the service records while they are on');
  cameras
    .command('list', { isDefault: true })
    .description('list cameras with their states')
    .option('--folder-id <id>', 'only those of this folder')
    .action(
      run(async ({ sightline, print }, { folderId }: { folderId?: string }) => {
        const all = await (await sightline()).cameras({ folderId });
        const rows = all.map((camera) => [camera.camera_id, camera.name, toState(camera), camera.source_url]);
        print({ cameras: all }, () => table(['id', 'name', 'state', 'source'], rows, 'There are no cameras.'));
      }),
    );
  const add = cameras
    .command('add')
    .description('add a camera, and record it')
    .argument('<name>')
    .argument('[url]', 'URL of its stream; a user name and a password in it are stored encrypted')
    .option('--push', 'it has no URL: it publishes to the service by RTMP, with a key')
    .option('--folder-id <id>', 'folder of the camera and of its recordings')
    .option('--shared', 'for everyone in the organization')
    .option('--off', 'do not record it yet')
    .option('--questions <id...>', 'saved questions that are answered while it is recorded');
  addRecordingOptions(add).action(
    run(async ({ sightline, print }, name: string, source_url: string | undefined, flags: AddFlags) => {
      const { push, folderId, shared, off, questions } = flags;
      const settings = {
        name,
        source: push ? ('push' as const) : undefined,
        source_url,
        folder_id: folderId,
        scope: shared ? ('org' as const) : undefined,
        enabled: !off,
        saved_question_ids: questions,
        ...toRecording(flags),
      };
      const client = await sightline();
      const camera = await client.addCamera(settings);
      const added = `Added ${camera.name}: ${camera.camera_id}.`;
      if (!push) return print(camera, () => added);
      const key = await client.createCameraKey(camera.camera_id);
      print({ ...camera, push_key: key.push_key }, () => [added, toKey(key)].join('\n'));
    }),
  );
  cameras
    .command('test')
    .description('connect to a camera or to the URL of a stream, and report how far that gets')
    .argument('<camera>', 'id of a camera, or a URL')
    .action(
      run(async ({ sightline, print }, camera: string) => {
        const of = camera.includes('://') ? { sourceUrl: camera } : { id: camera };
        const test = await (await sightline()).testCamera(of);
        print(test, () => toReport(test));
        if (!test.ok) process.exitCode = 1;
      }),
    );
  const set = cameras
    .command('set')
    .description('change a camera')
    .argument('<camera_id>')
    .option('--name <name>', 'its name')
    .option('--source <url>', 'URL of its stream')
    .option('--folder-id <id>', 'folder of its next recordings; empty: none')
    .option('--time-zone <zone>', 'time zone of the place')
    .option('--schedule <json>', 'weekly times as JSON, as the API has them; `null`: always')
    .option('--questions <id...>', 'saved questions that are answered while it is recorded')
    .option('--mute <time>', 'raise no alerts until this time (ISO 8601)')
    .option('--retention <json>', 'which recordings are deleted as JSON, such as {"days": 30}; `null`: none');
  addRecordingOptions(set).action(
    run(async ({ sightline, print }, id: string, flags: SetFlags) => {
      const { name, source, folderId, timeZone, schedule, questions, mute, retention } = flags;
      const changes = {
        name,
        source_url: source,
        folder_id: folderId,
        time_zone: timeZone,
        schedule: schedule === undefined ? undefined : JSON.parse(schedule),
        saved_question_ids: questions,
        muted_until: mute,
        retention: retention === undefined ? undefined : JSON.parse(retention),
        ...toRecording(flags),
      };
      const camera = await (await sightline()).changeCamera(id, changes);
      print(camera, () => `Changed ${camera.name}.`);
    }),
  );
  const withCamera = (name: string, description: string) =>
    cameras.command(name).description(description).argument('<camera_id>');
  withCamera('show', 'show a camera and its state').action(
    run(async ({ sightline, print }, id: string) => {
      const camera = await (await sightline()).camera(id);
      print(camera, () =>
        [`${camera.name}: ${toState(camera)}, ${camera.source_url}`, ...toRetained(camera)].join('\n'),
      );
    }),
  );
  withCamera('key', 'create a new key of a camera that pushes; the previous one stops working').action(
    run(async ({ sightline, print }, id: string) => {
      const key = await (await sightline()).createCameraKey(id);
      print(key, () => toKey(key));
    }),
  );
  withCamera('start', 'record a camera').action(
    run(async ({ sightline, print }, id: string) => {
      const camera = await (await sightline()).startCamera(id);
      print(camera, () => `${camera.name} is on.`);
    }),
  );
  withCamera('stop', 'stop recording a camera').action(
    run(async ({ sightline, print }, id: string) => {
      const camera = await (await sightline()).stopCamera(id);
      print(camera, () => `${camera.name} is off.`);
    }),
  );
  withCamera('delete', 'delete a camera; its recordings stay').action(
    run(async ({ sightline, print }, camera_id: string) => {
      await (await sightline()).deleteCamera(camera_id);
      print({ status: 'deleted', camera_id }, () => `Deleted ${camera_id}.`);
    }),
  );
}

const toState = ({ state, message, fault }: Camera) => {
  if (message) return `${state}: ${message}`;
  return fault ? `${state}: ${fault.kind} since ${fault.since}` : state;
};

const toKey = ({ push_url, push_key }: CameraKey) =>
  [
    `Server:     ${push_url ?? 'none: the operator has not switched on RTMP (SIGHTLINE_RTMP_LISTEN)'}`,
    `Stream key: ${push_key}`,
    'The key is shown only now.',
  ].join('\n');

const toRetained = ({ session_recording, ...session }: Camera) =>
  session_recording === 'events' ? [describeRetained(session)] : [];

const STEPS = { port: 'port open', sign_in: 'signed in', first_frame: 'first frame', format: 'format' };

function toReport({ steps, format, message }: CameraTest): string {
  const lines = steps.map(({ step, ok, elapsed_ms }) =>
    [ok ? 'ok    ' : 'failed', STEPS[step], elapsed_ms === null ? '' : `${elapsed_ms} ms`].join('  ').trimEnd(),
  );
  const rate = format?.frame_rate ? `, ${Math.round(format.frame_rate * 10) / 10} fps` : '';
  const sound = format?.audio_codec ?? 'no audio';
  const sent = format && `${format.video_codec}, ${format.width} × ${format.height}${rate}, ${sound}`;
  return [...lines, ...(sent ? [sent] : []), ...(message ? [message] : [])].join('\n');
}
