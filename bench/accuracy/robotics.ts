import { during, type LabeledClip, type LabeledInterval, none, question } from './ask.ts';

/**
 * A static camera in front of a robot arm: when the arm works, which known objects are there, and further prompts of
 * its user.
 */
type Task = {
  file: string;
  endS: number;
  work: readonly LabeledInterval[];
  objects?: readonly string[];
  outside: readonly string[];
};

const TASKS: readonly Task[] = [
  {
    file: 'openvla--flip_pot_upright',
    endS: 3.2,
    work: [[1.2, 2.6]],
    outside: ['the gripper grasps the pot', 'the pot stands upright'],
  },
  {
    file: 'base_vlm--move_salt_shaker_onto_plate',
    endS: 3.2,
    work: [
      [0.4, 1.8],
      [2.2, 3.2],
    ],
    outside: ['the shaker is put on the plate', 'the task fails'],
  },
  {
    file: 'openvla--move_salt_shaker_onto_plate',
    endS: 2.5,
    work: [
      [0.8, 1.5],
      [1.6, 2.5],
    ],
    outside: ['the gripper grasps the salt shaker'],
  },
  {
    file: 'dp--cover_white_bowl_with_towel',
    endS: 6.1,
    work: [
      [1.5, 2.4],
      [3, 6],
    ],
    objects: ['a bowl', 'a white bowl'],
    outside: ['the towel covers the bowl', 'the arm picks up the towel'],
  },
  {
    file: 'octo--cover_white_bowl_with_towel',
    endS: 4.9,
    work: [
      [1.8, 2.6],
      [3, 4.6],
    ],
    objects: ['a bowl'],
    outside: ['the towel covers the bowl'],
  },
  {
    file: 'dp--knock_brown_bear_over',
    endS: 1.4,
    work: [[0.4, 1.4]],
    objects: ['a teddy bear'],
    outside: ['the bear is knocked over'],
  },
  {
    file: 'octo--knock_brown_bear_over',
    endS: 2.7,
    work: [[1, 2.7]],
    objects: ['a teddy bear', 'a bear'],
    outside: ['the arm lifts the bear'],
  },
  {
    file: 'openvla--knock_brown_bear_over',
    endS: 1,
    work: [[0.4, 0.9]],
    objects: ['a teddy bear'],
    outside: ['the bear tips over'],
  },
  {
    file: 'openvla--move_corn_onto_plate',
    endS: 3.4,
    work: [
      [1.3, 1.7],
      [1.8, 3.2],
    ],
    outside: ['the corn is on the plate'],
  },
  {
    file: 'dp--pour_corn',
    endS: 5.5,
    work: [
      [1.4, 2.2],
      [3.2, 5],
    ],
    objects: ['a bowl', 'a red bowl'],
    outside: ['the corn is poured into the pot'],
  },
  {
    file: 'octo--pour_corn',
    endS: 9.1,
    work: [[2.2, 4]],
    objects: ['a bowl', 'a red bowl'],
    outside: ['the corn is poured into the pot', 'the arm hesitates'],
  },
  {
    file: 'openvla--pour_corn',
    endS: 7.5,
    work: [
      [1.8, 3],
      [4.4, 7.4],
    ],
    objects: ['a bowl', 'a red bowl'],
    outside: ['the gripper tips the bowl'],
  },
  {
    file: 'dp--put_carrot',
    endS: 4.8,
    work: [
      [1.1, 1.8],
      [2.4, 4.3],
    ],
    objects: ['a bowl', 'a carrot'],
    outside: ['the carrot is dropped into the bowl'],
  },
  {
    file: 'octo--put_carrot',
    endS: 3.5,
    work: [[1.3, 2.2]],
    objects: ['a bowl'],
    outside: ['the carrot falls over', 'the grasp fails'],
  },
  {
    file: 'openvla--put_carrot',
    endS: 3.1,
    work: [[1, 3.1]],
    objects: ['a bowl'],
    outside: ['the arm lifts the carrot'],
  },
  {
    file: 'openvla--put_blue_cup_on_plate',
    endS: 4.5,
    work: [
      [1.2, 1.9],
      [2.4, 3.7],
    ],
    objects: ['a cup', 'a blue cup', 'a sink'],
    outside: ['the arm puts the cup on the plate'],
  },
  {
    file: 'openvla--put_eggplant_into_pot--clutter',
    endS: 3.7,
    work: [
      [1.2, 2.3],
      [2.4, 3.6],
    ],
    objects: ['a cup', 'a sink'],
    outside: ['an eggplant'],
  },
  {
    file: 'openvla--put_eggplant_into_pot--clutter--reattempt',
    endS: 6,
    work: [
      [0.8, 2.4],
      [3.8, 6],
    ],
    objects: ['a cup', 'a sink'],
    outside: ['the first grasp fails'],
  },
  {
    file: 'openvla--put_corn_on_plate--clutter',
    endS: 3.8,
    work: [
      [1, 1.9],
      [2.3, 3.7],
    ],
    objects: ['a cup'],
    outside: ['the robot releases the corn'],
  },
  {
    file: 'openvla--put_corn_on_plate--motion',
    endS: 4.3,
    work: [
      [1, 1.6],
      [2.2, 3.6],
    ],
    objects: ['a carrot', 'a sink'],
    outside: ['the arm grasps the carrot'],
  },
  {
    file: 'openvla--lift_cheese',
    endS: 1.8,
    work: [[0.8, 1.7]],
    objects: ['a sink'],
    outside: ['the gripper lifts the cheese'],
  },
  {
    file: 'openvla--lift_red_chili_pepper',
    endS: 2.3,
    work: [
      [0.9, 1.6],
      [1.8, 2.3],
    ],
    objects: ['a sink'],
    outside: ['the robot lifts the pepper'],
  },
  {
    file: 'bridge_pick_clutter',
    endS: 3.2,
    work: [
      [0.9, 2],
      [2.2, 3.2],
    ],
    objects: ['a carrot', 'a cup'],
    outside: ['the eggplant is in the pot'],
  },
  {
    file: 'rt1_robot_coke_upright',
    endS: 4.6,
    work: [
      [1.2, 3],
      [3.2, 4.5],
    ],
    outside: ['the can is placed upright'],
  },
  {
    file: 'rt1_robot_orange_near_coke',
    endS: 3.4,
    work: [[0.9, 2.6]],
    objects: ['an orange'],
    outside: ['the gripper grasps the orange'],
  },
  { file: 'rt2x--pick_coke_can', endS: 1.3, work: [[0.7, 1.3]], outside: ['the robot picks up the can'] },
  {
    file: 'openvla--place_banana_on_plate',
    endS: 7,
    work: [
      [0.8, 1.5],
      [2.2, 3.8],
    ],
    objects: ['a banana'],
    outside: ['the banana is placed on the plate'],
  },
  {
    file: 'rt2x--place_banana_on_plate',
    endS: 4.3,
    work: [
      [1.5, 2.4],
      [2.6, 3.8],
    ],
    objects: ['a banana'],
    outside: ['the gripper releases the banana'],
  },
];

/** Objects that may be visible in each setting, by words of the file's name. */
const SETTINGS: readonly [name: string, inView: readonly string[]][] = [
  ['shaker', ['dining table', 'bowl']],
  ['corn_onto', ['dining table', 'bowl', 'banana']],
  ['towel', ['dining table', 'bowl', 'cup']],
  ['bear', ['dining table', 'teddy bear', 'bear', 'dog', 'cup', 'bottle', 'vase']],
  ['pour_corn', ['dining table', 'bowl', 'cup', 'banana']],
  ['put_carrot', ['dining table', 'bowl', 'carrot']],
  ['upright', ['dining table', 'cup', 'bottle', 'bowl']],
  ['clutter', ['sink', 'bowl', 'cup', 'carrot', 'banana']],
  ['cup_on_plate', ['sink', 'bowl', 'cup']],
  ['--motion', ['sink', 'bowl', 'carrot']],
  ['lift_', ['sink', 'bowl']],
  ['coke', ['dining table', 'cup', 'bottle', 'orange', 'sports ball']],
  ['banana', ['dining table', 'banana', 'bowl', 'cup', 'bottle']],
];

export const ROBOTICS: readonly LabeledClip[] = TASKS.map(({ file, endS, work, objects = [], outside }) => ({
  file: `robotics/${file}.mp4`,
  toleranceS: 0.3,
  expectations: [
    during('motion', 'something moves', work, [[0, endS]]),
    during('camera', 'the camera is still', [[0, endS]]),
    during('negation', 'no person', [[0, endS]]),
    ...objects.map((object) => during('table-top objects', object, [[0, endS]])),
  ],
  questions: [
    question('is anyone there?', false),
    question('does the camera move?', false),
    question('does anything move?', true),
  ],
  absent: [
    ...none('objects', 'a person', 'a car', 'a dog', 'a bus'),
    ...none('camera', 'the camera moves', 'the camera pans', 'the camera zooms in', 'hard braking'),
    ...none('cut', 'a cut', 'a fade', 'the picture freezes'),
    ...none('light', 'the picture is black', 'the light goes off', 'it gets dark'),
    ...none('entering, leaving', 'a person enters', 'a car leaves'),
    ...none('count', 'two people'),
  ],
  inView: SETTINGS.filter(([name]) => file.includes(name)).flatMap(([, inView]) => inView),
  outside,
}));
