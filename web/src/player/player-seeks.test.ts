// Seeks of the player, on an element that presents frames as browsers do: after its seek has ended, or before.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Player } from './player.ts';

const RATE = 25;
/** Time between a frame and its callback. */
const CALLBACK_MS = 16;

/** An element of a browser that reports no frames. */
class PlainVideo extends EventTarget {
  readyState = 4;
  duration = 10;
  videoWidth = 320;
  videoHeight = 180;
  volume = 1;
  muted = false;
  playbackRate = 1;
  paused = true;
  seeking = false;
  /** The times that it was set to. */
  readonly seeks: number[] = [];
  #time = 0;

  get currentTime(): number {
    return this.#time;
  }
  set currentTime(time: number) {
    this.#time = time;
    this.seeking = true;
    this.seeks.push(time);
  }
  play(): Promise<void> {
    this.paused = false;
    this.dispatchEvent(new Event('play'));
    return Promise.resolve();
  }
  endSeek(): void {
    vi.advanceTimersByTime(5);
    this.seeking = false;
    this.dispatchEvent(new Event('seeked'));
  }
}

class FakeVideo extends PlainVideo {
  #callback: VideoFrameRequestCallback | null = null;

  requestVideoFrameCallback(callback: VideoFrameRequestCallback): number {
    this.#callback = callback;
    return 1;
  }
  cancelVideoFrameCallback(): void {
    this.#callback = null;
  }
  /** Presents a frame now. Its callback comes with `report`. */
  present(mediaTime: number): { report: () => void } {
    const presentationTime = performance.now();
    return {
      report: () => {
        vi.advanceTimersByTime(CALLBACK_MS);
        const metadata = { mediaTime, presentationTime } as VideoFrameCallbackMetadata;
        this.#callback?.(performance.now(), metadata);
      },
    };
  }
}

/** A player of an element, and the targets of its seeks: null where one is revealed. */
function open<Video extends PlainVideo>(video: Video) {
  const player = new Player();
  player.frameRate = RATE;
  player.attach(video as unknown as HTMLVideoElement);
  const seeks: (number | null)[] = [];
  player.onSeek((target) => seeks.push(target));
  return { player, video, seeks, isCovered: () => seeks.at(-1) !== null };
}

let isHidden = false;
beforeEach(() => {
  vi.useFakeTimers();
  isHidden = false;
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => {} });
  vi.stubGlobal('document', {
    get hidden() {
      return isHidden;
    },
  });
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('HTMLMediaElement', { HAVE_METADATA: 1 });
  return () => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  };
});

describe('a seek', () => {
  test('covers the frame until the one of its time is presented, which is reported before or after its end', () => {
    const { player, video, isCovered } = open(new FakeVideo());
    player.seek(2.02);
    video.endSeek();
    expect(isCovered()).toBe(true);
    vi.advanceTimersByTime(2_000);
    expect(isCovered()).toBe(true);
    video.present(2).report();
    expect(isCovered()).toBe(false);
    expect(player.time()).toBe(2);

    player.seek(3.02);
    const frame = video.present(3);
    frame.report();
    expect(isCovered()).toBe(true);
    video.endSeek();
    expect(isCovered()).toBe(false);
    expect(player.time()).toBe(3);
  });

  test('is not revealed by a frame of before it, also if that is a neighbor', () => {
    const { player, video, isCovered } = open(new FakeVideo());
    const before = video.present(2);
    vi.advanceTimersByTime(1);
    player.seek(2.05);
    before.report();
    video.endSeek();
    expect(isCovered()).toBe(true);
    expect(player.time()).toBeCloseTo(2.05);
    video.present(2.04).report();
    expect(isCovered()).toBe(false);
    expect(player.time()).toBe(2.04);
  });

  test('beyond the last frame is revealed by that frame, whose time is far before', () => {
    const { player, video, isCovered } = open(new FakeVideo());
    player.seek(9.5);
    const last = video.present(7.96);
    video.endSeek();
    expect(isCovered()).toBe(true);
    last.report();
    expect(isCovered()).toBe(false);
    // Reported before the end of the seek.
    player.seek(9.9);
    video.present(7.96).report();
    expect(isCovered()).toBe(true);
    video.endSeek();
    expect(isCovered()).toBe(false);
  });

  test('after another one is not revealed by the frame of the first', () => {
    const { player, video, seeks, isCovered } = open(new FakeVideo());
    player.seek(3.02);
    player.seek(3.05);
    expect(video.seeks).toEqual([3.02]);
    const first = video.present(3);
    video.endSeek();
    expect(video.seeks).toEqual([3.02, 3.05]);
    first.report();
    video.endSeek();
    expect(isCovered()).toBe(true);
    expect(seeks).not.toContain(null);
    video.present(3.04).report();
    expect(isCovered()).toBe(false);
    expect(player.time()).toBe(3.04);
  });

  test('to the shown time is revealed when it ends, as no frame is presented', () => {
    const { player, video, isCovered } = open(new FakeVideo());
    player.seek(5.02);
    video.endSeek();
    video.present(5).report();
    player.seek(5.02);
    expect(isCovered()).toBe(true);
    video.endSeek();
    expect(isCovered()).toBe(false);
    // Twice before the frame is there.
    player.seek(6.02);
    const frame = video.present(6);
    video.endSeek();
    player.seek(6.02);
    video.endSeek();
    expect(isCovered()).toBe(true);
    frame.report();
    expect(isCovered()).toBe(false);
  });

  test('while the video plays is not revealed by frames that it still presents', async () => {
    const { player, video, isCovered } = open(new FakeVideo());
    player.play();
    player.seek(8.02);
    video.present(1).report();
    video.endSeek();
    expect(isCovered()).toBe(true);
    video.present(8.04).report();
    expect(isCovered()).toBe(false);
    // To where no frame covers its time: any that is presented after its end.
    player.seek(9.5);
    video.present(8.08).report();
    video.endSeek();
    expect(isCovered()).toBe(true);
    video.present(7.96).report();
    expect(isCovered()).toBe(false);
  });

  test('is revealed when it ends in a hidden page and in a browser without callbacks of frames', () => {
    const { player, video, isCovered } = open(new FakeVideo());
    isHidden = true;
    player.seek(2.02);
    video.endSeek();
    expect(isCovered()).toBe(false);
    isHidden = false;
    player.seek(4.02);
    video.endSeek();
    expect(isCovered()).toBe(true);

    const plain = open(new PlainVideo());
    plain.player.seek(2.02);
    expect(plain.isCovered()).toBe(true);
    plain.video.endSeek();
    expect(plain.isCovered()).toBe(false);
    plain.video.dispatchEvent(new Event('timeupdate'));
    expect(plain.player.time()).toBe(2.02);
  });

  test('is revealed after three seconds if no frame comes', () => {
    const { player, video, isCovered } = open(new FakeVideo());
    player.seek(2.02);
    video.endSeek();
    vi.advanceTimersByTime(2_900);
    expect(isCovered()).toBe(true);
    vi.advanceTimersByTime(200);
    expect(isCovered()).toBe(false);
  });
});
