import { problems } from './problems.ts';
import { KNOWN_METADATA } from './schema.ts';
import type { UserMetadata, VideoChanges } from './types.ts';

const MAX_NAMES = 64;

/** One spelling: composed characters, no spaces around. Throws `video_name_invalid` (400) when nothing is left. */
export function checkName(name: string): string {
  const clean = name.normalize('NFC').trim();
  if (clean === '') throw problems.video_name_invalid();
  return clean;
}

/** Each tag once, spelt as names are. Throws `video_tag_invalid` (400). */
export function checkTags(tags: readonly string[]): string[] {
  const clean = tags.map((tag) => tag.normalize('NFC').trim());
  if (clean.includes('')) throw problems.video_tag_invalid();
  return [...new Set(clean)];
}

/** What is said of a video, with the changes: null drops a name. Throws `video_metadata_invalid` (400). */
export function mergeMetadata(before: UserMetadata, changes: NonNullable<VideoChanges['metadata']>): UserMetadata {
  const known = Object.keys(changes).find((name) => KNOWN_METADATA.includes(name));
  if (known !== undefined) {
    throw problems.video_metadata_invalid(
      `\`metadata.${known}\` is what the service says of the file: use another name.`,
    );
  }
  const after = new Map<string, UserMetadata[string] | null>(Object.entries({ ...before }));
  for (const [name, value] of Object.entries(changes)) after.set(name, value);
  const kept = [...after].filter((entry): entry is [string, UserMetadata[string]] => entry[1] !== null);
  if (kept.length > MAX_NAMES) throw problems.video_metadata_invalid();
  return Object.fromEntries(kept);
}
