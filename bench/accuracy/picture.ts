import { during, events, type LabeledClip, none, question } from './ask.ts';

/** Clips made or chosen for changes of the whole image. */
export const PICTURE: readonly LabeledClip[] = [
  {
    file: 'tricky/pyscenedetect_testvideo.mp4',
    inView: [],
    toleranceS: 0.2,
    expectations: [
      events(
        'cut',
        'a cut',
        [
          [1, 1],
          [6.01, 6.01],
        ],
        [
          [0.5, 1.2],
          [7, 7.6],
          [11.2, 13.6],
          [17.5, 18.9],
        ],
      ),
      events(
        'cut',
        'scene change',
        [
          [1, 1],
          [6.01, 6.01],
          [7.1, null],
          [13.1, null],
          [17.6, 18.8],
        ],
        [
          [11, 12.2],
          [22, 23.6],
        ],
      ),
      events(
        'light',
        'the picture is black',
        [
          [0, 0.97],
          [6.01, 7.1],
          [12, 13.1],
        ],
        [
          [11.3, 13.6],
          [7, 7.5],
          [23, 24.1],
        ],
      ),
      events('cut', 'a cross-dissolve', [[17.6, 18.8]]),
      events('cut', 'a fade to black', [
        [11.3, 12],
        [22.3, 23.5],
      ]),
      events(
        'cut',
        'a fade in',
        [
          [7.1, null],
          [13.1, null],
        ],
        [[0, 1]],
      ),
      events('sequence', 'a fade to black, then a fade in', [[11.3, 13.8]], [[11.3, 14]]),
    ],
    questions: [
      question('is there a cut?', true),
      question('is there a person?', false),
      question('is it ever black?', true),
      question('is there a car?', false),
    ],
    absent: [
      ...none('objects', 'a person', 'a car', 'a truck', 'a bicycle'),
      ...none('camera', 'hard braking', 'the camera turns', 'the camera shakes'),
      ...none('light', 'flickering light'),
      ...none('sound', 'a bang'),
      ...none('count', 'two people'),
    ],
    outside: ['a leaf', 'a caption'],
  },
  {
    file: 'tricky/pyscenedetect_fades.mp4',
    inView: [],
    toleranceS: 0.2,
    expectations: [
      events(
        'cut',
        'a fade',
        [
          [3.38, 3.38],
          [6.7, 6.7],
        ],
        [[0, 10]],
      ),
    ],
    questions: [question('is there a person?', false)],
    absent: [
      ...none('objects', 'a person', 'a car', 'a dog', 'a bird'),
      ...none('cut', 'a cut'),
      ...none('camera', 'the camera moves', 'the camera shakes', 'hard braking'),
      ...none('motion', 'a person moves'),
    ],
  },
  {
    file: 'tricky/torchcodec_nasa_13013.mp4',
    inView: ['person'],
    toleranceS: 0.3,
    expectations: [
      events('cut', 'a cut', [[8.08, 8.08]], [[5.1, 6]]),
      events('cut', 'scene change', [
        [5.1, 6],
        [8.08, 8.08],
      ]),
      during('objects', 'a person', [[6, 8.04]], [[0, 13]]),
      during('objects', 'a person on a lift', [[0, 5.1]], [[5.1, 6]]),
      events('color', 'a person in white', [[6, 8.04]], [[0, 13]]),
    ],
    questions: [
      question('is there a cut?', true),
      question('is there a dog?', false),
      question('is it silent?', false),
    ],
    absent: [
      ...none('objects', 'a car', 'a dog', 'a bicycle', 'a bus', 'a traffic light'),
      ...none('camera', 'hard braking'),
      ...none('cut', 'the picture freezes', 'the picture is black'),
      ...none('count', 'a crowd'),
      ...none('relation', 'a person next to a car'),
    ],
    outside: ['a telescope', 'a mirror', 'an astronaut'],
  },
  {
    file: 'tricky/androidx_mp4_silent-black-25s.mp4',
    inView: [],
    toleranceS: 0.3,
    expectations: [
      events('light', 'the picture is black', [[0, 25]]),
      events('sound', 'silence', [[0, 25]]),
      during('light', 'it is dark', [[0, 25]]),
      events('light', 'the picture is frozen', [[0, 25]]),
      events('duration', 'black for more than 10 seconds', [[0, 25]]),
      during('negation', 'no sound', [[0, 25]]),
      during('negation', 'nobody', [[0, 25]]),
    ],
    questions: [
      question('is it dark?', true),
      question('is there a person?', false),
      question('is there any sound?', false),
      question('is there a cut?', false),
      question('is it silent?', true),
    ],
    absent: [
      ...none('objects', 'a person', 'a car', 'a dog', 'something'),
      ...none('motion', 'something moves'),
      ...none('camera', 'the camera moves', 'hard braking', 'the camera shakes'),
      ...none('sound', 'a bang', 'a loud noise'),
      ...none('cut', 'a cut', 'a scene change'),
      ...none('light', 'it gets bright', 'flickering light'),
    ],
  },
];
