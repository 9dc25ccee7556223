import type { Analyses } from '#features/analyses/index';

/** The bulk response as JSON text in chunks: documents as stored, and the ids that have none. */
export async function* bulkJson(
  wanted: readonly string[],
  found: ReturnType<Analyses['streamBatchDocuments']>,
): AsyncGenerator<string> {
  const resolved = new Set<string>();
  const notFound: string[] = [];
  let separator = '{"analyses":[';
  for await (const chunk of found) {
    for (const { videoId } of chunk) resolved.add(videoId);
    notFound.push(...chunk.flatMap(({ document, analysisId }) => (document === null ? analysisId : [])));
    const texts = chunk.flatMap(({ document }) => document ?? []);
    if (texts.length === 0) continue;
    yield `${separator}${texts.join(',')}`;
    separator = ',';
  }
  const unresolved = wanted.filter((id) => !resolved.has(id));
  yield `${separator === ',' ? '' : separator}],"unresolved_video_ids":${JSON.stringify(unresolved)},"not_found_analysis_ids":${JSON.stringify(notFound)}}`;
}
