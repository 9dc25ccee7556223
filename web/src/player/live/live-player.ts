import { hasFrameCallbacks, reportsFrames } from '../frame-callbacks.ts';
import { Listeners } from '../listeners.ts';
import { initialState, type PlayerState } from '../player-state.ts';
import type { Source } from '../use-source.ts';
import { type OpenStream, openStream } from './open-stream.ts';
import { toCaptureTime, toMediaTime, toStreamTime } from './segment-map.ts';

/** State of a stream besides that of the controls. */
export type LiveState = PlayerState & {
  /** True while the newest frames are shown, false while recorded ones are. */
  isAtEdge: boolean;
  /** Seconds from the capture of the shown frame until now; null while unknown. */
  delayS: number | null;
  /** The stream cannot be played at the moment; it is tried again. */
  isInterrupted: boolean;
};

/** Signs the manifest of a session, from a time of the stream on; null: the last minutes. */
export type SignStream = (startS: number | null) => Promise<Source>;

/** Time between two measurements of the delay. */
const MEASURE_MS = 500;
const PREVIEW_MEASURE_MS = 1_000;
/** Playback jumps to the edge if it is farther behind, and catches up by its speed if it is nearer. */
const JUMP_S = 2;
const PREVIEW_JUMP_S = 6;
/** Farther behind the edge, what is shown counts as recorded. */
const EDGE_S = 4;
const RETRY_MS = 1_500;

/**
 * Playback of a running session: at its live edge, or anywhere in what is recorded. Times are seconds from the first
 * frame of the session, gaps included. Listeners of times are called for each presented frame, outside React.
 */
export class LivePlayer {
  #video: HTMLVideoElement | null = null;
  #sign: SignStream | null = null;
  #stream: OpenStream | null = null;
  #state: LiveState = { ...initialState(), playing: true, isAtEdge: true, delayS: null, isInterrupted: false };
  #time = 0;
  #captured: number | null = null;
  /** Target of a seek whose frame is not shown yet. */
  #target: number | null = null;
  /** True if the newest frames are wanted. */
  #wantsEdge = true;
  /** Counts sources: what an earlier one reports is ignored. */
  #source = 0;
  /** Milliseconds that the clock of the service is ahead of that of the browser. */
  #clockAheadMs = 0;
  #retry = 0;
  readonly #isPreview: boolean;
  readonly #stateChanged = new Listeners<[]>();
  readonly #timeChanged = new Listeners<[time: number]>();

  /** `isPreview`: one of many players at once, which shows frames some seconds later and costs less. */
  constructor({ isPreview = false } = {}) {
    this.#isPreview = isPreview;
  }

  state = (): LiveState => this.#state;
  subscribe = this.#stateChanged.add;
  onTime = this.#timeChanged.add;
  /** The presented time, or the target of the current seek. */
  time = (): number => this.#target ?? this.#time;
  /** Capture time of the presented frame in milliseconds since 1970, by the clock of the service. */
  captureTime = (): number | null => this.#captured;

  setClock(aheadMs: number): void {
    this.#clockAheadMs = aheadMs;
  }

  /** Plays in an element until the returned function is called. */
  attach(video: HTMLVideoElement, sign: SignStream): () => void {
    this.#video = video;
    this.#sign = sign;
    const events = new AbortController();
    const on = (name: keyof HTMLMediaElementEventMap, listener: () => void) =>
      video.addEventListener(name, listener, { signal: events.signal });
    const resized = () => this.#set({ ready: true, width: video.videoWidth, height: video.videoHeight });
    on('loadedmetadata', resized);
    on('resize', resized);
    on('play', () => this.#set({ playing: true }));
    on('pause', () => this.#set({ playing: false }));
    on('ratechange', () => this.#set({ speed: video.playbackRate }));
    // Not stored: a stream starts muted, other videos need not.
    on('volumechange', () => this.#set({ volume: video.volume, muted: video.muted }));
    // The end of a part of the recording: the rest is another playlist.
    on('ended', () => void this.#open(this.#time));
    on('timeupdate', () => !reportsFrames(video) && this.#present(video.currentTime));
    let frame = 0;
    const onFrame: VideoFrameRequestCallback = (_now, { mediaTime }) => {
      this.#present(mediaTime);
      frame = video.requestVideoFrameCallback(onFrame);
    };
    // A callback for each frame of many videos would keep the page busy: nothing follows the frames of a preview.
    if (!this.#isPreview && hasFrameCallbacks(video)) frame = video.requestVideoFrameCallback(onFrame);
    const measuring = window.setInterval(() => this.#measure(), this.#isPreview ? PREVIEW_MEASURE_MS : MEASURE_MS);
    video.volume = this.#state.volume;
    // Browsers play sound only after a person did something on the page.
    video.muted = true;
    void this.#open(null);
    return () => {
      events.abort();
      clearInterval(measuring);
      clearTimeout(this.#retry);
      if (frame) video.cancelVideoFrameCallback(frame);
      this.#source++;
      this.#stream?.close();
      this.#stream = null;
      this.#video = null;
      // Until the next frame, the delay would be that of the last one.
      this.#captured = null;
      this.#set({ ready: false, delayS: null });
    };
  }

  /** Shows the newest frames. */
  goLive(): void {
    this.#wantsEdge = true;
    this.#target = null;
    const edge = this.#stream?.liveTime();
    if (edge == null || this.#stream?.segments().at(-1) === undefined || !this.#isLiveSource) void this.#open(null);
    else if (this.#video) this.#video.currentTime = edge;
    this.play();
    this.#set({ isAtEdge: true });
  }

  /** Shows the frame of a time; after a gap, if it is in one. */
  seek(time: number): void {
    const target = Math.max(0, time);
    this.#wantsEdge = false;
    this.#target = target;
    this.#timeChanged.call(target);
    this.#set({ isAtEdge: false });
    const media = this.#stream && toMediaTime(this.#stream.segments(), target);
    const video = this.#video;
    if (media != null && video && isSeekable(video, media)) video.currentTime = media;
    else void this.#open(target);
  }

  play(): void {
    this.#set({ playing: true });
    this.#video?.play().catch((error: unknown) => {
      if (error instanceof DOMException && error.name === 'NotAllowedError') this.#set({ playing: false });
    });
  }

  pause(): void {
    this.#video?.pause();
    this.#set({ playing: false });
  }

  toggle(): void {
    if (this.#state.playing) this.pause();
    else this.play();
  }

  setSpeed(speed: number): void {
    if (this.#video) this.#video.playbackRate = speed;
  }

  toggleMuted(): void {
    if (this.#video) this.#video.muted = !this.#video.muted;
  }

  #isLiveSource = true;

  /** Plays another playlist: from a time on, or the last minutes (null). */
  async #open(startS: number | null): Promise<void> {
    const [video, sign] = [this.#video, this.#sign];
    if (!video || !sign) return;
    const source = ++this.#source;
    clearTimeout(this.#retry);
    this.#stream?.close();
    this.#stream = null;
    this.#isLiveSource = startS === null;
    const isCurrent = () => source === this.#source;
    const fail = () => {
      if (!isCurrent()) return;
      this.#set({ isInterrupted: true });
      this.#retry = window.setTimeout(() => void this.#open(this.#wantsEdge ? null : this.time()), RETRY_MS);
    };
    try {
      const { url } = await sign(startS);
      if (!isCurrent()) return;
      let isPlaced = startS === null;
      const place = () => {
        const media = isPlaced || !this.#stream ? null : toMediaTime(this.#stream.segments(), startS!);
        if (media === null || !isCurrent()) return;
        isPlaced = true;
        video.currentTime = media;
      };
      const stream = await openStream(video, url, {
        start: startS === null ? null : 0,
        isPreview: this.#isPreview,
        onSegments: () => {
          this.#set({ isInterrupted: false });
          place();
        },
        onError: fail,
      });
      if (!isCurrent()) return stream.close();
      this.#stream = stream;
      place();
      if (this.#state.playing) this.play();
    } catch {
      fail();
    }
  }

  #present(mediaTime: number): void {
    const segments = this.#stream?.segments();
    const time = segments ? toStreamTime(segments, mediaTime) : null;
    if (time === null) return;
    // The first frame of a source that was opened for a seek may be another one.
    if (this.#target !== null && Math.abs(time - this.#target) > 1.5 && time < this.#target) return;
    this.#target = null;
    this.#time = time;
    this.#captured = toCaptureTime(segments!, mediaTime);
    this.#timeChanged.call(time);
  }

  #measure(): void {
    if (this.#isPreview && this.#video && this.#state.ready) this.#present(this.#video.currentTime);
    const delayS =
      this.#captured === null ? null : Math.max(0, (Date.now() + this.#clockAheadMs - this.#captured) / 1_000);
    const edge = this.#stream?.liveTime();
    if (edge != null && this.#wantsEdge && this.#isLiveSource && this.#state.playing && this.#video) {
      const isFar = edge - this.#video.currentTime > (this.#isPreview ? PREVIEW_JUMP_S : JUMP_S);
      if (isFar && !this.#video.seeking && isSeekable(this.#video, edge)) this.#video.currentTime = edge;
    }
    const isNear = edge != null && this.#video !== null && edge - this.#video.currentTime < EDGE_S;
    const isAtEdge = this.#wantsEdge && this.#isLiveSource && (isNear || this.#stream === null || edge == null);
    if (this.#wantsEdge && !isAtEdge && this.#state.playing === false) this.#wantsEdge = false;
    this.#set({ delayS: delayS === null ? null : Math.round(delayS * 10) / 10, isAtEdge });
  }

  #set(changes: Partial<LiveState>): void {
    if (Object.entries(changes).every(([key, value]) => this.#state[key as keyof LiveState] === value)) return;
    this.#state = { ...this.#state, ...changes };
    this.#stateChanged.call();
  }
}

const isSeekable = ({ seekable }: HTMLVideoElement, time: number): boolean =>
  Array.from({ length: seekable.length }, (_, i) => i).some(
    (i) => time >= seekable.start(i) - 1e-3 && time <= seekable.end(i) + 1e-3,
  );
