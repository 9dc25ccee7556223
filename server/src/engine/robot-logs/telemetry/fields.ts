import type { MessageFields } from '../messages/index.ts';
// Not from the index, which loads the decoders of messages.
import { isFields } from '../messages/values.ts';

/** A number in a message: the names that lead to it. */
export type MessageNumber = { path: string; value: number };

/** Longest list of numbers of which each is a channel of its own; longer ones are data, such as a scan. */
const MAX_ELEMENTS = 32;
const MAX_DEPTH = 6;
/** Most numbers of one message. */
const MAX_NUMBERS = 256;
/** Types of messages whose numbers describe a place, a sensor or a picture, and measure nothing over time. */
const DESCRIPTIONS =
  /(?:Image|Video|CameraInfo|CameraCalibration|PointCloud2?|LaserScan|PackedElementField|TFMessage|FrameTransforms?|Marker(?:Array)?|SceneUpdate|Path|PoseArray|OccupancyGrid|Grid|GridMap|Log|Clock|ParameterEvent|PosesInFrame|Map)_?$/;
/** Fields that say when and where a message was made, and how certain it is. */
const BESIDE =
  /^(?:header|stamp|seq|sec|secs|nsec|nsecs|nanosec|nanos|timestamp|time|time_stamp|frame_id|child_frame_id)$|covariance/i;
/** Names of a message's only number, which the topic names. */
const VALUES = new Set(['data', 'value', 'values']);

/** True if the numbers of such messages are measured over time. */
export const isMeasuring = (schema: string): boolean => !DESCRIPTIONS.test(schema);

/**
 * All numbers of a message by their names, joined by slashes. Elements of a list are named by the list of names beside
 * it, as in `JointState`, by their own name or key, or by their place. Switches are 0 and 1.
 */
export function numbersOf(message: MessageFields): MessageNumber[] {
  const found: MessageNumber[] = [];
  visit(message, [], 0);
  return found;

  function visit(value: unknown, path: readonly string[], depth: number): void {
    if (found.length >= MAX_NUMBERS || depth > MAX_DEPTH) return;
    if (typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean') {
      found.push({ path: path.join('/'), value: Number(value) });
    } else if (isFields(value)) visitFields(value, path, depth);
    else if (Array.isArray(value) || ArrayBuffer.isView(value)) visitList(listOf(value), path, null, depth);
  }

  function visitFields(fields: MessageFields, path: readonly string[], depth: number): void {
    const { key, value: keyed } = fields;
    if (typeof key === 'string' && typeof keyed === 'string') {
      const number = keyed.trim() === '' ? Number.NaN : Number(keyed);
      if (!Number.isNaN(number)) found.push({ path: [...path, key].join('/'), value: number });
      return;
    }
    const names = namesIn(fields);
    for (const [name, inner] of Object.entries(fields)) {
      if (BESIDE.test(name)) continue;
      const own = VALUES.has(name.toLowerCase()) ? path : [...path, name];
      if (Array.isArray(inner) || ArrayBuffer.isView(inner)) visitList(listOf(inner), own, names, depth + 1);
      else visit(inner, own, depth + 1);
    }
  }

  function visitList(
    list: ArrayLike<unknown>,
    path: readonly string[],
    names: readonly string[] | null,
    depth: number,
  ): void {
    const isNamed = names !== null && names.length === list.length;
    if (list.length > MAX_ELEMENTS && !isNamed) return;
    for (let i = 0; i < list.length && found.length < MAX_NUMBERS; i++) {
      const element = list[i];
      if (!isFields(element)) {
        if (typeof element !== 'string') visit(element, [...path, isNamed ? names[i]! : String(i)], depth + 1);
        continue;
      }
      // Elements without a name have no place of their own: another message may list them in another order.
      const name = [element.name, element.key, element.id].find((each) => typeof each === 'string' && each !== '');
      if (name !== undefined) visit(element, element.key === name ? path : [...path, String(name)], depth + 1);
    }
  }
}

/** Views of bytes are pictures or packed data. */
const listOf = (value: unknown): ArrayLike<unknown> =>
  value instanceof Uint8Array || value instanceof DataView ? [] : (value as ArrayLike<unknown>);

/** The names of elements of the lists beside them. */
function namesIn({ name, names, joint_names: joints }: MessageFields): string[] | null {
  const list = [name, names, joints].find(
    (each): each is string[] => Array.isArray(each) && each.every((one) => typeof one === 'string'),
  );
  return list && list.length > 0 ? list : null;
}

/** Units of fields of known types, by the end of their path. */
const UNITS: readonly (readonly [type: RegExp, field: RegExp, unit: string])[] = [
  [/BatteryState_?$/, /^voltage$|cell_voltage/, 'V'],
  [/BatteryState_?$/, /^current$/, 'A'],
  [/BatteryState_?$/, /^(?:charge|capacity|design_capacity)$/, 'Ah'],
  [/(?:BatteryState|Temperature)_?$/, /temperature/, '°C'],
  [/FluidPressure_?$/, /pressure/, 'Pa'],
  [/MagneticField_?$/, /magnetic_field/, 'T'],
  [/Illuminance_?$/, /illuminance/, 'lx'],
  [/Range_?$/, /range$/, 'm'],
  [/(?:NavSatFix|LocationFix)_?$/, /altitude$/, 'm'],
  [/(?:NavSatFix|LocationFix)_?$/, /l(?:at|ong)itude$/, '°'],
  [/(?:Imu|Twist\w*|Odometry|Accel\w*)_?$/, /angular(?:_velocity)?\/[xyz]$/, 'rad/s'],
  [/Imu_?$/, /linear_acceleration\/[xyz]$/, 'm/s²'],
  [/(?:Twist\w*|Odometry)_?$/, /linear\/[xyz]$/, 'm/s'],
  [/(?:Pose\w*|Odometry)_?$/, /position\/[xyz]$/, 'm'],
  [/Wrench\w*_?$/, /force\/[xyz]$/, 'N'],
  [/Wrench\w*_?$/, /torque\/[xyz]$/, 'Nm'],
];

/** The unit of a field that the type of its message defines; null if it does not. */
export const unitOfField = (schema: string, path: string): string | null =>
  UNITS.find(([type, field]) => type.test(schema) && field.test(path))?.[2] ?? null;
