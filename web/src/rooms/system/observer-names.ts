import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';

const NAMES: Record<string, MessageDescriptor> = {
  signals: msg`Light, motion and cuts`,
  sound: msg`Sound`,
  sounds: msg`Recognized sounds, for questions about them`,
  subtitles: msg`Subtitles, for questions about speech`,
  speech: msg`Transcript of speech, for questions about it`,
  text: msg`Text in the frame, for questions about it`,
  embeddings: msg`Vectors of frames, for search by words and images`,
  object_embeddings: msg`Vectors of tracked objects, for search by words and images`,
  objects: msg`Objects and their tracks`,
  fine_objects: msg`Small objects in enlarged frames, for questions about objects`,
  poses: msg`Joints of people, for questions about what their bodies do`,
  triage: msg`Scan of keyframes, for fast answers`,
  glance: msg`Sparse pass, for fast answers`,
  telemetry: msg`Telemetry`,
  file: msg`Facts of the file`,
};

/** Name of an observer; undefined for one that this version of the console does not know. */
export const observerName = (kind: string): MessageDescriptor | undefined => NAMES[kind];
