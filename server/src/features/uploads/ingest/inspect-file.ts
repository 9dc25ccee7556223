import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { InspectedFile } from '#features/videos/index';
import type { Media } from '#platform/media/index';
import type { Storage, StoredFile } from '#platform/storage/index';
import { problems } from '../problems.ts';

/**
 * Reads a stored file as a video. Without `stored`, its size and digest are computed from the file. Throws a
 * `media_…` problem (400) if it is not a readable video, or `upload_digest_mismatch` if it differs from
 * `expectedSha256`.
 */
export async function inspectFile(
  { storage, media }: { storage: Storage; media: Pick<Media, 'probe'> },
  storageKey: string,
  stored: StoredFile | null,
  signal: AbortSignal,
  expectedSha256: string | null = null,
): Promise<InspectedFile> {
  await using file = await storage.local(storageKey, signal);
  const { size, sha256 } = stored ?? (await hashFile(file.path, signal));
  if (expectedSha256 !== null && expectedSha256 !== sha256) throw problems.upload_digest_mismatch();
  return { probe: await media.probe(file.path, { signal }), sizeBytes: size, sha256 };
}

async function hashFile(path: string, signal: AbortSignal): Promise<StoredFile> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of createReadStream(path, { signal, highWaterMark: 1 << 20 })) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { size, sha256: hash.digest('hex') };
}
