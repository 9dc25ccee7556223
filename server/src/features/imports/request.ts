import { VIEW_ROLE } from '#features/events/index';
import { toObjectUri } from '#features/integrations/index';
import type { Domain } from '#platform/http/index';
import { problems } from './problems.ts';
import type { DestinationFields, SelectionFields } from './schema.ts';
import type { ObjectSelection } from './selection.ts';
import type { SourceBucket } from './source-bucket.ts';
import type { ImportDestination } from './types.ts';

/** Selection in a request body, with defaults. */
export const toSelection = ({ prefix, include, exclude }: Domain<typeof SelectionFields>): ObjectSelection => ({
  prefix: prefix ?? '',
  include: include ?? [],
  exclude: exclude ?? [],
});

/** Destination in a request body, with defaults. */
export const toDestination = (
  body: Domain<typeof DestinationFields> & { force?: boolean | null },
): ImportDestination => ({
  folderId: body.folderId || null,
  scope: body.scope ?? null,
  sidecars: body.sidecars ?? false,
  force: body.force ?? false,
});

/** A selection without a prefix gets that of the integration. */
export function withDefaultPrefix(selection: ObjectSelection | null, { integration }: SourceBucket): ObjectSelection {
  const { prefix = '', include = [], exclude = [] } = selection ?? {};
  return { prefix: prefix || (integration?.prefix ?? ''), include, exclude };
}

/**
 * Views of a set, the front view first. Throws `import_invalid` (400) if there is no front view, a role is invalid or
 * two roles are equal.
 */
export function parseViews(views: Record<string, string>, source: SourceBucket): { view: string; key: string }[] {
  const parsed = Object.entries(views).map(([role, name]) => ({
    view: role.trim().toLowerCase(),
    key: parseObjectKey(source, name),
  }));
  const invalid = parsed.find(
    ({ view }, i) => !VIEW_ROLE.test(view) || parsed.findIndex((other) => other.view === view) < i,
  );
  if (invalid) {
    throw problems.import_invalid(
      `"${invalid.view}" is not a valid view role. A role has up to 64 letters, digits and "_", and occurs once in a set (case-insensitive).`,
    );
  }
  const front = parsed.find(({ view }) => view === 'front');
  if (!front) throw problems.import_invalid('Each of the `sets` needs a view with the role `front`.');
  return [front, ...parsed.filter((view) => view !== front)];
}

/** Key of an object that is named by its key or its URI. Throws `import_invalid` (400) for a URI of another bucket. */
export function parseObjectKey(
  { provider, bucketName }: Pick<SourceBucket, 'provider' | 'bucketName'>,
  name: string,
): string {
  const scheme = /^(s3|gs|hf):\/\//.exec(name)?.[0];
  if (!scheme) return name;
  const bucketUri = toObjectUri(provider, bucketName, '');
  if (name.startsWith(bucketUri) && name.length > bucketUri.length) return name.slice(bucketUri.length);
  throw problems.import_invalid(
    `"${name}" is not in the bucket "${bucketName}". Each request imports from one bucket; send one request per bucket.`,
  );
}

/** Bucket in an object's URI; null for a plain key. */
export function parseBucketName(name: string): string | null {
  return /^hf:\/\/buckets\/([^/]+\/[^/]+)\//.exec(name)?.[1] ?? /^(?:s3|gs):\/\/([^/]+)\//.exec(name)?.[1] ?? null;
}
