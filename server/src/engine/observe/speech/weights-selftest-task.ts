import type { SelfTestArgs } from '../tested-weights.ts';
import { SAMPLE_RATE } from '../types.ts';
import { openVoiceActivity } from './voice-activity.ts';
import { openWhisper } from './whisper.ts';

/** A task of a media process: loads weights and recognizes silence. Returns what is wrong with them, or null. */
export async function testWeights({ files }: SelfTestArgs): Promise<string | null> {
  try {
    await using opened = new AsyncDisposableStack();
    opened.adopt(await openVoiceActivity(), (voice) => voice.close());
    const whisper = opened.adopt(await openWhisper(files), (each) => each.close());
    const { noSpeech } = await whisper.recognize(new Float32Array(SAMPLE_RATE / 2));
    return noSpeech >= 0 && noSpeech <= 1 ? null : 'its probabilities are not between 0 and 1';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
