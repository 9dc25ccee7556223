import type { Answer, Finding } from '#engine/index';
import { rounded } from '#platform/numbers';
import { pictureName } from './pictures.ts';

/** What a document says about the video: what was true when it was written. */
export type VideoFacts = {
  name: string;
  durationS: number | null;
  width: number | null;
  height: number | null;
  frameRate: number | null;
  sizeBytes: number | null;
  sourceUri: string | null;
  createdAt: Date;
};

/** What every document has, whatever became of the analysis. */
export type Header = {
  analysisId: string;
  videoId: string;
  batchId: string | null;
  query: string;
  mode: 'fast' | 'thinking';
  createdAt: Date;
  engineVersion: string;
};

type Json = Record<string, unknown>;

/** What stands for a picture's URL, by the picture's name. */
type UrlOf = (name: string) => string;

/**
 * The analysis document (reference section 2.4): complete in the stored ("UI") event form under `analysis.events`, and in the readable form
 * under `events`. Every evidence frame has a picture: `urlOf` turns its name into what stands in the document for its URL.
 */
export function completedDocument(
  header: Header,
  video: VideoFacts,
  plan: unknown,
  answer: Answer,
  urlOf: UrlOf,
): Json {
  const events = answer.findings.map((finding, index) => event(header.analysisId, index, finding, urlOf));
  const text = answer.answer ?? answer.summary;
  return document(
    header,
    facts(video),
    'COMPLETED',
    text,
    events.map((e) => e.readable),
    {
      events: events.map((e) => e.stored),
      summary: answer.summary,
      coverage: answer.coverage,
      plan,
      engine_version: header.engineVersion,
      completed_at: new Date().toISOString(),
    },
  );
}

/** The document of an analysis that failed: the same shape, no events, and why. */
export function failedDocument(
  header: Header,
  video: VideoFacts | null,
  problem: { code: string; message: string },
): Json {
  return document(header, video ? facts(video) : {}, 'FAILED', problem.message, [], {
    events: [],
    summary: problem.message,
    coverage: [],
    plan: null,
    engine_version: header.engineVersion,
    error: problem.code,
    message: problem.message,
    completed_at: new Date().toISOString(),
  });
}

/** What stands in for the document while the analysis runs. Never stored. */
export function processingDocument(header: Header, stage: string | null, progress: number): Json {
  return document(header, {}, 'PROCESSING', '', [], {
    events: [],
    summary: '',
    coverage: [],
    plan: null,
    stage: stage ?? 'waiting',
    progress,
  });
}

/** The events in their readable form alone, without pictures: what streams tell is read later than a signed URL holds. */
export function readableEvents(analysisId: string, findings: readonly Finding[]): Json[] {
  return findings.map((finding, index) => event(analysisId, index, finding, null).readable);
}

function document(header: Header, videoFacts: Json, status: string, text: string, readable: Json[], rest: Json): Json {
  return {
    video_id: header.videoId,
    analysis_id: header.analysisId,
    filename: videoFacts.filename ?? null,
    analysis: {
      status,
      analysis_id: header.analysisId,
      batch_id: header.batchId,
      query: header.query,
      mode: header.mode,
      answer: text,
      created_at: header.createdAt.toISOString(),
      ...rest,
    },
    metadata: {
      ...videoFacts,
      analysis_id: header.analysisId,
      // Where older clients look for status, answer and events.
      visual_analysis: {
        analysis_id: header.analysisId,
        status: { status, quick_summary: { answer: text } },
      },
    },
    events: readable,
  };
}

function facts(video: VideoFacts): Json {
  return {
    filename: video.name,
    video_name: video.name,
    duration_s: video.durationS,
    width: video.width,
    height: video.height,
    frame_rate: video.frameRate,
    size_bytes: video.sizeBytes,
    import_source_uri: video.sourceUri,
    created_at: video.createdAt.toISOString(),
  };
}

/** One event in both forms. Existing clients need `type`, `time` as text and `data` in the stored form, and no `time` in the readable one. */
function event(analysisId: string, index: number, finding: Finding, urlOf: UrlOf | null) {
  const startS = rounded(finding.startS);
  const endS = rounded(finding.endS);
  const { frames } = finding.evidence;
  const urls = urlOf ? frames.map((_, i) => urlOf(pictureName(index, i))) : [];
  const best = frames.findIndex((frame) => frame.role === 'best');
  const thumbnail = urls[Math.max(0, best)];
  const thumbnailField = thumbnail ? { annotated_thumbnail_url: thumbnail } : {};
  const eventId = `${analysisId}-${index}`;
  const measured = Object.entries(finding.overlay ?? {});
  const overlay = Object.fromEntries(measured.map(([name, values]) => [`frame_${name}`, values]));
  const exact = {
    start_s: startS,
    end_s: endS,
    start_pts: finding.startPts,
    end_pts: finding.endPts,
    time_base: finding.timeBase,
  };
  return {
    stored: {
      event_id: eventId,
      type: finding.category,
      time: `t=${startS.toFixed(3)}`,
      end_time: `t=${endS.toFixed(3)}`,
      description: finding.label,
      severity: finding.severity,
      aiAnalysis: finding.explanation,
      approval: 'pending',
      edgeCaseValidated: 'true',
      start_s: startS,
      end_s: endS,
      data: {
        confidence: finding.confidence,
        ...thumbnailField,
        ...exact,
        // As pairs: existing clients make an overlay of them.
        ...Object.fromEntries(
          measured.flatMap(([name, { start, end }]) => [
            [`frame_${name}_start`, start],
            [`frame_${name}_end`, end],
          ]),
        ),
        evidence: {
          frames: frames.map((frame, i) => ({
            role: frame.role,
            time_s: rounded(frame.timeS),
            pts: frame.pts,
            boxes: frame.boxes,
            url: urls[i],
          })),
          tracks: finding.evidence.tracks.map(({ className, ...track }) => ({ ...track, class: className })),
          signals: finding.evidence.signals,
        },
      },
    },
    readable: {
      event_id: eventId,
      type: finding.category,
      category: finding.category,
      label: finding.label,
      description: finding.label,
      severity: finding.severity,
      confidence: finding.confidence,
      t_start: clock(startS),
      t_end: clock(endS),
      ...exact,
      aiAnalysis: finding.explanation,
      approval: 'pending',
      ...thumbnailField,
      ...(measured.length > 0 ? { overlay } : {}),
    },
  };
}

/** `MM:SS`, and `HH:MM:SS` past an hour; fractions are cut off. */
export function clock(value: number): string {
  const whole = Math.floor(value);
  const parts = [Math.floor(whole / 60) % 60, whole % 60];
  if (whole >= 3600) parts.unshift(Math.floor(whole / 3600));
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
