import type {
  Answer,
  CitedSource,
  EventOverlay,
  LanguageModelUsage,
  StructuredOutput,
  VideoEvent,
} from '#engine/index';
import { rounded } from '#platform/numbers';
import { type EventKind, toImageName } from './evidence/index.ts';
import { recordedFields, type VideoClock } from './recorded-times.ts';
import { type AnalysisHeader, type DocumentVideo, toEventId } from './types.ts';

type Json = Record<string, unknown>;

/** Returns the placeholder or URL of an evidence image by its name. */
type UrlOf = (name: string) => string;

/**
 * The document of a completed analysis, with its events in the stored form under `analysis.events` and in the readable
 * form under `events`. `urlOf` returns the URL or placeholder of an evidence image; `reading` is the use of a language
 * model by the reading of the prompt.
 */
export function completedDocument(
  header: AnalysisHeader,
  video: DocumentVideo,
  plan: unknown,
  answer: Answer,
  urlOf: UrlOf,
  reading: LanguageModelUsage | null = null,
): Json {
  const events = answer.events.map((finding, index) => createEventForms(header.analysisId, index, finding, urlOf));
  const candidates = answer.candidates.map((finding, index) =>
    createEventForms(header.analysisId, index, finding, urlOf, 'candidate'),
  );
  const text = answer.answer ?? answer.summary;
  return document(
    header,
    facts(video),
    'COMPLETED',
    text,
    { events: events.map((e) => e.readable), candidates: candidates.map((e) => e.readable) },
    {
      events: events.map((e) => e.stored),
      candidates: candidates.map((e) => e.stored),
      min_confidence: header.minConfidence,
      interpretation: answer.interpretation,
      ...(answer.suggestions && { suggestions: answer.suggestions }),
      summary: answer.summary,
      coverage: answer.coverage,
      ...visionFields(header.analysisId, answer),
      ...(reading && { language_model: usageFields(reading) }),
      plan,
      engine_version: header.engineVersion,
      ...structuredFields(answer.structured),
      completed_at: new Date().toISOString(),
    },
  );
}

/** Citations of an answer in words, reasons of a driver, and what the vision-language model took. */
function visionFields(analysisId: string, { events, citations, causation, vision }: Answer): Json {
  const eventIdOf = (cited: NonNullable<CitedSource['event']>) => {
    const at = events.findIndex(
      ({ startPts, endPts, label }) => startPts === cited.startPts && endPts === cited.endPts && label === cited.label,
    );
    return at < 0 ? {} : { event_id: toEventId(analysisId, at) };
  };
  return {
    ...(citations && {
      citations: citations.map(({ sentence, status, sources }) => ({
        sentence,
        status,
        sources: sources.map(({ timeS, text, event }) => ({
          time_s: rounded(timeS),
          text,
          ...(event && eventIdOf(event)),
        })),
      })),
    }),
    ...(causation && {
      causation: causation.map(({ keyframeS, decision, criticalComponents, chainOfCausation }) => ({
        keyframe_s: rounded(keyframeS),
        decision,
        critical_components: criticalComponents,
        chain_of_causation: chainOfCausation,
      })),
    }),
    ...(vision && {
      vision: {
        ...usageFields(vision),
        shown: vision.shown.map((range) => range.map(rounded)),
        shown_share: vision.shownShare,
      },
    }),
  };
}

/** Calls of a model, with their tokens and cost. */
const usageFields = ({ model, calls, cachedCalls, inputTokens, outputTokens, cost }: LanguageModelUsage): Json => ({
  model,
  calls,
  cached_calls: cachedCalls,
  input_tokens: inputTokens,
  output_tokens: outputTokens,
  cost,
});

const NONE = { events: [], candidates: [] };

/** The document of a failed analysis: no events, and the reason. */
export function failedDocument(
  header: AnalysisHeader,
  video: DocumentVideo | null,
  problem: { code: string; message: string },
): Json {
  return document(header, video ? facts(video) : {}, 'FAILED', problem.message, NONE, {
    ...NONE,
    summary: problem.message,
    coverage: [],
    plan: null,
    engine_version: header.engineVersion,
    error: problem.code,
    message: problem.message,
    completed_at: new Date().toISOString(),
  });
}

/** The document that is shown while the analysis runs. It is not stored. */
export function processingDocument(header: AnalysisHeader, stage: string | null, progress: number): Json {
  return document(header, {}, 'PROCESSING', '', NONE, {
    ...NONE,
    summary: '',
    coverage: [],
    plan: null,
    stage: stage ?? 'waiting',
    progress,
  });
}

/**
 * Events in the readable form without image URLs, for event streams: they are read later than signed URLs are valid.
 * `incidents`: incidents of the events by the ids of the events.
 */
export function toReadableEvents(
  analysisId: string,
  findings: readonly VideoEvent[],
  video: Omit<VideoClock, 'timeZone'> | null,
  incidents: ReadonlyMap<string, string> = new Map(),
): Json[] {
  return findings.map((finding, index) => {
    const { readable } = createEventForms(analysisId, index, finding, null);
    const incidentId = incidents.get(readable.event_id);
    return {
      ...readable,
      ...(video && recordedFields(video, readable.start_s, readable.end_s)),
      ...(incidentId !== undefined && { incident_id: incidentId }),
    };
  });
}

/** The form of an event that was found in a part of its video, for event streams. */
export function toPreliminaryForm(
  id: string,
  event: VideoEvent,
  ongoing: boolean,
  video: Omit<VideoClock, 'timeZone'>,
): Json {
  const { event_id: _, approval: __, ...readable } = toReadableEvents(id, [event], video)[0]!;
  return { preliminary_id: id, ...readable, ongoing };
}

function document(
  header: AnalysisHeader,
  videoFacts: Json,
  status: string,
  text: string,
  readable: { events: Json[]; candidates: Json[] },
  rest: Json,
): Json {
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
      // Older clients read status and answer here.
      visual_analysis: {
        analysis_id: header.analysisId,
        status: { status, quick_summary: { answer: text } },
      },
    },
    ...readable,
  };
}

function facts(video: DocumentVideo): Json {
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

/**
 * An event in both forms. Existing clients need `type`, `time` as text and `data` in the stored form, and no `time` in
 * the readable form.
 */
export function createEventForms(
  analysisId: string,
  index: number,
  finding: VideoEvent,
  urlOf: UrlOf | null,
  kind: EventKind = 'event',
) {
  const startS = rounded(finding.startS);
  const endS = rounded(finding.endS);
  const { frames } = finding.evidence;
  const urls = urlOf ? frames.map((_, i) => urlOf(toImageName(index, i, kind))) : [];
  const best = frames.findIndex((frame) => frame.role === 'best');
  const thumbnail = urls[Math.max(0, best)];
  const thumbnailField = thumbnail ? { annotated_thumbnail_url: thumbnail } : {};
  const eventId = toEventId(analysisId, index, kind);
  const measured = Object.entries(finding.overlay ?? {});
  const overlay = Object.fromEntries(measured.map(([name, values]) => [`frame_${name}`, values]));
  const { verification } = finding;
  const verified = verification && {
    verification: {
      status: verification.status,
      by: verification.by,
      frames_s: verification.framesS.map(rounded),
    },
  };
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
      caveats: finding.caveats,
      approval: 'pending',
      edgeCaseValidated: 'true',
      start_s: startS,
      end_s: endS,
      ...structuredFields(finding.structured),
      ...verified,
      data: {
        confidence: finding.confidence,
        ...actionFields(finding),
        ...thumbnailField,
        ...exact,
        // Pairs of values, which existing clients draw as an overlay.
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
      t_start: formatTimecode(startS),
      t_end: formatTimecode(endS),
      ...exact,
      aiAnalysis: finding.explanation,
      caveats: finding.caveats,
      approval: 'pending',
      ...verified,
      ...thumbnailField,
      ...(measured.length > 0 ? { overlay } : {}),
      ...structuredFields(finding.structured),
    },
  };
}

type StoredEvent = ReturnType<typeof createEventForms>['stored'];

/** An event of its stored form, without its verification and requested fields. */
export function toVideoEvent({ data, ...stored }: StoredEvent): VideoEvent {
  const { frames, tracks, signals } = data.evidence;
  return {
    startS: stored.start_s,
    endS: stored.end_s,
    startPts: data.start_pts,
    endPts: data.end_pts,
    timeBase: data.time_base,
    label: stored.description,
    category: stored.type,
    severity: stored.severity,
    confidence: data.confidence,
    explanation: stored.aiAnalysis,
    caveats: stored.caveats,
    evidence: {
      frames: frames.map(({ role, time_s, pts, boxes }) => ({ role, timeS: time_s, pts, boxes })),
      tracks: tracks.map(({ class: className, ...track }) => ({ ...track, className })),
      signals,
    },
    overlay: overlayOf(data),
  };
}

const MEASURED = /^frame_(.+)_start$/;

/** Measurements at start and end, from their pairs of fields. */
const overlayOf = (data: Record<string, unknown>): EventOverlay =>
  Object.fromEntries(
    Object.entries(data).flatMap(([key, start]) => {
      const name = MEASURED.exec(key)?.[1];
      return name ? [[name, { start: Number(start), end: Number(data[`frame_${name}_end`]) }]] : [];
    }),
  );

/** The action whose outcome the type states, by the names that existing clients read. */
const actionFields = ({ action }: VideoEvent): Json =>
  action ? { parent_category: action.name, event_ai_reasoning: { text: action.reasoning } } : {};

/** The requested fields of an event or a video, by the names that existing clients read. */
function structuredFields(output: StructuredOutput | undefined): Json {
  if (!output) return {};
  return {
    ...(output.values ? { structured_output: output.values } : {}),
    structured_output_label: output.label,
    structured_output_version: output.version,
    structured_output_errors: output.errors,
  };
}

/** Formats seconds as `MM:SS`, or `HH:MM:SS` from one hour on. Fractions are cut off. */
export function formatTimecode(value: number): string {
  const whole = Math.floor(value);
  const parts = [Math.floor(whole / 60) % 60, whole % 60];
  if (whole >= 3600) parts.unshift(Math.floor(whole / 3600));
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
