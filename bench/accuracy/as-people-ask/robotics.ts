import { cannot, count, covers, finds, lasts, no, says, type TypedClip, unsure, yes } from './label.ts';

const ARM = /arm|robot|gripper/i;
const STILL = /still|stand|stop|stationary|not move|nothing moves/i;

/** Robot arms at a table or a toy sink, from a camera that does not move. */
export const ROBOTICS: readonly TypedClip[] = [
  {
    file: 'robotics/openvla--flip_pot_upright.mp4',
    toleranceS: 0.3,
    prompts: [
      yes('did it flip the pot?', null, /flip|pot/),
      finds('when does the gripper grab the pot', [[1.2, null]], /grab|grip|pot/),
      yes('was the task successful', null, /task|success/),
      no('did the robot drop the pot', /drop/),
      no('is a human in the frame', /person|human/),
      cannot('which robot is this', /robot|which/),
      cannot('how many grasp attempts', /grasp|attempt/),
    ],
  },
  {
    file: 'robotics/dp--cover_white_bowl_with_towel.mp4',
    toleranceS: 0.3,
    prompts: [
      no('did it cover the white bowl', /cover|bowl/),
      yes('is there a pink bowl', null, /pink|bowl/),
      count('how many bowls are on the table', [2, 3], /bowl/),
      cannot('when does it release the towel', /release|towel/),
      finds('when does the arm stop moving', [[5.2, null]], ARM, STILL),
      cannot('why did it fail', /why|fail/),
      says('what resolution', /640\s*(?:x|×|by)\s*480/, /resolution|size/),
    ],
  },
  {
    file: 'robotics/octo--knock_brown_bear_over.mp4',
    toleranceS: 0.3,
    prompts: [
      no('did the bear get knocked over', /knock|bear/),
      yes('teddy bear in view', [[0, 2.72]], /teddy bear/),
      finds('when does the bear get picked up', [[0.9, null]], /pick|lift|bear/),
      yes('does the bear move', [[0.5, 2.72]], /bear/, /mov/),
      no('did the red cup move', /red|cup/, /mov/),
      cannot('is there a dinosaur', /dinosaur/),
      unsure(covers('something moving', [[0.9, 2.72]], /mov/), [0, 0.9]),
    ],
  },
  {
    file: 'robotics/octo--pour_corn.mp4',
    toleranceS: 0.4,
    prompts: [
      lasts('how long does the arm stay still', [4.2, 7], ARM, STILL),
      no('did the corn end up in the pot', /corn|pot/),
      unsure(covers('when is nothing moving', [[4.4, 9]], /nothing|not|still|\bno\b/), [2.7, 9.08]),
      yes('does the robot get stuck', null, /stuck|robot/),
      yes('is there a red bowl', null, /red bowl/),
      no('does the camera move at all', /camera/, /mov/),
      lasts('how many seconds is the video', [8.9, 9.2], /second|long|length|duration/),
      cannot('what policy is running', /policy|run/),
      no('bewegt sich die Kamera', /camera|kamera/i),
    ],
  },
  {
    file: 'robotics/dp--pour_corn.mp4',
    toleranceS: 0.3,
    prompts: [
      yes('did it pour the corn into the pot', null, /pour|corn/),
      cannot('did any corn spill', /spill|corn/),
      finds('when does it start tipping the bowl', [[3, null]], /tip|bowl/),
      no('anyone near the robot', /person|anyone/),
      lasts('how long did the whole thing take', [5, 5.6], /long|length|duration|take/),
      finds('bowl moves', [[1.6, 5.52]], /bowl/, /mov/),
    ],
  },
  {
    file: 'robotics/octo--put_carrot.mp4',
    toleranceS: 0.3,
    prompts: [
      no('did it pick up the carrot', /pick|carrot/),
      finds('carrot falls over', [[1.3, 2.0]], /fall|carrot/),
      yes('is the red bowl empty at the end', null, /bowl|empty/),
      no('does the gripper touch the bowl', /touch|bowl/),
      cannot('whats the success rate', /success|rate/),
      unsure(covers('when is the robot arm in motion', [[0, 1.8]], ARM, /mov|motion/), [1.8, 3.56]),
    ],
  },
  {
    file: 'robotics/openvla--put_eggplant_into_pot--clutter--reattempt.mp4',
    toleranceS: 0.3,
    prompts: [
      cannot('how many tries did it need', /tries|try|need/),
      finds('did it drop the eggplant? when', [[5.5, 5.9]], /drop|eggplant/),
      yes('is there a cup', null, /cup/),
      yes('is the eggplant in the pot at the end', null, /eggplant|pot/),
      cannot('what went wrong the first time', /wrong|what/),
      yes('is the carrot orange', null, /carrot/, /orange/),
      no('is there a knife', /knife/),
      count('how many cups', 2, /cup/),
    ],
  },
  {
    file: 'robotics/openvla--put_blue_cup_on_plate.mp4',
    toleranceS: 0.3,
    prompts: [
      finds('blue cup moves', [[1.7, 3.7]], /blue cup/, /mov/),
      no('did the red cup move', /red cup/, /mov/),
      yes('is the cup on the plate at the end', null, /cup/, /plate/),
      covers('red cup', [[0, 4.5]], /red cup/),
      cannot('is the gripper open or closed', /gripper|open|clos/),
      yes('¿hay una taza roja?', null, /cup|taza/i),
    ],
  },
  {
    file: 'robotics/rt1_robot_coke_upright.mp4',
    toleranceS: 0.3,
    prompts: [
      yes('is the can standing at the end', null, /can|stand/),
      finds('when is the can lifted', [[1.9, null]], /can|lift/),
      cannot('what brand is the can', /brand|can/),
      no('did it knock something over', /knock/),
      says('recording date', /2024|not (?:known|stated)/i, /date|recorded/),
      no('is there a bottle', /bottle/),
    ],
  },
  {
    file: 'robotics/rt1_robot_orange_near_coke.mp4',
    toleranceS: 0.3,
    prompts: [
      yes('did the orange end up next to the can', null, /orange/, /can|next/),
      finds('when does the orange start moving', [[1.5, null]], /orange/, /mov|start/),
      covers('orange fruit', [[0, 3.4]], /orange/),
      cannot('how hard does it squeeze', /squeeze|hard/),
      no('does anything fall off the table', /fall/),
    ],
  },
  {
    file: 'robotics/openvla--place_banana_on_plate.mp4',
    toleranceS: 0.3,
    prompts: [
      yes('banana on plate?', [[3, 7]], /banana/, /plate/),
      unsure(covers('where nothing happens', [[4, 7]], /nothing|still|\bno\b/), [3.5, 7]),
      yes('is there a banana', [[0, 7]], /banana/),
      finds('when does the banana move', [[1.1, 3.7]], /banana/, /mov/),
      cannot('did the operator take over', /operator|take/),
      cannot('joint angles at the grasp', /joint|grasp|angle/),
      no('香蕉掉了吗', /banana|fall|drop|香蕉/),
    ],
  },
  {
    file: 'robotics/bridge_pick_clutter.mp4',
    toleranceS: 0.3,
    prompts: [
      yes('did the gripper pick the eggplant', null, /pick|eggplant/),
      no('did the gripper drop it', /drop/),
      no('did the carrot move', /carrot/, /mov/),
      cannot('at what speed is this played', /speed|play/),
      no('is it a real kitchen', /kitchen|real/),
    ],
  },
];
