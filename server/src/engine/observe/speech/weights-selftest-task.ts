import type { SelfTestArgs } from '../tested-weights.ts';
import { SAMPLE_RATE } from '../types.ts';
import { openVoiceActivity } from './voice-activity.ts';
import { openWhisper } from './whisper.ts';

/**
 * A task of a media process: loads weights, English-only or multilingual, and recognizes silence. Returns what is wrong
 * with them, or null.
 */
export async function testWeights({ files }: SelfTestArgs): Promise<string | null> {
  try {
    await using opened = new AsyncDisposableStack();
    opened.adopt(await openVoiceActivity(), (voice) => voice.close());
    const whisper = opened.adopt(await openWhisper(files), (each) => each.close());
    const heard = await whisper.hear(new Float32Array(SAMPLE_RATE / 2));
    const probabilities = [heard.noSpeech, heard.language?.probability ?? 0];
    if (probabilities.some((each) => !(each >= 0 && each <= 1))) return 'its probabilities are not between 0 and 1';
    await heard.recognize(heard.language?.tag ?? null);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
