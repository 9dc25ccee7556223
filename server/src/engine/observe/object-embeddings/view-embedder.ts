import type { DecodedFrame } from '#platform/media/index';
import { cropImage, DIMENSIONS, quantize, regionAround, type ScaledImage } from '../../embeddings/index.ts';
import type { Objects } from '../objects/observation.ts';
import type { ObjectEmbeddings } from './observation.ts';
import type { SelectedView } from './select-views.ts';

type EmbedImage = (image: ScaledImage) => Promise<Float32Array>;

/** Embeds views of objects from the frames that show them. Views whose frame is not decoded are left out. */
export function createViewEmbedder(
  embed: EmbedImage,
  views: readonly SelectedView[],
  { model, objects }: { model: string; objects: Objects },
) {
  const stampOf = ({ track, entry }: SelectedView) => objects.pts[track.frame[entry]!]!;
  const byStamp = Map.groupBy(views, stampOf);
  const embedded = new Map<SelectedView, ReturnType<typeof quantize>>();

  return {
    async takeFrame({ width, height, data, pts }: ScaledImage & Pick<DecodedFrame, 'pts'>): Promise<void> {
      const image = { width, height, data };
      for (const view of byStamp.get(pts) ?? [])
        embedded.set(view, quantize(await embed(await cropImage(image, regionAround(view.box, image)))));
    },
    finish(): ObjectEmbeddings {
      const seen = views.filter((view) => embedded.has(view));
      const vectors = new Int8Array(seen.length * DIMENSIONS);
      for (const [at, view] of seen.entries()) vectors.set(embedded.get(view)!.bytes, at * DIMENSIONS);
      return {
        model,
        detector: objects.model,
        classNames: seen.map(({ track }) => track.className),
        track: Int32Array.from(seen, ({ track }) => track.id),
        timeS: Float64Array.from(seen, ({ timeS }) => timeS),
        pts: Float64Array.from(seen, stampOf),
        boxes: Float32Array.from(seen.flatMap(({ box: { x, y, width, height } }) => [x, y, width, height])),
        spans: Float64Array.from(seen.flatMap(({ track: { frame } }) => spanOf(frame, objects))),
        scales: Float32Array.from(seen, (view) => embedded.get(view)!.scale),
        vectors,
      };
    },
  };
}

function spanOf(frame: Int32Array, { timeS, pts }: Objects): number[] {
  const [first, last] = [frame[0]!, frame.at(-1)!];
  return [timeS[first]!, timeS[last]!, pts[first]!, pts[last]!];
}
