import { crc32 } from 'node:zlib';
import { grayImage } from '#test/mcap/recordings';

/** A small image whose header claims 60,000 × 60,000 pixels. */
export function hugeImage(type: string): Buffer {
  const image = grayImage(128, { type });
  if (type === 'png') {
    image.writeUInt32BE(60_000, 16);
    image.writeUInt32BE(60_000, 20);
    image.writeUInt32BE(crc32(image.subarray(12, 29)), 29);
  } else {
    const frame = image.indexOf(Buffer.from([0xff, 0xc0]));
    image.writeUInt16BE(60_000, frame + 5);
    image.writeUInt16BE(60_000, frame + 7);
  }
  return image;
}

/** An image of one gray level in a raw encoding. */
export function rawImage(encoding: string, level: number) {
  const [width, height] = [64, 48];
  const pixel: Record<string, number[]> = {
    mono8: [level],
    rgb8: [level, level, level],
    bgr8: [level, level, level],
    rgba8: [level, level, level, 255],
    bgra8: [level, level, level, 255],
    mono16: [0, level],
    bayer_rggb8: [level],
    // Luma in video range, as cameras send it.
    yuv422: [128, 16 + Math.round((level * 219) / 255)],
    yuv422_yuy2: [16 + Math.round((level * 219) / 255), 128],
    '16UC1': (() => {
      const mm = Math.round((level / 255) * 10_000);
      return [mm & 255, mm >> 8];
    })(),
  };
  const bytes = pixel[encoding]!;
  // Rows are padded, as by some drivers.
  const step = width * bytes.length + 8;
  const data = new Uint8Array(step * height);
  for (let row = 0; row < height; row++) {
    for (let i = 0; i < width * bytes.length; i++) data[row * step + i] = bytes[i % bytes.length]!;
  }
  return { width, height, encoding, is_bigendian: 0, step, data };
}
