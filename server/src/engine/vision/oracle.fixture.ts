import type { Media } from '#platform/media/index';
import type { Adversary } from '#test/servers/vision-adversaries';
import { startVisionModel, type VisionModel, type VisionModelRequest } from '#test/servers/vision-model';
import { createVisionOracle, knownAt, type Truth, type VisionOracle } from '#test/servers/vision-oracle';
import { createVisionSearch, type FrameSource, type VisionProfile, type VisionSearchOptions } from './index.ts';

export const profileOf = (url: string, over: Partial<VisionProfile> = {}): VisionProfile => ({
  url,
  model: 'eyes',
  apiKey: 'k-1',
  concurrency: 8,
  timeoutS: 60,
  maxImages: 16,
  contextTokens: null,
  videoUrl: false,
  inputPrice: 0.2,
  outputPrice: 0.8,
  extra: {},
  ...over,
});

/** Frames of a clip that an oracle knows; their bytes are their times. */
export function framesOf(oracle: VisionOracle, truth: Truth): FrameSource {
  const at = (timeS: number) => knownAt(truth, timeS);
  return {
    async frame(timeS) {
      const jpeg = Buffer.from(`frame at ${timeS} of ${JSON.stringify(truth)}`);
      oracle.learn(jpeg, [at(timeS)]);
      return jpeg;
    },
    async sheet(times) {
      const jpeg = Buffer.from(`sheet at ${times.join()} of ${JSON.stringify(truth)}`);
      oracle.learn(jpeg, times.map(at));
      return jpeg;
    },
  };
}

export type Eyes = {
  model: VisionModel;
  oracle: VisionOracle;
  search: ReturnType<typeof createVisionSearch>;
  profile: VisionProfile;
  close: () => Promise<void>;
};

/** `watch` replaces how the model decodes clips. */
export type EyesOptions = VisionSearchOptions & {
  profile?: Partial<VisionProfile>;
  watch?: VisionOracle['watch'];
  /** Decodes clips; without it none may be sent. */
  media?: Media;
};

/** A search whose model is an oracle, or one that an adversary changes. Close it. */
export async function openEyes(
  adversary: Adversary = (_request, truth) => truth,
  { profile = {}, watch, media, ...options }: EyesOptions = {},
): Promise<Eyes> {
  const oracle = await createVisionOracle(media);
  const model = await startVisionModel(
    (request: VisionModelRequest, n) => adversary(request, oracle.script(request, n), n),
    { watch: watch ?? oracle.watch },
  );
  const full = profileOf(model.url, profile);
  return {
    model,
    oracle,
    profile: full,
    close: model.close,
    search: createVisionSearch(full, { timeoutMs: 60_000, retryMs: 1, ...options }),
  };
}
