import type { Entry } from '../meaning/senses.ts';
import { entry } from './entry.ts';

const camera = entry('camera', 'none');
const cameraVerb = entry('camera', 'verb');

/** Motions of the camera, or of the vehicle that carries it. */
export const cameraMoves: readonly Entry[] = [
  camera(
    'camera, cam, webcam, security camera, surveillance camera, cctv camera, pole camera, doorbell camera, dashcam, dash cam, dash camera, wrist cam, wrist camera, head camera, bodycam, body cam, onboard camera, drone',
    { type: 'camera' },
  ),
  camera(
    "ego, ego vehicle, ego car, own vehicle, own car, our car, our vehicle, my car, my vehicle, host vehicle, we, us, we're, we've, recording vehicle, camera car",
    { type: 'camera', carrier: true },
  ),
  camera('camera motion, camera movement, ego motion', {
    type: 'camera_move',
    move: 'moves',
  }),
  camera(
    'static camera, camera fixed, camera static, camera still, camera stationary, fixed camera, steady camera, camera at rest, static shot, static shots, fixed shot, fixed shots, locked off shot, locked off shots, locked off camera',
    {
      type: 'camera_move',
      move: 'still',
    },
  ),
  cameraVerb('pan', { type: 'camera_move', move: 'pans' }),
  camera('whip pan, whip pans, swish pan, swish pans', {
    type: 'camera_move',
    move: 'pans',
    caveat: 'looked for as any pan; its speed is not checked',
    decides: true,
  }),
  cameraVerb('tilt', { type: 'camera_move', move: 'tilts' }),
  camera('camera rolls, camera roll, camera rolling, camera banks, camera leans', {
    type: 'camera_move',
    move: 'rolls',
  }),
  cameraVerb('zoom', { type: 'camera_move', move: 'zooms' }),
  cameraVerb('zoom in or out, zoom in and out, zoom out or in, zoom out and in', {
    type: 'camera_move',
    move: 'zooms',
  }),
  cameraVerb('zoom in, magnify', { type: 'camera_move', move: 'zooms', direction: 'in' }),
  cameraVerb('zoom out', { type: 'camera_move', move: 'zooms', direction: 'out' }),
  cameraVerb('turn, rotate, steer, make a turn, take a turn', { type: 'camera_move', move: 'turns' }),
  cameraVerb('swing, veer, swerve', {
    type: 'camera_move',
    move: 'turns',
    caveat: 'looked for as any turn; how suddenly it turns is not checked',
    decides: true,
  }),
  cameraVerb('turn around, make a u turn, do a u turn, perform a u turn, take a u turn, turn round', {
    type: 'camera_move',
    move: 'turns',
    caveat: 'looked for as any turn; how far it turns is not measured',
    decides: true,
  }),
  camera('left or right turn, left or right turns, left and right turns, right or left turns', {
    type: 'camera_move',
    move: 'turns',
  }),
  cameraVerb('make a left, take a left, hang a left, make a left turn, take a left turn', {
    type: 'camera_move',
    move: 'turns',
    direction: 'left',
  }),
  cameraVerb('make a right, take a right, hang a right, make a right turn, take a right turn', {
    type: 'camera_move',
    move: 'turns',
    direction: 'right',
  }),
  camera('left turn, left turns, left hand turn, left hand turns', {
    type: 'camera_move',
    move: 'turns',
    direction: 'left',
  }),
  camera('right turn, right turns, right hand turn, right hand turns', {
    type: 'camera_move',
    move: 'turns',
    direction: 'right',
  }),
  cameraVerb('brake, slow down, slow, decelerate, hit brakes', { type: 'camera_move', move: 'brakes' }),
  cameraVerb(
    'brake hard, brake suddenly, brake sharply, brake harshly, brake abruptly, brake heavily, slam on brakes, slam brakes',
    { type: 'camera_move', move: 'brakes', hard: true },
  ),
  camera('braking event, braking events', { type: 'camera_move', move: 'brakes' }),
  camera(
    ['hard', 'harsh', 'sudden', 'emergency', 'heavy']
      .flatMap((hard) => [`${hard} braking event`, `${hard} braking events`])
      .join(', '),
    { type: 'camera_move', move: 'brakes', hard: true },
  ),
  camera(
    'sharp turn, sharp turns, hard turn, hard turns, turns sharply, turn sharply, turning sharply, sharp left or right turn, sharp left or right turns, sharp left and right turns',
    {
      type: 'camera_move',
      move: 'turns',
      hard: true,
    },
  ),
  camera(
    'sharp left turn, sharp left turns, hard left turn, hard left turns, turns sharply left, turns sharp left, sharp left',
    {
      type: 'camera_move',
      move: 'turns',
      direction: 'left',
      hard: true,
    },
  ),
  camera(
    'sharp right turn, sharp right turns, hard right turn, hard right turns, turns sharply right, turns sharp right, sharp right',
    {
      type: 'camera_move',
      move: 'turns',
      direction: 'right',
      hard: true,
    },
  ),
  camera(
    'hard braking, harsh braking, sudden braking, emergency braking, heavy braking, hard brake, hard brakes, harsh brakes',
    { type: 'camera_move', move: 'brakes', hard: true },
  ),
  camera('sudden stop, abrupt stop, hard stop, emergency stop, sudden stops', {
    type: 'camera_move',
    move: 'brakes',
    hard: true,
  }),
  cameraVerb('drive forward, go forward, move forward, move ahead, drive ahead', {
    type: 'camera_move',
    move: 'forward',
  }),
  cameraVerb(
    'reverse, back up, drive backwards, go backwards, move backwards, go backward, move backward, drive backward, go back, move back',
    { type: 'camera_move', move: 'backward' },
  ),
];
