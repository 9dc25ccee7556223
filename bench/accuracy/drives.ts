import { kindOfFootage } from '../../server/src/engine/find/camera/index.ts';
import { decodeObservations } from '../../server/src/engine/observe/encoding.ts';
import type { BenchmarkRow } from '../run.ts';

/** Labeled clips recorded from a moving vehicle; all others come from fixed, hand-held or panning cameras. */
const DRIVES: ReadonlySet<string> = new Set([
  'road/udacity_solidWhiteRight.mp4',
  'road/udacity_night_rural_5s.mp4',
  'road/udacity_vd_test_small2.mp4',
  'road/camvid_0006R0_carpark_1fps.mp4',
  'road/camvid_0016E5_cyclists_15fps.mp4',
  'road/kitti_seq1_10fps.mp4',
]);

export type RecognizedClip = { file: string; right: boolean };

/** True if the clip is recognized as what it is: recorded from a moving vehicle, or not. */
export const recognizeDrive = (file: string, artifacts: Parameters<typeof decodeObservations>[0]): RecognizedClip => ({
  file,
  right: kindOfFootage(decodeObservations(artifacts)) === (DRIVES.has(file) ? 'drive' : 'other'),
});

export function driveRow(recognized: readonly RecognizedClip[]): BenchmarkRow {
  const right = recognized.filter((each) => each.right).length;
  return {
    name: 'footage from a moving vehicle recognized',
    value: right / recognized.length,
    unit: '',
    bar: { min: 0.95 },
    note: `${right} of ${recognized.length} clips`,
  };
}
