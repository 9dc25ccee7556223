/** Value of a fact that only the file states. */
export type FileValue =
  | { fact: 'codec'; codec: string; audioCodec: string | null }
  | { fact: 'container'; container: string }
  | { fact: 'file_size'; bytes: number }
  | { fact: 'bit_rate'; bitsPerSecond: number }
  | { fact: 'dynamic_range'; hdr: 'PQ' | 'HLG' | null; bits: number }
  | { fact: 'recorded_at'; createdAt: string }
  /** `clock`: the reading of a clock that is burned into the frames, at `timeS` of the video. */
  | { fact: 'recorded_at'; clock: string; timeS: number }
  | { fact: 'camera_model'; camera: string };

/** Value of a fact about the recording, and the observer that it comes from. */
export type KnownFact = { by: string } & (
  | FileValue
  | { fact: 'duration'; seconds: number }
  | { fact: 'resolution' | 'orientation'; width: number; height: number }
  | { fact: 'frame_rate'; perSecond: number }
  | { fact: 'frame_count'; frames: number }
  /** `isSilent`: nothing is audible in it; null if its level was not measured. */
  | { fact: 'audio_track'; hasAudio: boolean; codec: string | null; isSilent: boolean | null }
  | { fact: 'shot_count'; shots: number }
  | { fact: 'mean_speed' | 'top_speed'; speedMps: number; timeS: number }
);
