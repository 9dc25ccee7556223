/** Joints in the order of the model, those of the left side of the person before those of the right. */
export const JOINTS = [
  'nose',
  'leftEye',
  'rightEye',
  'leftEar',
  'rightEar',
  'leftShoulder',
  'rightShoulder',
  'leftElbow',
  'rightElbow',
  'leftWrist',
  'rightWrist',
  'leftHip',
  'rightHip',
  'leftKnee',
  'rightKnee',
  'leftAnkle',
  'rightAnkle',
] as const;
export type Joint = (typeof JOINTS)[number];

/** Numbers of each joint of a pose: x, y and its score. */
export const VALUES_PER_JOINT = 3;
export const VALUES_PER_POSE = JOINTS.length * VALUES_PER_JOINT;
