import { AV_BUFFERSRC_FLAG_KEEP_REF, AV_FRAME_FLAG_INTERLACED } from 'node-av/constants';
import { Filter, type FilterContext, FilterGraph, Frame } from 'node-av/lib';
import type { Orientation } from '../../engine/index.ts';
import { check } from './check.ts';
import { getTimestamp, type LibavInput } from './input.ts';

/** An FFmpeg filter and its arguments. */
type Step = readonly [name: string, args: string];
type Chain = { graph: FilterGraph; source: FilterContext; sink: FilterContext; format: string };
type Stamped = { frame: Frame; stamp: number | null };

/** True if the frame consists of two fields captured one after the other. */
export const isInterlaced = (frame: Frame): boolean => frame.hasFlags(AV_FRAME_FLAG_INTERLACED);

const UNWEAVE: Step = ['bwdif', 'mode=send_frame:deint=interlaced'];
const turning = ({ transpose, flipX, flipY }: Orientation): Step[] => [
  ...(transpose ? [['transpose', 'dir=cclock_flip'] as const] : []),
  ...(flipX ? [['hflip', ''] as const] : []),
  ...(flipY ? [['vflip', ''] as const] : []),
];

/**
 * Converts coded frames for display: deinterlaced and upright, with timestamps in the stream's time base. A frame is
 * valid until the next one is requested.
 */
export function* displayFrames(frames: Iterable<Frame>, input: LibavInput): Generator<Stamped> {
  const turns = turning(input.orientation);
  let chain: Chain | null = null;
  let interlaced = false;
  const out = new Frame();
  out.alloc();
  function* take(): Generator<Stamped> {
    while (chain && chain.sink.buffersinkGetFrameSync(out) >= 0) {
      const { num, den } = chain.sink.buffersinkGetTimeBase();
      yield { frame: out, stamp: Math.round((Number(out.pts) * num) / den / input.tick) };
      out.unref();
    }
  }
  try {
    for (const frame of frames) {
      const stamp = getTimestamp(frame);
      interlaced ||= isInterlaced(frame);
      const steps = interlaced ? [UNWEAVE, ...turns] : turns;
      if (steps.length === 0 || stamp === null) {
        yield { frame, stamp };
        continue;
      }
      frame.pts = BigInt(stamp);
      // A filter chain supports one size and format, which may change within a video.
      const format = `${frame.width} ${frame.height} ${frame.format} ${interlaced}`;
      if (chain?.format !== format) {
        if (chain) chain.source.buffersrcAddFrameSync(null);
        yield* take();
        chain?.graph.free();
        chain = createChain(frame, format, input, steps);
      }
      check(chain.source.buffersrcAddFrameSync(frame, AV_BUFFERSRC_FLAG_KEEP_REF), 'filtering a picture');
      yield* take();
    }
    if (chain) chain.source.buffersrcAddFrameSync(null);
    yield* take();
  } finally {
    out.free();
    chain?.graph.free();
  }
}

function createChain(frame: Frame, format: string, { video }: LibavInput, steps: readonly Step[]): Chain {
  const graph = new FilterGraph();
  graph.alloc();
  graph.nbThreads = 1;
  const { num, den } = video.timeBase;
  const source = [
    `video_size=${frame.width}x${frame.height}`,
    `pix_fmt=${frame.format}`,
    `time_base=${num}/${den}`,
    `colorspace=${frame.colorSpace}`,
    `range=${frame.colorRange}`,
  ].join(':');
  const contexts = [['buffer', source] as const, ...steps, ['buffersink', ''] as const].map(([name, args]) => {
    const filter = Filter.getByName(name);
    const context = filter && graph.createFilter(filter, name, args);
    if (!context) throw new Error(`This build of node-av has no filter ${name}, or not with ${args}.`);
    return context;
  });
  for (const [i, context] of contexts.slice(0, -1).entries()) check(context.link(0, contexts[i + 1]!, 0), 'filtering');
  check(graph.configSync(), 'filtering');
  return { graph, source: contexts[0]!, sink: contexts.at(-1)!, format };
}
