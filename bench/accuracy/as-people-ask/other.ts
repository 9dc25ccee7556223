import { cannot, count, covers, finds, lasts, no, says, type TypedClip, unsure, yes } from './label.ts';

const CAMERA = /camera|recording|ego/i;
const STOP = /stop|still|stationary/i;
const SPEED = /speed|fast|slow/i;

/** A walk with an action camera and its telemetry, edited footage, and footage of nothing. */
export const OTHER: readonly TypedClip[] = [
  {
    file: 'telemetry/gopro_hero7_walk.mp4',
    toleranceS: 0.5,
    prompts: [
      says('how fast was i walking', /m\/s|km\/h|mph/, SPEED),
      says('top speed?', /\b2\.\d|7\.\d|4\.\d/, SPEED),
      no('did i stop anywhere', CAMERA, STOP),
      finds('speed over 10 km/h', [], /speed above 10 km\/h|10 km/),
      covers('when was i faster than 1 m/s', [[0, 11.7]], /speed above 1 m\/s|1 m\/s|3\.6 km/),
      cannot('where was this filmed', /where|filmed/),
      cannot('how far did i walk', /far/),
      no('did i meet anybody', /person|people|anybody|meet/),
      no('did i turn around', /turn/),
      says('what camera was used', /gopro|hero/i, /camera/),
      lasts('length?', [11.5, 12], /long|length|duration/),
      yes('is it daytime', null, /day|bright|dark/),
      cannot('how many calories did i burn', /calor/),
      cannot('what building is this', /building/),
      cannot('what altitude am i at', /altitude/),
      no('am i running', /run/),
      cannot('is it windy', /wind/),
      covers('parked cars', [[2, 11.7]], /\bcars?\b/),
      says('wann wurde das aufgenommen', /2019|not (?:known|stated)/i, /recorded|date|aufgenommen|wann/i),
      cannot('was stabilization on', /stabili/),
    ],
  },
  {
    file: 'tricky/pyscenedetect_testvideo.mp4',
    toleranceS: 0.3,
    prompts: [
      count('how many shots are there', [4, 8], /shot|cut|scene/),
      covers(
        'black screen',
        [
          [0, 0.97],
          [6.01, 7],
          [12, 13],
          [23, 24],
        ],
        /black/,
      ),
      unsure(finds('deer', [[7.2, 11.9]], /deer/), [7, 12]),
      cannot('who made this', /who|made/),
      says('whats the copyright text', /castellano/i, /text|copyright/),
      unsure(
        finds(
          'fade outs',
          [
            [11, 12],
            [22, 23.5],
          ],
          /fade|black/,
        ),
        [10.8, 12.2],
        [21.8, 24],
      ),
      no('people in this?', /person|people/),
      says('duration pls', /\b24(?:\.\d)? s|0:24/, /long|length|duration/),
      yes('is there an animal', [[7, 12]], /animal/),
      no('is there any music', /music|sound|audio/),
    ],
  },
  {
    file: 'tricky/torchcodec_nasa_13013.mp4',
    toleranceS: 0.4,
    prompts: [
      count('how many cuts', [1, 2], /cut|shot|scene/),
      finds(
        'when does the scene change',
        [
          [5, 6],
          [8.08, 8.08],
        ],
        /scene|cut|shot/,
      ),
      cannot('is this nasa', /nasa/i),
      yes('is there a person in the picture', null, /person/),
      no('does the person walk', /person/, /walk|mov/),
      cannot('what is the person holding', /hold/),
      no('is there a car', /\bcar\b/),
      no('is it silent', /silen|sound|audio/),
      cannot('how big is the mirror', /mirror|big/),
    ],
  },
  {
    file: 'tricky/androidx_mp4_silent-black-25s.mp4',
    toleranceS: 0.4,
    prompts: [
      no('do you see anything', /anything|something|object/),
      yes('is the video just black?', null, /black/),
      yes('is it broken or is there really no sound', null, /broken|silen|sound/),
      lasts('how long is the screen black', [24, 25.2], /black/),
      no('did the camera come back on', /camera|back/),
      finds('motion', [], /mov/),
      no('is somebody talking', /talk|speak|speech/),
      yes('est-ce que l’image est noire', null, /black|noire/i),
    ],
  },
  {
    file: 'tricky/androidx_mp4_bbb_800x640_768kbps_30fps_avc_pyramid_3b.mp4',
    toleranceS: 0.4,
    prompts: [
      yes('theres a bird right?', [[0, 4]], /bird/),
      cannot('what kind of bird', /kind/),
      no('does the bird fly away', /bird/, /fly|leav/),
      cannot('is it sad', /sad/),
      no('is that a real person', /person|real/),
      says('how many fps', /\b30\b/, /frames per second|frame rate|fps/),
      yes('is it animated', null, /animat/),
    ],
  },
  {
    file: 'tricky/androidx_vp9_roadtrip-vp92-10bit.webm',
    toleranceS: 0.4,
    prompts: [
      says('what does the text say', /road ?trip|SF|LA/i, /text/),
      finds(
        'when is the cut',
        [
          [1.75, 1.75],
          [2.88, 2.88],
        ],
        /cut|shot/,
      ),
      no('any cars?', /\bcars?\b/),
      yes('are we moving', null, CAMERA, /mov/),
      says('is this hdr', /hdr|yes|no/i, /hdr/i),
      cannot('from where to where did they drive', /where/),
    ],
  },
];
