import type { DrawFrame, FrameDecoder } from './decoder/frame-decoder.ts';
import { hasFrameCallbacks, reportsFrames } from './frame-callbacks.ts';
import { FALLBACK_RATE, insideFrame, shuttleSpeed, stepTime } from './frames.ts';
import { Listeners } from './listeners.ts';
import { initialState, type PlayerState, storeVolume } from './player-state.ts';
import { ReversePlayback } from './reverse-playback.ts';

export type Marks = { in?: number | undefined; out?: number | undefined };

/** The element follows a decoded frame after this time without another seek: two decoders would share the processor. */
const FOLLOW_MS = 120;
/** Longest wait for the frame of a seek that has ended, in case a browser presents none. */
const PRESENT_MS = 3_000;
/** Files round the times of their frames, at most by this. */
const ROUNDED_S = 0.002;

/** A seek of the element. Times of the clock are those of frames, in milliseconds. */
type ElementSeek = {
  target: number;
  startedMs: number;
  /** Infinity while it is in flight. */
  endedMs: number;
  /** While an element plays, it may present frames of before a seek until the seek has ended. */
  wasPaused: boolean;
  /** True once the element has presented its frame. */
  isPresented: boolean;
};

/**
 * Playback of one `<video>` element. All times are seconds from the first frame. Listeners are called for each frame
 * that is presented, outside React.
 */
export class Player {
  frameRate = FALLBACK_RATE;
  marks: Marks = {};
  #video: HTMLVideoElement | null = null;
  #state = initialState();
  #time = 0;
  /** Target of the seek that is in flight or requested before the video was ready. */
  #target: number | null = null;
  /** True if the target changed while another seek was in flight. */
  #stale = false;
  /** Time of the frame that the current seek presented before it ended. */
  #landed: number | null = null;
  /** The last seek of the element. */
  #elementSeek: ElementSeek | null = null;
  readonly #reverse = new ReversePlayback();
  #frames: FrameDecoder | null = null;
  /** Time of the decoded frame, until the element shows its own. */
  #decoded: number | null = null;
  /** True while a frame is decoded or shown ahead of the element, whose time is not set yet. */
  #ahead = false;
  #following = 0;
  /** Timer of a seek that has ended and whose frame is not presented yet; 0 without one. */
  #presenting = 0;
  readonly #stateChanged = new Listeners<[]>();
  readonly #timeChanged = new Listeners<[time: number]>();
  readonly #seekChanged = new Listeners<[target: number | null]>();
  readonly #frameDecoded = new Listeners<Parameters<DrawFrame>>();

  state = (): PlayerState => this.#state;
  subscribe = this.#stateChanged.add;
  /** Calls the listener with the time of each presented frame, and at once with the target of a seek. */
  onTime = this.#timeChanged.add;
  /** Calls the listener with the target when a seek starts, and with null when its frame is shown. */
  onSeek = this.#seekChanged.add;
  /** Calls the listener with frames of the current seek that are decoded before the element shows its own. */
  onFrame = this.#frameDecoded.add;

  /** The presented time, or the target of the current seek. */
  time = (): number => this.#landed ?? this.#target ?? this.#time;

  /** Shows single frames by a decoder while the video stands still, faster than by its element; null: no more. */
  setFrames(frames: FrameDecoder | null): void {
    this.#frames = frames;
    if (!frames) this.#follow();
  }

  /** Controls an element until the returned function is called. */
  attach(video: HTMLVideoElement): () => void {
    this.#video = video;
    const events = new AbortController();
    const on = (name: keyof HTMLMediaElementEventMap, listener: () => void) =>
      video.addEventListener(name, listener, { signal: events.signal });
    on('loadedmetadata', () => this.#load(video));
    on('durationchange', () => Number.isFinite(video.duration) && this.#set({ duration: video.duration }));
    on('play', () => this.#set({ playing: true }));
    on('pause', () => this.#reverse.isActive || !video.paused || this.#set({ playing: false }));
    on('ratechange', () => this.#reverse.isActive || this.#set({ speed: video.playbackRate }));
    on('volumechange', () => this.#saveVolume(video));
    on('seeked', () => this.#finishSeek(video));
    on('timeupdate', () => !reportsFrames(video) && !video.seeking && this.#present(video.currentTime));
    let frame = 0;
    this.#elementSeek = null;
    const onFrame: VideoFrameRequestCallback = (_now, { mediaTime, presentationTime }) => {
      this.#receiveFrame(mediaTime, presentationTime);
      frame = video.requestVideoFrameCallback(onFrame);
    };
    if (hasFrameCallbacks(video)) frame = video.requestVideoFrameCallback(onFrame);
    video.volume = this.#state.volume;
    video.muted = this.#state.muted;
    if (video.readyState >= HTMLMediaElement.HAVE_METADATA) this.#load(video);
    return () => {
      events.abort();
      if (frame) video.cancelVideoFrameCallback(frame);
      clearTimeout(this.#following);
      clearTimeout(this.#presenting);
      this.#presenting = 0;
      this.#ahead = false;
      if (this.#stopReverse()) this.#set({ playing: false });
      this.#video = null;
      this.#set({ ready: false });
    };
  }

  /** Plays now, or as soon as the element has a source. */
  play(): void {
    this.#stopReverse();
    this.#set({ playing: true });
    const video = this.#video;
    if (!video) return;
    const { in: start = 0, out } = this.marks;
    if (this.#state.loop && out !== undefined && this.time() >= out) this.seek(start);
    this.#follow();
    video.play().catch((error: unknown) => {
      // Other failures are those of a source that changes: the next one plays.
      if (error instanceof DOMException && error.name === 'NotAllowedError') this.#set({ playing: false });
    });
  }

  pause(): void {
    this.#stopReverse();
    this.#video?.pause();
    this.#set({ playing: false });
  }

  toggle(): void {
    if (this.#state.playing) this.pause();
    else this.play();
  }

  /** Shows the frame of a time. Seeks that come faster than frames are decoded are skipped, except for the last. */
  seek(time: number): void {
    const { duration } = this.#state;
    this.#landed = this.#decoded = null;
    clearTimeout(this.#presenting);
    this.#presenting = 0;
    const latest = duration > 0 ? duration - 0.25 / this.frameRate : Number.POSITIVE_INFINITY;
    this.#target = Math.max(0, Math.min(insideFrame(time, this.frameRate), latest));
    this.#seekChanged.call(this.#target);
    this.#timeChanged.call(this.#target);
    const video = this.#video;
    if (!video || video.readyState < HTMLMediaElement.HAVE_METADATA) return;
    this.#ahead = true;
    clearTimeout(this.#following);
    if (this.#frames && video.paused && !this.#reverse.isActive) void this.#decode(this.#frames, this.#target);
    else this.#follow();
  }

  /** Pauses and shows a frame before or after the current one. */
  step(frames: number): void {
    this.pause();
    const from = this.#target === null ? this.#time : this.#target - 0.5 / this.frameRate;
    this.seek(stepTime(from, frames, this.frameRate, this.#state.duration || Number.MAX_VALUE));
  }

  setSpeed(speed: number): void {
    this.#stopReverse();
    if (this.#video) this.#video.playbackRate = speed;
    this.#set({ speed });
  }

  /** Plays in a direction; again in the same direction: faster. */
  shuttle(direction: 1 | -1): void {
    const speed = shuttleSpeed(this.#state.playing ? this.#state.speed : 0, direction);
    if (speed > 0) {
      this.setSpeed(speed);
      this.play();
    } else this.#playBackwards(-speed);
  }

  setVolume(volume: number, muted = volume === 0): void {
    if (this.#video) Object.assign(this.#video, { volume, muted });
  }

  toggleMuted(): void {
    if (this.#video) this.#video.muted = !this.#video.muted;
  }

  setLoop(loop: boolean): void {
    this.#set({ loop });
  }

  /** Decodes the frame of a target. Without it, the element follows at once. */
  async #decode(frames: FrameDecoder, target: number): Promise<void> {
    const draw: DrawFrame = (frame, isExact) => this.#frameDecoded.call(frame, isExact);
    const shown = await frames.show(target, draw).catch(() => {
      if (this.#frames === frames) this.#frames = null;
      return null;
    });
    if (this.#target !== target || !this.#ahead) return;
    if (shown === null) return this.#follow();
    this.#landed = this.#decoded = shown;
    this.#timeChanged.call(shown);
    this.#following = window.setTimeout(() => this.#follow(), FOLLOW_MS);
  }

  /** Sets the time of the element to the target, now or after the seek that is in flight. */
  #follow(): void {
    clearTimeout(this.#following);
    const video = this.#video;
    if (!this.#ahead || this.#target === null || !video) return;
    this.#ahead = false;
    if (video.seeking) this.#stale = true;
    else this.#seekElement(video, this.#target);
  }

  #seekElement(video: HTMLVideoElement, target: number): void {
    const before = this.#elementSeek;
    // Browsers present no other frame for the time that they are at.
    if (before?.target !== target || Math.abs(video.currentTime - target) > 1e-5) {
      const startedMs = performance.now();
      const { paused: wasPaused } = video;
      this.#elementSeek = { target, startedMs, endedMs: Number.POSITIVE_INFINITY, wasPaused, isPresented: false };
    }
    video.currentTime = target;
  }

  /** True if a frame was presented by the seek, not before it: its callback may come after the seek has started. */
  #isSought(seek: ElementSeek, mediaTime: number, presentedMs: number): boolean {
    if (presentedMs < seek.startedMs) return false;
    return seek.wasPaused || presentedMs >= seek.endedMs || this.#covers(mediaTime, seek.target);
  }

  /** True if a frame is the one of a time. No frame is where sound is longer than the video, or in a gap. */
  #covers = (mediaTime: number, time: number) =>
    time >= mediaTime - ROUNDED_S && time < mediaTime + 1 / this.frameRate + ROUNDED_S;

  #receiveFrame(mediaTime: number, presentedMs: number): void {
    const seek = this.#elementSeek;
    const isSought = seek !== null && this.#isSought(seek, mediaTime, presentedMs);
    if (this.#target === null) {
      // One of before the seek.
      if (this.#presenting && !isSought) return;
      if (this.#presenting) {
        this.#compare(mediaTime);
        this.#reveal();
      }
      this.#present(mediaTime);
    } else if (isSought && !this.#ahead && !this.#stale) {
      seek.isPresented = true;
      this.#compare(mediaTime);
      if (this.#covers(mediaTime, this.#target)) this.#landed = mediaTime;
    }
  }

  /** If the element shows another frame than the decoder did, the file has times that the decoder misreads. */
  #compare(mediaTime: number): void {
    if (this.#decoded !== null && Math.abs(mediaTime - this.#decoded) > 0.5 / this.frameRate) this.#frames = null;
    this.#decoded = null;
  }

  #playBackwards(speed: number): void {
    this.#stopReverse();
    const seek = (time: number) => this.#video?.seeking || this.seek(time);
    this.#reverse.start(this.time(), speed, seek, () => this.pause());
    this.#video?.pause();
    this.#set({ playing: true, speed: -speed });
  }

  /** Returns true if the video was playing backwards. */
  #stopReverse(): boolean {
    const wasActive = this.#reverse.stop();
    if (wasActive) this.#set({ speed: this.#video?.playbackRate ?? 1 });
    return wasActive;
  }

  #load(video: HTMLVideoElement): void {
    const duration = Number.isFinite(video.duration) ? video.duration : this.#state.duration;
    this.#set({ ready: true, duration, width: video.videoWidth, height: video.videoHeight });
    if (this.#target !== null) this.seek(this.#target);
    if (this.#state.playing && video.paused && !this.#reverse.isActive) this.play();
  }

  #finishSeek(video: HTMLVideoElement): void {
    if (this.#ahead) return;
    if (this.#stale && this.#target !== null) {
      this.#stale = false;
      this.#seekElement(video, this.#target);
      return;
    }
    const target = this.#target;
    const seek = this.#elementSeek;
    this.#target = null;
    if (target !== null) this.#present(this.#landed ?? target);
    this.#landed = null;
    if (!seek || seek.isPresented || !reportsFrames(video)) {
      this.#reveal();
      return;
    }
    // Its frame is presented, or reported, later.
    seek.endedMs = performance.now();
    clearTimeout(this.#presenting);
    this.#presenting = window.setTimeout(() => this.#reveal(), PRESENT_MS);
  }

  /** The element shows the frame of the last seek. */
  #reveal(): void {
    clearTimeout(this.#presenting);
    this.#presenting = 0;
    if (this.#elementSeek) this.#elementSeek.isPresented = true;
    this.#seekChanged.call(null);
  }

  #present(time: number): void {
    this.#time = time;
    const { in: start = 0, out } = this.marks;
    const { loop, playing, duration } = this.#state;
    const end = out ?? duration;
    if (loop && playing && end > start && time >= end - 0.75 / this.frameRate && !this.#reverse.isActive)
      this.seek(start);
    this.#timeChanged.call(this.time());
  }

  #saveVolume({ volume, muted }: HTMLVideoElement): void {
    storeVolume({ volume, muted });
    this.#set({ volume, muted });
  }

  #set(changes: Partial<PlayerState>): void {
    if (Object.entries(changes).every(([key, value]) => this.#state[key as keyof PlayerState] === value)) return;
    this.#state = { ...this.#state, ...changes };
    this.#stateChanged.call();
  }
}
