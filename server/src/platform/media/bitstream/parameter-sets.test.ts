import { expect, test } from 'vitest';
import { adtsHeaderBytes } from './adts.ts';
import { readParameterSets } from './parameter-sets.ts';

const bytes = (...parts: (number | number[])[]) => Buffer.from(parts.flat());
const START = [0, 0, 0, 1];

test('parameter sets are those in front of the first picture', () => {
  const [sps, pps] = [
    [0x67, 0x42, 0xc0],
    [0x68, 0xce],
  ];
  // A delimiter, the sets (one behind a short start code and with padding), an enhancement, a picture whose bytes look
  // like another set.
  const packet = bytes(START, 0x09, 0xf0, START, sps, 0, 0, 1, pps, START, 0x06, 5, START, 0x65, 0x88, START, sps);
  expect(readParameterSets(packet, 'h264')).toEqual(bytes(START, sps, START, pps));
  expect(readParameterSets(bytes(START, 0x41, 0x9a, START, sps), 'h264')).toBeNull();
  expect(readParameterSets(bytes(0, 0, 2, 0x67, 0x42), 'h264')).toBeNull();

  const [vps, hevcSps, hevcPps] = [
    [0x40, 1, 0x0c],
    [0x42, 1, 1],
    [0x44, 1, 0xc1],
  ];
  const hevc = bytes(START, vps, START, hevcSps, START, hevcPps, START, 0x26, 1, 0xaf, START, vps);
  expect(readParameterSets(hevc, 'hevc')).toEqual(bytes(START, vps, START, hevcSps, START, hevcPps));
});

test('the header of broadcast audio is derived from its packets', () => {
  expect(adtsHeaderBytes(bytes(0xff, 0xf1, 0x50, 0x80, 2, 0x1f, 0xfc, 0x21))).toBe(7);
  expect(adtsHeaderBytes(bytes(0xff, 0xf8, 0x50, 0x80, 2, 0x1f, 0xfc, 0x21, 0, 0))).toBe(9);
  expect(adtsHeaderBytes(bytes(0x21, 0x10, 4, 0x60, 0x8c, 0x1c, 0, 0))).toBe(0);
  expect(adtsHeaderBytes(bytes(0xff, 0xf1))).toBe(0);
});
