import { queryOptions } from '@tanstack/react-query';
import { sightline } from '#api/client.ts';

/** An image that frames are compared with; `id` tells it from others. */
export type ChosenImage = { id: number; name: string; jpeg: Blob };

export type FramesSearch = { words: string; like?: string; image: ChosenImage | null; folder?: string };

const MOST_FRAMES = 24;
/** Longest side in pixels of an image that is sent: the model sees 224. */
const LONGEST_SIDE = 640;
let images = 0;

/** Frames that resemble an image, a frame, or words, in this order of precedence. */
export const framesQuery = ({ words, like, image, folder }: FramesSearch, enabled: boolean) =>
  queryOptions({
    queryKey: ['frames', image?.id, like, words, folder],
    enabled: enabled && (words !== '' || like !== undefined || image !== null),
    queryFn: ({ signal }) => {
      const [video_id = '', seconds, part] = like?.split('@') ?? [];
      const query = image
        ? { picture: image.jpeg }
        : like
          ? { frame: { video_id, time_s: Number(seconds) || 0, ...toBox(part) } }
          : { text: words };
      return sightline.searchFrames({ ...query, folder_id: folder, limit: MOST_FRAMES }, { signal });
    },
  });

/** The box `x,y,width,height`, if there is one. */
function toBox(part: string | undefined) {
  const [x, y, width, height] = part?.split(',').map(Number) ?? [];
  const box = { x: x ?? 0, y: y ?? 0, width: width ?? 1, height: height ?? 1 };
  return part !== undefined && Object.values(box).every((each) => each >= 0 && each <= 1) ? { box } : {};
}

/** Reads an image file and makes it smaller. Rejects if the browser cannot read it. */
export async function chooseImage(file: File): Promise<ChosenImage> {
  const bitmap = await createImageBitmap(file);
  const factor = Math.min(1, LONGEST_SIDE / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(bitmap.width * factor));
  canvas.height = Math.max(1, Math.round(bitmap.height * factor));
  canvas.getContext('2d')!.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  const jpeg = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.9));
  if (!jpeg) throw new Error(`${file.name} cannot be read`);
  return { id: ++images, name: file.name, jpeg };
}
