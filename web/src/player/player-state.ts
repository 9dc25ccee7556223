/** State of the controls. The time is not part of it: it changes with every frame, see `Player.onTime`. */
export type PlayerState = {
  ready: boolean;
  playing: boolean;
  /** Relative speed; negative while the video plays backwards. */
  speed: number;
  volume: number;
  muted: boolean;
  loop: boolean;
  /** Duration in seconds; 0 until it is known. */
  duration: number;
  width: number;
  height: number;
};

const VOLUME = 'sightline.volume';

/** The state before a video is loaded, with the volume that was set last in this browser. */
export function initialState(): PlayerState {
  const [volume, muted] = (localStorage.getItem(VOLUME) ?? '').split(' ');
  return {
    ready: false,
    playing: false,
    speed: 1,
    loop: false,
    duration: 0,
    width: 0,
    height: 0,
    volume: volume ? Math.min(1, Math.max(0, Number(volume) || 0)) : 1,
    muted: muted === 'muted',
  };
}

/** Keeps the volume for the next video. */
export const storeVolume = ({ volume, muted }: Pick<PlayerState, 'volume' | 'muted'>): void =>
  localStorage.setItem(VOLUME, `${volume} ${muted ? 'muted' : ''}`);
