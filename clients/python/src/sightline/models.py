# Generated from server/openapi.json by datamodel-codegen; see the README.

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from typing_extensions import NotRequired, TypedDict


class AcceptedLink(TypedDict):
    """A link and the new password."""

    token: str
    """The part of the link after the `#`."""
    password: str
    """The new password: 12 to 256 characters."""
    name: NotRequired[str | None]
    """Your name, as other members see it."""
    code: NotRequired[str | None]
    """A code of the authenticator app, or a recovery code. Only for users with a second factor."""
    email: NotRequired[str | None]
    """Your e-mail address. Only for the link of the first owner; other links have an address."""


class AgentFormAgentForm(TypedDict):
    """The query, as older clients send it. Other fields of older clients are accepted and ignored."""

    edge_case_category: NotRequired[str | None]
    """`Lane Change Detection`, `Vehicle Turns`, `Relative Motion Analysis`, `Driving Violations` or `agent_mode_placeholder`: the query, unless `assistant_edge_cases_json` states it."""
    assistant_edge_cases_json: NotRequired[str | None]
    """JSON text of a list of cases; their `title`s are the query if the category is unknown."""
    custom_edge_case_agent_id: NotRequired[str | None]
    """Rejected with 501: this service has no trained agents."""


AgentForm: TypeAlias = AgentFormAgentForm | None
"""The query, as older clients send it. Other fields of older clients are accepted and ignored."""


class Alert(TypedDict):
    """An event that a saved question announced, or a fault of a camera."""

    alert_id: str
    """Identifier of the alert. Later alerts have greater ones."""
    saved_question_id: str | None
    """The saved question that raised it; null for a fault of a camera."""
    saved_question_name: str | None
    """Name of the question."""
    camera_id: str | None
    """The camera that has a fault; null for an event."""
    camera_name: str | None
    """Name of that camera."""
    fault: Literal['offline', 'black', 'frozen'] | None
    """What the camera sends: nothing, or a black or frozen picture; null for an event."""
    video_id: str | None
    """The video, or the recording in progress; null for a fault of a camera."""
    video_name: str | None
    """Name of the video."""
    analysis_id: str | None
    """The analysis that has the event; null for an event of a livestream until its recording is complete."""
    session_id: str | None
    """The live session in which the event was found; null for other events."""
    event_id: str | None
    """The event: of the analysis or, without one, of the live session."""
    label: str
    """Label of the event, or the fault in words."""
    confidence: float | None
    """Confidence of the event, 0 to 1."""
    start_s: float | None
    """Start of the event in seconds from the first frame."""
    end_s: float | None
    """End of the event in seconds."""
    approval: Literal['pending', 'approved', 'rejected', 'unsure']
    """Verdict of the reviewers."""
    other_events: int
    """Further events of the video that it stands for."""
    is_read: bool
    """True if you have seen it."""
    is_muted: bool
    """True if you have muted its question."""
    created_at: str
    """Time of the alert, ISO 8601, UTC."""


class AlertMute(TypedDict):
    """A saved question whose alerts are not shown to you. Webhooks and colleagues still receive them."""

    saved_question_id: str
    """The saved question."""
    saved_question_name: str
    """Name of the question."""
    muted_until: str | None
    """Its alerts are not shown to you until then, ISO 8601, UTC; null: until you end it."""


class AlertMuteRequest(TypedDict):
    """How long to mute."""

    until: NotRequired[str | None]
    """End of the mute, ISO 8601. Default: until you end it."""


class AlertUnmuted(TypedDict):
    """A question that is shown again."""

    status: Literal['unmuted']
    saved_question_id: str
    """The saved question."""


class AlertsRead(TypedDict):
    """The alerts are marked as seen."""

    status: Literal['read']


class AlertsReadRequest(TypedDict):
    """Which alerts you have seen."""

    alert_id: str
    """The latest alert that you have seen."""


class AnalysisDocumentAnalysisCitationSource(TypedDict):
    time_s: float
    """Time in seconds."""
    text: str
    """What was seen there, or the label of the event."""
    event_id: NotRequired[str]
    """Event that the sentence rests on; absent for what was only seen."""


class AnalysisDocumentAnalysisCitation(TypedDict):
    sentence: str
    """A sentence of the answer."""
    status: NotRequired[Literal['verified', 'unverified']]
    """Whether the frames that it cites, shown to the model again, confirmed the sentence. Sentences that they do not show are dropped. Absent in older documents."""
    sources: list[AnalysisDocumentAnalysisCitationSource]
    """What the sentence rests on."""


class AnalysisDocumentAnalysisLanguageModel(TypedDict):
    """Use of the language model that read the prompt, with the control prompts that it was checked with; absent without one. Videos of one batch share a reading: one document has its tokens, the others have it as a cached call."""

    model: str
    """Name of the model."""
    calls: int
    """Number of its answers."""
    cached_calls: int
    """Number of answers from the cache, which take no tokens."""
    input_tokens: int
    """Input tokens, as the endpoint counts them."""
    output_tokens: int
    """Output tokens."""
    cost: float
    """Cost in the currency of the configured prices; 0 without prices."""


class AnalysisDocumentAnalysisVision(TypedDict):
    """Use of the vision-language model; absent if none was queried."""

    model: str
    """Name of the model."""
    calls: int
    """Number of its answers."""
    cached_calls: int
    """Number of answers from the cache, which take no tokens."""
    input_tokens: int
    """Input tokens, as the endpoint counts them."""
    output_tokens: int
    """Output tokens."""
    cost: float
    """Cost in the currency of the configured prices; 0 without prices."""
    shown: list[list[float]]
    """Ranges of the video of which frames were shown: start and end in seconds."""
    shown_share: float
    """Share of the searched range that they cover, 0 to 1."""


class AnalysisEventVerification(TypedDict):
    """Result of showing frames of the event to a vision-language model again; absent if none was queried."""

    status: str
    """`verified`, `refuted`, or `unverified` if the model could not tell, contradicted itself or could not be asked."""
    by: str
    """The vision-language model."""
    frames_s: list[float]
    """Times of the frames that decided, in seconds."""


class AnalysisEventStructuredOutputError(TypedDict):
    field: str
    """Name of the field."""
    message: str
    """Reason why it has no value."""


class AnalysisEventData(TypedDict):
    confidence: float
    """Confidence of the engine, 0 to 1."""
    annotated_thumbnail_url: NotRequired[str]
    """Signed URL of the evidence image, a JPEG that is drawn at the first request. It needs no key and is valid for 24 hours."""
    start_pts: float
    """Exact presentation time stamp of the start, in units of `time_base`."""
    end_pts: float
    """Exact presentation time stamp of the end."""
    time_base: list[int]
    """Seconds per time stamp unit: numerator, denominator."""
    evidence: dict[str, Any]
    """Evidence of the event: `frames` (role, time_s in seconds, pts, boxes in fractions of the frame, url), `tracks` (id, class, color, path as [seconds, x, y]), `signals` (name, value, threshold, unit)."""


class AnalysisListAnalyse(TypedDict):
    """An analysis without its document."""

    analysis_id: str
    """Identifier of the analysis."""
    video_id: str
    """Identifier of the video."""
    batch_id: str | None
    """Batch of the analysis; null if it has none."""
    query: str
    """The prompt."""
    mode: str
    """`thinking` or `fast`."""
    min_confidence: float
    """Least confidence of an event, 0 to 1."""
    status: str
    """`PROCESSING`, `COMPLETED` or `FAILED`."""
    stage: str | None
    """Current stage; null once the analysis has ended."""
    progress: float
    """Progress in percent."""
    answer: str | None
    """The answer as text; null until the analysis is completed."""
    event_count: int
    """Number of events."""
    problem_code: str | None
    """Error code of a failed analysis."""
    problem_message: str | None
    """Error message of a failed analysis."""
    created_at: str
    """Creation time, ISO 8601, UTC."""
    completed_at: str | None
    """Time when it ended, ISO 8601, UTC."""


class AnalysisList(TypedDict):
    """A page of the analyses of a video."""

    analyses: list[AnalysisListAnalyse]
    """Analyses of the video, newest first."""
    has_more: bool
    """True if there are older ones."""
    next_cursor: str | None
    """Value of `cursor` for the next page."""


class AnalysisThumbnailsEvent(TypedDict):
    """An event in the stored form with the URL of its image."""

    annotated_thumbnail_url: str
    """URL of the image of its best frame with boxes; empty for an event without an image."""


class AnalysisThumbnails(TypedDict):
    """Events of an analysis with the URLs of their images."""

    events: list[AnalysisThumbnailsEvent]
    """Events of the analysis, in order."""


class ApiKey(TypedDict):
    """A key without its value."""

    key_id: str
    """Identifier of the key."""
    name: str
    """Name of the key."""
    prefix: str
    """The first 8 characters of the key."""
    scopes: list[Literal['read', 'write', 'admin']]
    """Scopes of the key."""
    user_id: str
    """Owner of the key."""
    email: str
    """The user's e-mail address."""
    created_at: str
    """Creation time, ISO 8601, UTC."""
    expires_at: str
    """Expiry, ISO 8601, UTC."""
    last_used_at: str | None
    """Time of the last use, to the minute; null: never used."""
    revoked_at: str | None
    """Time of the revocation of the key, or of the removal of its owner; null: not revoked."""
    folder_id: str | None
    """The only folder the key can access; null: all folders. After the deletion of the folder the key can access nothing."""
    status: Literal['active', 'inactive']
    """`inactive`: expired or revoked."""


class ApiKeyList(TypedDict):
    """A page of keys."""

    keys: list[ApiKey]
    """Keys, newest first."""
    has_more: bool
    """True if more keys follow."""
    next_cursor: str | None
    """Value of `cursor` for the next page."""


class AssignedEvents(TypedDict):
    """Result of an assignment."""

    event_ids: list[str]
    """Events of the request that were changed: those that nobody else works on."""
    assigned_until: str | None
    """End of the assignment, ISO 8601, UTC; null: released."""


AssignmentRequestEventId: TypeAlias = str


class AssignmentRequest(TypedDict):
    """Events to assign for a time, so that two people do not review the same ones."""

    event_ids: list[AssignmentRequestEventId]
    """Identifiers of the events, at most 500."""
    user_id: NotRequired[str | None]
    """Member who reviews the events. Default: you."""
    seconds: NotRequired[int]
    """Time until the assignment ends by itself, in seconds; default: 600."""


class AuditEvent(TypedDict):
    """An entry of the audit log."""

    event_id: str
    """Identifier of the entry."""
    at: str
    """Time of the action, ISO 8601, UTC."""
    action: str
    """The action, one of `session.created`, `session.ended`, `member.joined`, `password.changed`, `profile.changed`, `second_factor.set`, `second_factor.turned_off`, `recovery_codes.replaced`, `invitation.created`, `invitation.revoked`, `member.role_changed`, `member.removed`, `second_factor.reset`, `organization.renamed`, `key.created`, `key.revoked`, `audit.exported`, `folder.created`, `folder.created_or_found`, `folder.changed`, `folder.deleted`, `upload.started`, `upload.ended`, `video.changed`, `video.metadata_file_set`, `video.subtitles_set`, `video.subtitles_deleted`, `video.moved`, `video.clock_set`, `folder.clock_set`, `video.deleted`, `video.restored`, `video.held`, `video.released`, `video.url_issued`, `views.linked`, `views.unlinked`, `zone.created`, `zone.changed`, `zone.deleted`, `integration.created`, `integration.changed`, `integration.deleted`, `integration.tested`, `import.started`, `import.canceled`, `import.retried`, `import_sync.created`, `import_sync.run`, `import_sync.deleted`, `recording.upload_started`, `recording.processed`, `recording.views_linked`, `recording.import_started`, `analysis.started`, `batch.canceled`, `batch.annotated`, `analysis.deleted`, `observation.started`, `observation.canceled`, `search.started`, `search.run`, `event.reviewed`, `incident.decided`, `event.added`, `sample.reviewed`, `review.undone`, `review.required`, `event.assigned`, `event.released`, `labels.imported`, `saved_question.created`, `saved_question.changed`, `saved_question.deleted`, `saved_question.run`, `saved_question.reading_decided`, `export.created`, `export.deleted`, `export.url_issued`, `dataset.created`, `dataset.changed`, `dataset.deleted`, `dataset.url_issued`, `dataset.version_created`, `dataset.version_deleted`, `dataset.taxonomy_added`, `livestream.attached`, `livestream.started`, `livestream.ended`, `livestream.question_set`, `livestream.url_issued`, `camera.created`, `camera.changed`, `camera.key_created`, `camera.deleted`, `camera.tested`, `camera.source_tested`, `webhook.created`, `webhook.changed`, `webhook.deleted`, `webhook.secret_rotated`, `mail_recipient.confirmed`, `webhook.pinged`, `webhook.delivery_resent`, `model.download_started`, `model.download_canceled`, `model.provided`, `model.removed`, `session.refused`, `password.set`, `password_link.created`, `sso.linked`, `organization.second_factor`, `video.erased`, `quota.changed`, `audit.erased`, `webhook.disabled`, `mail_recipient.declined`, `camera.started`, `camera.stopped`. Later versions may add others."""
    user_id: str | None
    """The acting user; null: the operator, on the command line or at start, or a rejected sign-in."""
    email: str | None
    """E-mail address of that user."""
    key_id: str | None
    """Key of the request."""
    session_id: str | None
    """Session of the request."""
    address: str | None
    """IP address of the client."""
    user_agent: str | None
    """User agent of the client."""
    subject_id: str
    """Identifier of the object: a video, folder, export, key, session, user or another one that the action names, or the name of a model. An action on several objects has an entry for each; reviews of several events have one, with the identifier of the action. For `session.refused`, the user whose password was wrong; for other refusals, the object in the path, or else the organization."""
    detail: dict[str, Any]
    """Details, such as names, or the fields that were changed."""
    operation: str | None
    """Operation of the API; null: the command line, or the service itself."""
    outcome: Literal['succeeded', 'refused']
    """`succeeded`, or `refused` because the caller may not do this. Equal refusals within a minute are one entry."""


class AuditEventList(TypedDict):
    """A page of the audit log."""

    events: list[AuditEvent]
    """Entries, newest first."""
    has_more: bool
    """True if more entries follow."""
    next_cursor: str | None
    """Value of `cursor` for the next page."""


class BatchAggregatedProgress(TypedDict):
    total: int
    """Number of analyses."""
    completed: int
    """Number of ended analyses, failed ones included. Their documents are readable."""
    failed: int
    """Number of failed analyses."""


class BatchVideo(TypedDict):
    video_id: str
    """Identifier of the video."""
    analysis_id: str
    """Identifier of its analysis."""
    status: str
    """`processing`, `completed` or `failed`."""
    progress: float
    """Progress in percent, 0 to 100."""
    stage: str | None
    """Current stage; null once the analysis has ended."""
    last_error: str | None
    """Reason of a failure, as a sentence."""
    missed: Literal['outside', 'no_clock'] | None
    """Why nothing of it was searched, if the prompt names days or times of day. `outside`: it was recorded at another time; `no_clock`: it is not known when it was recorded. Null: it was searched, or is not yet."""


class BatchDocuments(TypedDict):
    """Documents of a batch."""

    analyses: list[dict[str, Any]]
    """Documents in the batch's order."""
    unresolved_video_ids: list[str]
    """Videos that are not in this batch."""
    not_found_analysis_ids: list[str]
    """Analyses without a document: still running, or their video was deleted."""


class BatchDocumentsRequest(TypedDict):
    """Videos whose documents to return."""

    video_ids: list[str]
    """Videos of the batch, at most 500; duplicates count once."""


class BatchFilter(TypedDict):
    """Events to return."""

    filter: NotRequired[list[Literal['approved', 'rejected', 'unsure', 'pending', 'invalid']] | None]
    """Review states of the events to return; null: all. `invalid` is accepted from older clients and matches nothing."""


class BatchForm(TypedDict):
    """A query for videos, as older clients send it. Other fields of older clients are accepted and ignored."""

    video_ids: str | list[str]
    """Videos to analyze; in a form, repeat the field for each video. At most 1,000."""
    analysis_kind: NotRequired[str | None]
    """`rapid_review` (default): the query is `prompt`; `edge_agent`: the query is that of `edge_case_category`."""
    prompt: NotRequired[str | None]
    """The query, in plain words."""
    output_schema_json: NotRequired[str | None]
    """JSON text of the fields to fill: `output_schema` of a query."""
    category: NotRequired[str | None]
    """Stored in the `config` of the batch; does not affect the query."""
    client_batch_id: NotRequired[str | None]
    """Your own identifier of the batch; a repeat with the same value returns the same batch."""
    custom_agent_id: NotRequired[str | None]
    """Rejected with 501: this service has no trained agents."""
    custom_workflow_name: NotRequired[str | None]
    """`action-segmentation` divides each video into the actions that it shows; `robotic-action-segmentation` also states whether each succeeds. Needs a vision-language model; without one it is rejected with 501."""
    segmenter_id: NotRequired[str | None]
    """Rejected with 501: this service has no trained segmenters."""
    detector_config_json: NotRequired[str | None]
    """Rejected with 400: frames are shown to the configured model."""
    edge_case_category: NotRequired[str | None]
    """`Lane Change Detection`, `Vehicle Turns`, `Relative Motion Analysis`, `Driving Violations` or `agent_mode_placeholder`: the query, unless `assistant_edge_cases_json` states it."""
    assistant_edge_cases_json: NotRequired[str | None]
    """JSON text of a list of cases; their `title`s are the query if the category is unknown."""
    custom_edge_case_agent_id: NotRequired[str | None]
    """Rejected with 501: this service has no trained agents."""


class BatchMetadata(TypedDict):
    """Metadata of a batch."""

    success: bool
    """Always true."""
    batch_id: str
    """Identifier of the batch."""
    metadata: dict[str, str | int]
    """All metadata of the batch."""


class BatchMetadataChanges(TypedDict):
    """Metadata to merge into a batch."""

    metadata: str
    """JSON text of a flat object whose values are strings or integers; at most 100 names in total. Existing names are replaced."""


class BatchResultsBatchMetadata(TypedDict):
    """The batch, with the metadata that users added as `metadata`."""

    batch_id: str
    """Identifier of the batch."""
    status: str
    """Status of the batch."""
    prompt: str
    """The prompt."""
    created_at: str
    """Creation time, ISO 8601, UTC."""


class BatchResultsResultAnalysis(TypedDict):
    """Result of the analysis."""

    status: str
    """The same status in capitals."""
    events: list[dict[str, Any]]
    """Events in their stored form, without their evidence."""


class BatchResultsResult(TypedDict):
    video_id: str
    """Identifier of the video."""
    analysis_id: str
    """Identifier of its analysis."""
    status: str
    """`processing`, `completed` or `failed`."""
    analysis: BatchResultsResultAnalysis
    """Result of the analysis."""


class BatchResults(TypedDict):
    """Results of a batch."""

    batch_metadata: BatchResultsBatchMetadata
    """The batch, with the metadata that users added as `metadata`."""
    results: list[BatchResultsResult]
    """One result per analysis."""


BulkReviewRequestEventId: TypeAlias = str


class BulkReviewRequest(TypedDict):
    """One verdict on several events."""

    event_ids: list[BulkReviewRequestEventId]
    """Identifiers of the events, at most 500."""
    approval: NotRequired[Literal['approved', 'rejected', 'unsure', 'pending']]
    """Your verdict on the event; it replaces your earlier one. `pending` withdraws it."""
    reason: NotRequired[str | None]
    """Reason of the verdict, such as `wrong thing`."""
    label: NotRequired[str]
    """Short description of the event."""
    severity: NotRequired[Literal['low', 'medium', 'high']]
    """Severity of the event."""
    note: NotRequired[str | None]
    """Note of the reviewers; null removes it."""


class CameraPush(TypedDict):
    """A camera that pushes: where to, and what arrives. Null for other cameras."""

    url: str | None
    """URL that the encoder publishes to, without the key (the stream name, or stream key). Null: this service does not receive RTMP; its operator switches that on with SIGHTLINE_RTMP_LISTEN."""
    has_key: bool
    """True if a key was created. It is shown only then."""
    publishing: bool
    """True while an encoder publishes."""
    remote: str | None
    """Address of that encoder, as the service sees it."""
    connected_at: str | None
    """Since when it publishes."""
    refused_at: str | None
    """The last time that an encoder with the key was refused or disconnected by the service."""
    refused_code: Literal['off', 'off_by_schedule', 'busy'] | None
    """The reason of that: `off`: the camera is off; `off_by_schedule`: its schedule does not include the time; `busy`: another encoder publishes with the key."""
    refused_reason: str | None
    """The reason as a sentence, with the address of the second encoder if there are two."""


class CameraQuestion(TypedDict):
    saved_question_id: str
    """Identifier of the saved question."""
    name: str
    """Its name."""
    active: bool
    """False if it is paused, or its owner has left."""


class CameraFault(TypedDict):
    """What is wrong with the camera now, while it is on."""

    kind: Literal['offline', 'black', 'frozen']
    """`offline`: nothing has arrived for half a minute; `black`: the picture is black; `frozen`: it does not change at all."""
    since: str
    """Start of the fault, by the time of its frames."""
    message: str | None
    """The reason why it is offline."""


CameraRecentFault = TypedDict(
    'CameraRecentFault',
    {
        'kind': Literal['offline', 'black', 'frozen'],
        'from': str,
        'until': str | None,
        'message': str | None,
    },
)


CameraChangeSavedQuestionId: TypeAlias = str
"""Identifier of a saved question."""


class CameraKey(TypedDict):
    """The new key of a camera that pushes."""

    camera_id: str
    """Identifier of the camera."""
    push_url: str | None
    """URL that the encoder publishes to, without the key (the stream name, or stream key). Null: this service does not receive RTMP; its operator switches that on with SIGHTLINE_RTMP_LISTEN."""
    push_key: str
    """The key, which is shown only once."""


class CameraRetention(TypedDict):
    """Which recordings of a camera are deleted: those that ended `days` ago, and the oldest while all together have more than `bytes`. They can be restored for a while, and a restored recording stays."""

    days: NotRequired[int | None]
    """Days after their end; null: at any age."""
    bytes: NotRequired[int | None]
    """Size of all recordings of the camera together, in bytes; null: of any size."""
    keep_approved: NotRequired[bool | None]
    """True (default): recordings with an approved event stay. They count in `bytes`."""


CameraScheduleEntry = TypedDict(
    'CameraScheduleEntry',
    {
        'days': list[Literal['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']],
        'from': str,
        'to': str,
        'analyze': bool,
    },
)


class CameraSource(TypedDict):
    """A source to test."""

    source_url: str
    """URL of the stream: HLS, MJPEG or a growing file by `http` or `https`, or `rtsp`, `rtsps`, `rtmp`, `rtmps`, `srt`. It may contain a user name and a password, which are stored encrypted and never returned."""


class CameraTestStep(TypedDict):
    """A step of a connection test."""

    step: Literal['port', 'sign_in', 'first_frame', 'format']
    """`port`: a connection was opened; `sign_in`: the credentials were accepted; `first_frame`: a frame arrived; `format`: it can be decoded."""
    ok: bool
    """True if the step was passed."""
    elapsed_ms: int | None
    """Milliseconds from the start of the test until then; null if it is not known."""


class CameraTestFormat(TypedDict):
    """What the source sends, as it is recorded."""

    video_codec: str
    """Codec of the video."""
    width: int
    """Width in pixels."""
    height: int
    """Height in pixels."""
    frame_rate: float | None
    """Frames per second; null if unknown."""
    audio_codec: str | None
    """Codec of the audio; null without audio."""
    bits_per_second: int
    """Bitrate of the tested part."""


class CameraTest(TypedDict):
    """Result of a connection test."""

    ok: bool
    """True if all steps were passed."""
    source_url: str
    """URL of the source, without credentials."""
    tested_at: str
    """Time of the test."""
    steps: list[CameraTestStep]
    """Steps in their order, up to the first one that failed."""
    error: str | None
    """Error code of a failure."""
    message: str | None
    """The same error as a sentence."""
    format: CameraTestFormat | None
    """What the source sends, as it is recorded."""
    snapshot: str | None
    """A frame: JPEG in base64; null if the test failed."""


class CausationEgoMetaAction(TypedDict):
    """An action."""

    start_s: float
    """Start in seconds from the first frame."""
    end_s: float
    """End in seconds."""
    longitudinal: str | None
    """`stopped`, `driving`, `accelerating`, `braking` or `braking_hard`; null if it was not measured."""
    lateral: str | None
    """`straight`, `left` or `right`; null if it was not measured, or at a stop."""
    speed_mps: float | None
    """Mean speed in meters per second."""


class CausationAnnotationDecision(TypedDict):
    """The measured action."""

    longitudinal: str | None
    """As in `ego_meta_actions`."""
    lateral: str | None
    """As in `ego_meta_actions`."""


class CausationAnnotationCriticalComponent(TypedDict):
    component: str
    """A road user, sign, light or obstacle."""
    location: str | None
    """`ahead`, `left`, `right` or `oncoming`."""


class CausationAnnotation(TypedDict):
    """The reason of one action."""

    keyframe_s: float
    """Start of the action in seconds from the first frame."""
    decision: CausationAnnotationDecision
    """The measured action."""
    critical_components: list[CausationAnnotationCriticalComponent]
    """What is the reason; empty if the model named nothing that it confirmed."""
    chain_of_causation: str
    """The visible reason, in one sentence of the model."""


class Causation(TypedDict):
    """Actions of the vehicle that carries the camera."""

    video_id: str
    """Identifier of the video."""
    schema_version: str
    """Version of the format."""
    duration_s: float | None
    """Duration of the video in seconds."""
    frame_size: list[int] | None
    """Width and height of the frames in pixels."""
    source: str
    """Source of the measurements, such as `GoPro track`."""
    notes: list[str]
    """Limits of the measurements, such as derived ones."""
    ego_meta_actions: list[CausationEgoMetaAction]
    """Actions of the vehicle, in order of time. Times without measurements are in none."""
    annotations: list[CausationAnnotation] | None
    """Actions whose reason the vision-language model saw and confirmed, in order of time."""
    annotations_unavailable: str | None
    """Reason why `annotations` is null."""


class ChainedAuditEvent(TypedDict):
    """An entry of the audit log in the chain of digests."""

    event_id: str
    """Identifier of the entry."""
    at: str
    """Time of the action, ISO 8601, UTC."""
    action: str
    """The action, one of `session.created`, `session.ended`, `member.joined`, `password.changed`, `profile.changed`, `second_factor.set`, `second_factor.turned_off`, `recovery_codes.replaced`, `invitation.created`, `invitation.revoked`, `member.role_changed`, `member.removed`, `second_factor.reset`, `organization.renamed`, `key.created`, `key.revoked`, `audit.exported`, `folder.created`, `folder.created_or_found`, `folder.changed`, `folder.deleted`, `upload.started`, `upload.ended`, `video.changed`, `video.metadata_file_set`, `video.subtitles_set`, `video.subtitles_deleted`, `video.moved`, `video.clock_set`, `folder.clock_set`, `video.deleted`, `video.restored`, `video.held`, `video.released`, `video.url_issued`, `views.linked`, `views.unlinked`, `zone.created`, `zone.changed`, `zone.deleted`, `integration.created`, `integration.changed`, `integration.deleted`, `integration.tested`, `import.started`, `import.canceled`, `import.retried`, `import_sync.created`, `import_sync.run`, `import_sync.deleted`, `recording.upload_started`, `recording.processed`, `recording.views_linked`, `recording.import_started`, `analysis.started`, `batch.canceled`, `batch.annotated`, `analysis.deleted`, `observation.started`, `observation.canceled`, `search.started`, `search.run`, `event.reviewed`, `incident.decided`, `event.added`, `sample.reviewed`, `review.undone`, `review.required`, `event.assigned`, `event.released`, `labels.imported`, `saved_question.created`, `saved_question.changed`, `saved_question.deleted`, `saved_question.run`, `saved_question.reading_decided`, `export.created`, `export.deleted`, `export.url_issued`, `dataset.created`, `dataset.changed`, `dataset.deleted`, `dataset.url_issued`, `dataset.version_created`, `dataset.version_deleted`, `dataset.taxonomy_added`, `livestream.attached`, `livestream.started`, `livestream.ended`, `livestream.question_set`, `livestream.url_issued`, `camera.created`, `camera.changed`, `camera.key_created`, `camera.deleted`, `camera.tested`, `camera.source_tested`, `webhook.created`, `webhook.changed`, `webhook.deleted`, `webhook.secret_rotated`, `mail_recipient.confirmed`, `webhook.pinged`, `webhook.delivery_resent`, `model.download_started`, `model.download_canceled`, `model.provided`, `model.removed`, `session.refused`, `password.set`, `password_link.created`, `sso.linked`, `organization.second_factor`, `video.erased`, `quota.changed`, `audit.erased`, `webhook.disabled`, `mail_recipient.declined`, `camera.started`, `camera.stopped`. Later versions may add others."""
    user_id: str | None
    """The acting user; null: the operator, on the command line or at start, or a rejected sign-in."""
    email: str | None
    """E-mail address of that user."""
    key_id: str | None
    """Key of the request."""
    session_id: str | None
    """Session of the request."""
    address: str | None
    """IP address of the client."""
    user_agent: str | None
    """User agent of the client."""
    subject_id: str
    """Identifier of the object: a video, folder, export, key, session, user or another one that the action names, or the name of a model. An action on several objects has an entry for each; reviews of several events have one, with the identifier of the action. For `session.refused`, the user whose password was wrong; for other refusals, the object in the path, or else the organization."""
    detail: dict[str, Any]
    """Details, such as names, or the fields that were changed."""
    operation: str | None
    """Operation of the API; null: the command line, or the service itself."""
    outcome: Literal['succeeded', 'refused']
    """`succeeded`, or `refused` because the caller may not do this. Equal refusals within a minute are one entry."""
    position: int
    """Place in the chain of the organization, without gaps, in the order in which entries joined it."""
    digest: str
    """SHA-256 of the entry and of the digest before it."""
    content_digest: str
    """SHA-256 of the salt, the address, the user agent and the details."""
    salt: str | None
    """Salt of `content_digest`; null: that content was erased."""


class ChangedClocks(TypedDict):
    """The clocks of a folder were changed."""

    changed: int
    """Number of videos whose clock was changed."""


class ChannelRoles(TypedDict):
    """Roles and labels of channels. All fields and the body itself are optional."""

    front_channel: NotRequired[str | None]
    """Channel of the front view, which is the primary one."""
    channel_roles: NotRequired[dict[str, str] | None]
    """Roles by channel name: `front`, `rear`, `left`, `right`, `top`, `bottom` or your own; each at most once. Other channels get roles that their topics suggest."""
    channel_labels: NotRequired[dict[str, str] | None]
    """Display labels by channel name. Omitted channels keep their labels; an empty label removes one."""


class ComparisonBaselinePrecision(TypedDict):
    """Right among right and wrong events; null without one (Wilson interval)."""

    value: float
    """The estimate."""
    low: float
    """Lower end of its 95 % interval."""
    high: float
    """Upper end of its 95 % interval."""


class ComparisonBaselineRecall(TypedDict):
    """Share of the approved events that it found (Wilson interval)."""

    value: float
    """The estimate."""
    low: float
    """Lower end of its 95 % interval."""
    high: float
    """Upper end of its 95 % interval."""


class ComparisonBaselineOverlap(TypedDict):
    """Mean temporal overlap (intersection over union) of right events with the approved times."""

    value: float
    """The estimate."""
    low: float
    """Lower end of its 95 % interval."""
    high: float
    """Upper end of its 95 % interval."""


class ComparisonBaseline(TypedDict):
    """Quality of the earlier answers."""

    right: int
    """Events that are in the videos: approved, or at the time of an approved one."""
    wrong: int
    """Events that are not: rejected, at the time of a rejected one, or in a range without events."""
    undecided: int
    """Events that nobody has decided about. Review them to include them."""
    missed: int
    """Approved events that it did not find."""
    precision: ComparisonBaselinePrecision | None
    """Right among right and wrong events; null without one (Wilson interval)."""
    recall: ComparisonBaselineRecall | None
    """Share of the approved events that it found (Wilson interval)."""
    overlap: ComparisonBaselineOverlap | None
    """Mean temporal overlap (intersection over union) of right events with the approved times."""


class ComparisonCandidatePrecision(TypedDict):
    """Right among right and wrong events; null without one (Wilson interval)."""

    value: float
    """The estimate."""
    low: float
    """Lower end of its 95 % interval."""
    high: float
    """Upper end of its 95 % interval."""


class ComparisonCandidateRecall(TypedDict):
    """Share of the approved events that it found (Wilson interval)."""

    value: float
    """The estimate."""
    low: float
    """Lower end of its 95 % interval."""
    high: float
    """Upper end of its 95 % interval."""


class ComparisonCandidateOverlap(TypedDict):
    """Mean temporal overlap (intersection over union) of right events with the approved times."""

    value: float
    """The estimate."""
    low: float
    """Lower end of its 95 % interval."""
    high: float
    """Upper end of its 95 % interval."""


class ComparisonCandidate(TypedDict):
    """Quality of the changed answers."""

    right: int
    """Events that are in the videos: approved, or at the time of an approved one."""
    wrong: int
    """Events that are not: rejected, at the time of a rejected one, or in a range without events."""
    undecided: int
    """Events that nobody has decided about. Review them to include them."""
    missed: int
    """Approved events that it did not find."""
    precision: ComparisonCandidatePrecision | None
    """Right among right and wrong events; null without one (Wilson interval)."""
    recall: ComparisonCandidateRecall | None
    """Share of the approved events that it found (Wilson interval)."""
    overlap: ComparisonCandidateOverlap | None
    """Mean temporal overlap (intersection over union) of right events with the approved times."""


class ComparisonRequest(TypedDict):
    """A changed query, to run on the videos whose answers to an earlier prompt were reviewed."""

    query: str
    """The changed prompt, or the same one to compare other settings."""
    baseline_query: str
    """The earlier prompt, whose answers were reviewed."""
    folder_id: NotRequired[str | None]
    """Only videos of this folder."""
    max_videos: NotRequired[int | None]
    """Maximum number of videos, the latest answers first; default: 100."""
    mode: NotRequired[Literal['thinking', 'fast'] | None]
    """Default: `thinking`."""
    min_confidence: NotRequired[float | None]
    """Least confidence of an event, 0 to 1. Default: 0.5."""
    verify: NotRequired[Literal['auto', 'always', 'never'] | None]
    """Which events a configured vision-language model verifies. Default: `auto`."""
    vision_profile: NotRequired[str | None]
    """Profile of the vision-language model, as in a query."""
    detector: NotRequired[str | None]
    """Model that detects objects, as in a query."""


class CompletedSearch(TypedDict):
    """The search is completed."""

    status: str
    """Always `completed`."""


class Coverage(TypedDict):
    """Coverage of one part of the prompt."""

    text: str
    """The part of the prompt."""
    status: str
    """`looked_for`, `partly` or `not_looked_for`."""
    by: list[str]
    """Observers that searched for it."""
    reason: str | None
    """Reason why it was not searched for, or limits of the search."""
    findings: int
    """Number of events that were found for it."""


class CreatedApiKey(TypedDict):
    """The new key."""

    key: str
    """The value of the key, which is shown only once."""
    key_id: str
    """Identifier of the key."""
    name: str
    """Name of the key."""
    prefix: str
    """The first 8 characters of the key."""
    scopes: list[Literal['read', 'write', 'admin']]
    """Scopes of the key."""
    user_id: str
    """Owner of the key."""
    email: str
    """The user's e-mail address."""
    created_at: str
    """Creation time, ISO 8601, UTC."""
    expires_at: str
    """Expiry, ISO 8601, UTC."""
    last_used_at: str | None
    """Time of the last use, to the minute; null: never used."""
    revoked_at: str | None
    """Time of the revocation of the key, or of the removal of its owner; null: not revoked."""
    folder_id: str | None
    """The only folder the key can access; null: all folders. After the deletion of the folder the key can access nothing."""
    status: Literal['active', 'inactive']
    """`inactive`: expired or revoked."""


class CreatedBatch(TypedDict):
    """The new batch."""

    batch_id: str
    """Identifier of the batch; its status is at `/api/batch/{batch_id}/status`."""
    status: str
    """Status of the batch."""


class CreatedInvitation(TypedDict):
    """The new invitation."""

    url: str
    """The link to send. It is shown only once and works once."""
    invitation_id: str
    """Identifier of the invitation."""
    email: str
    """E-mail address of the invited person."""
    role: Literal['owner', 'admin', 'member']
    """`member`: reads and writes; `admin`: also manages keys and members; `owner`: also manages owners and admins."""
    invited_by: str | None
    """The user who created the invitation; null: the operator."""
    created_at: str
    """Creation time, ISO 8601, UTC."""
    expires_at: str
    """Expiry of the link, ISO 8601, UTC."""


class CreatedMcapIngest(TypedDict):
    """An ingest whose file is to be uploaded."""

    mcap_ingest_id: str
    """Identifier of the ingest."""
    upload_url: str
    """URL to PUT the whole file to, in one request. It needs no key and is valid for a day."""
    upload_headers: dict[str, str]
    """Headers to send with the PUT."""
    source_uri: str
    """URI of the recording, which is the source of its videos."""
    status: str
    """Always `created`."""


class Credentials(TypedDict):
    """Address and password of a user, and a code if they have a second factor."""

    email: str
    """E-mail address."""
    password: str
    """The password."""
    code: NotRequired[str | None]
    """A code of the authenticator app, or a recovery code. Only for users with a second factor."""


class DatasetTotalsEventCounts(TypedDict):
    """Events by review state."""

    total: int
    """Number of events."""
    approved: int
    """Events that reviewers approved."""
    rejected: int
    """Events that reviewers rejected."""
    unsure: int
    """Events of which reviewers were not sure."""
    pending: int
    """Events without a decision."""


class DatasetTotals(TypedDict):
    """What the dataset has now."""

    batch_count: int
    """Number of batches that exist."""
    video_count: int
    """Number of videos; one in two batches counts twice, as in the download."""
    clip_count: int
    """Number of clips; their videos do not count."""
    event_counts: DatasetTotalsEventCounts
    """Events by review state."""


class DatasetFailedBatch(TypedDict):
    batch_id: str
    """Identifier of the batch."""
    error: str
    """Reason in a sentence."""


class DatasetProcessingProgress(TypedDict):
    """Progress of its batches."""

    completed: int
    """Batches that have ended."""
    total: int
    """All batches."""


DatasetChangeAddBatchId: TypeAlias = str


DatasetChangeRemoveBatchId: TypeAlias = str


DatasetChangeAddVideoId: TypeAlias = str


DatasetChangeRemoveVideoId: TypeAlias = str


class DatasetChangeAddClip(TypedDict):
    video_id: str
    """A video that you may read and that is ready."""
    start_s: float
    """Start in seconds from the first frame."""
    end_s: float
    """End in seconds, after the start and within the video."""
    label: NotRequired[str | None]
    """What the clip shows."""


class DatasetChangeAddClipsOfEvents(TypedDict):
    """The ranges of all events that match, as of `GET /api/events`, with their labels; at most 10,000. Events without a length are left out."""

    q: NotRequired[str | None]
    """Only events that contain all of these words, in any order: in the label, the type, the prompt, what is spoken or read during the event, notes of reviewers, or tags of the video. English words match in all of their forms; words such as "the" match nothing."""
    folder_id: NotRequired[str | None]
    """Only events of the videos of this folder."""
    video_id: NotRequired[str | None]
    """Only events of this video."""
    batch_id: NotRequired[str | None]
    """Only events of this batch."""
    incident_id: NotRequired[str | None]
    """Only events of this incident."""
    label: NotRequired[str | None]
    """Only events with exactly this label."""
    type: NotRequired[str | None]
    """Only events of this kind, such as `object` or `light`."""
    severity: NotRequired[Literal['low', 'medium', 'high'] | None]
    """Only events of this severity."""
    min_confidence: NotRequired[float]
    """Only events with at least this confidence."""
    approval: NotRequired[Literal['pending', 'approved', 'rejected', 'unsure'] | None]
    """Only events with this review state."""
    added: NotRequired[bool]
    """True: only events that people added."""
    disputed: NotRequired[bool]
    """True: only undecided events whose reviewers disagree."""
    to_review: NotRequired[bool]
    """True: only events that wait for your verdict: pending, without a verdict of yours, and assigned to nobody else."""
    assigned: NotRequired[bool]
    """True: only events that are assigned to you."""
    created_after: NotRequired[str | None]
    """Only events of analyses that were created at this time or later, ISO 8601."""
    created_before: NotRequired[str | None]
    """Only events of analyses that were created before this time, ISO 8601."""
    recorded_after: NotRequired[str | None]
    """Only events of which a part was recorded at this time or later, ISO 8601. Those without a known time of recording match none of these filters."""
    recorded_before: NotRequired[str | None]
    """Only events whose recording started before this time, ISO 8601."""
    time_of_day: NotRequired[str | None]
    """Only events of which a part was recorded in this daily interval of local time, which may cross midnight: `22:00-06:00`."""
    weekday: NotRequired[str | None]
    """Only events of which a part was recorded on these days of the week: `sat,sun`."""
    time_zone: NotRequired[str | None]
    """Time zone of `time_of_day` and `weekday`: an IANA name, or an offset such as `+01:00`. Default: that of each video, or UTC if it is unknown."""


DatasetChangeRemoveClipId: TypeAlias = str


class DatasetChange(TypedDict):
    """Changes of a dataset; what is omitted stays as it is."""

    name: NotRequired[str | None]
    """Name of the dataset."""
    search_description: NotRequired[str | None]
    """What the dataset is for, in your own words."""
    add_batch_ids: NotRequired[list[DatasetChangeAddBatchId] | None]
    """Batches to add."""
    remove_batch_ids: NotRequired[list[DatasetChangeRemoveBatchId] | None]
    """Batches to remove; others are ignored."""
    add_video_ids: NotRequired[list[DatasetChangeAddVideoId] | None]
    """Videos to add."""
    remove_video_ids: NotRequired[list[DatasetChangeRemoveVideoId] | None]
    """Videos to remove; others are ignored."""
    add_clips: NotRequired[list[DatasetChangeAddClip] | None]
    """Clips to add; those that it has already are ignored."""
    add_clips_of_events: NotRequired[DatasetChangeAddClipsOfEvents | None]
    """The ranges of all events that match, as of `GET /api/events`, with their labels; at most 10,000. Events without a length are left out."""
    remove_clip_ids: NotRequired[list[DatasetChangeRemoveClipId] | None]
    """Clips to remove; others are ignored."""
    refresh: NotRequired[bool | None]
    """Accepted from existing clients: counts and downloads are always current."""


class DatasetClip(TypedDict):
    """A range of a video in a dataset."""

    clip_id: str
    """Identifier of the clip."""
    video_id: str
    """Identifier of its video."""
    video_name: str
    """Name of its video."""
    start_s: float
    """Start in seconds from the first frame."""
    end_s: float
    """End in seconds, after the start and within the video."""
    label: str | None
    """What the clip shows; null if nobody stated it."""


class DatasetCriteriaRequest(TypedDict):
    """A selection."""

    query: str
    """What is selected, in plain words."""
    min_match_pct: NotRequired[float | None]
    """Smallest score of an event in percent; default: 0."""


class DatasetDownload(TypedDict):
    """Where to download a dataset."""

    download_url: str | None
    """Signed URL, valid for a day without a key; null while a batch of the dataset is processed."""


class DatasetExportProgress(TypedDict):
    """Progress."""

    built: int
    """Videos that are done."""
    sessions_total: int
    """All videos."""


class DatasetExportGap(TypedDict):
    video_id: str | None
    """The video; null for an event."""
    event_id: str | None
    """The event; null for a video."""
    reason: str
    """Reason in a sentence."""


class DatasetExport(TypedDict):
    """An export of a selection of videos and events, with one MCAP file for each video."""

    export_id: str
    """Identifier of the export."""
    dataset_id: str | None
    """Dataset that the events were selected in."""
    status: str
    """`queued`, `building`, `completed`, `completed_with_gaps` (something could not be included, see `gaps`) or `failed`."""
    progress: DatasetExportProgress
    """Progress."""
    event_count: int
    """Number of exported events; 0 until it is completed."""
    gaps: list[DatasetExportGap]
    """What could not be included."""
    error: str | None
    """Reason of the failure in a sentence; null without one."""
    manifest_url: str | None
    """Signed URL of the list of files, valid for a day without a key; null until it is completed."""
    created_at: str
    """Time of the request, ISO 8601, UTC."""
    completed_at: str | None
    """Time when the files were written, ISO 8601, UTC."""
    expires_at: str
    """Time when the export is deleted, ISO 8601, UTC."""


class DatasetExportManifestFile(TypedDict):
    path: str
    """Relative path, with `/`."""
    role: str
    """`annotations`: the events as MCAP; `source`: the video."""
    url: str
    """Signed URL, valid for a day without a key."""
    bytes: int | None
    """Size of the file; null if unknown."""
    sha256: str | None
    """SHA-256 of the file, hexadecimal; null if unknown."""


class DatasetExportManifestGap(TypedDict):
    video_id: str | None
    """The video; null for an event."""
    event_id: str | None
    """The event; null for a video."""
    reason: str
    """Reason in a sentence."""


class DatasetExportManifest(TypedDict):
    """The files of an export."""

    export_id: str
    """Identifier of the export."""
    dataset_id: str | None
    """Dataset that the events were selected in."""
    status: str
    """`completed` or `completed_with_gaps`."""
    created_at: str
    """Time of the request, ISO 8601, UTC."""
    files: list[DatasetExportManifestFile]
    """All files."""
    gaps: list[DatasetExportManifestGap]
    """What could not be included."""


DatasetExportRequestVideoId: TypeAlias = str


DatasetExportRequestEventId: TypeAlias = str


class DatasetExportRequest(TypedDict):
    """Videos and events to export."""

    video_ids: list[DatasetExportRequestVideoId]
    """Videos that you may read."""
    event_ids: NotRequired[list[DatasetExportRequestEventId] | None]
    """Events of these videos; empty: all events of these videos."""
    dataset_id: NotRequired[str | None]
    """Dataset that the events were selected in."""


class DatasetFacetRowsField(TypedDict):
    name: str
    """Name of the field."""
    values: list[str]
    """Its values."""


class DatasetFacetRowsEventRef(TypedDict):
    event_id: str
    """Identifier of the event."""
    video_id: str
    """Identifier of the video."""
    batch_id: str | None
    """Identifier of the batch."""


class DatasetFacetRows(TypedDict):
    """Values of all events, for tables and counts."""

    available: bool
    """True if the events have fields with fixed values."""
    fields: list[DatasetFacetRowsField]
    """Fields with the types `enum` and `boolean`."""
    rows: list[list[int | list[int]]]
    """One row per event, at most 100,000."""
    event_refs: list[DatasetFacetRowsEventRef]
    """The events of the rows."""
    truncated: bool
    """True if the dataset has more events."""


class DatasetFileSplits(TypedDict):
    """How the videos are split; only if it was requested."""

    val_share: float
    """Share of the videos in the split `val`, 0 to 1."""
    test_share: float
    """Share of the videos in the split `test`, 0 to 1."""
    seed: str
    """Another seed draws other splits."""


class DatasetFileBatch(TypedDict):
    batch_metadata: dict[str, Any]
    """The batch, with its `output_schema` if it has one."""
    results: list[dict[str, Any]]
    """One result per analysis; those of deleted videos are left out."""


class DatasetFileUnanalyzedVideoVideo(TypedDict):
    video_id: str
    """Identifier of the video."""
    filename: str
    """Name of the video."""
    split: NotRequired[str]
    """`train`, `val` or `test`; only if splits were requested."""


class DatasetFileUnanalyzedVideo(TypedDict):
    folder_name: str | None
    """Folder of the videos; null without one."""
    videos: list[DatasetFileUnanalyzedVideoVideo]
    """Videos of the folder."""


class DatasetFileClip(TypedDict):
    clip_id: str
    """Identifier of the clip."""
    video_id: str
    """Identifier of its video."""
    video_name: str
    """Name of its video."""
    start_s: float
    """Start in seconds from the first frame."""
    end_s: float
    """End in seconds, after the start and within the video."""
    label: str | None
    """What the clip shows; null if nobody stated it."""
    split: NotRequired[str]
    """`train`, `val` or `test`; only if splits were requested."""


class DatasetFilterRequest(TypedDict):
    """A filter and a page."""

    where: dict[str, Any]
    """Conditions that must all hold: `{"field": value}`, `{"field": [any of these]}` or, for numbers, `{"field": "< 5"}`; `{"and": [...]}` and `{"or": [...]}` combine them."""
    offset: NotRequired[int | None]
    """Events to skip; default: 0."""
    limit: NotRequired[int | None]
    """Length of the page; default: 100."""


class DatasetFilterSchemaField(TypedDict):
    name: str
    """Name of the field."""
    type: str
    """`enum`, `boolean`, `number`, `text` or `time_range`."""
    description: str | None
    """What it states."""
    values: list[str] | None
    """Values of an enum; null for others."""
    repeated: bool
    """True if an event may have several values."""
    required: bool
    """True if the query required a value."""


class DatasetFilterSchema(TypedDict):
    """Fields that a filter can name."""

    fields: list[DatasetFilterSchemaField]
    """Fields of every event, then those of the taxonomies."""


class DatasetFilteredEventsEvent(TypedDict):
    event_id: str
    """Identifier of the event."""
    video_id: str
    """Identifier of the video."""
    video_name: str
    """Name of the video."""
    analysis_id: str
    """Identifier of the analysis."""
    batch_id: str | None
    """Identifier of the batch."""
    type: str
    """Kind of event."""
    description: str
    """What was found."""
    severity: str
    """Severity."""
    approval: str
    """Review state."""
    confidence: float
    """Confidence from 0 to 1."""
    start_time: float
    """Start in seconds."""
    end_time: float
    """End in seconds."""
    values: dict[str, Any]
    """Values by the name of their field."""
    score: float | None
    """Share of the query that matches; null without a query."""
    match_reason: str | None
    """Why it matches; null without a query."""


class DatasetFilteredEvents(TypedDict):
    """Events that match a filter."""

    events: list[DatasetFilteredEventsEvent]
    """Events, ordered by video and start."""
    total: int
    """Number of all events that match."""
    next_offset: int | None
    """Offset of the next page; null on the last one."""


class DatasetListRequest(TypedDict):
    """Datasets to list."""

    scope: NotRequired[Literal['user', 'org'] | None]
    """`user` (default): datasets that you created; `org`: those that are shared in the organization."""
    limit: NotRequired[int | None]
    """Maximum number of datasets; default: 100."""
    before: NotRequired[str | None]
    """Id of the last dataset of the previous page; only older ones follow."""


DatasetRequestBatchId: TypeAlias = str


DatasetRequestVideoId: TypeAlias = str


class DatasetRequestClip(TypedDict):
    video_id: str
    """A video that you may read and that is ready."""
    start_s: float
    """Start in seconds from the first frame."""
    end_s: float
    """End in seconds, after the start and within the video."""
    label: NotRequired[str | None]
    """What the clip shows."""


class DatasetRequestClipsOfEvents(TypedDict):
    """The ranges of all events that match, as of `GET /api/events`, with their labels; at most 10,000. Events without a length are left out."""

    q: NotRequired[str | None]
    """Only events that contain all of these words, in any order: in the label, the type, the prompt, what is spoken or read during the event, notes of reviewers, or tags of the video. English words match in all of their forms; words such as "the" match nothing."""
    folder_id: NotRequired[str | None]
    """Only events of the videos of this folder."""
    video_id: NotRequired[str | None]
    """Only events of this video."""
    batch_id: NotRequired[str | None]
    """Only events of this batch."""
    incident_id: NotRequired[str | None]
    """Only events of this incident."""
    label: NotRequired[str | None]
    """Only events with exactly this label."""
    type: NotRequired[str | None]
    """Only events of this kind, such as `object` or `light`."""
    severity: NotRequired[Literal['low', 'medium', 'high'] | None]
    """Only events of this severity."""
    min_confidence: NotRequired[float]
    """Only events with at least this confidence."""
    approval: NotRequired[Literal['pending', 'approved', 'rejected', 'unsure'] | None]
    """Only events with this review state."""
    added: NotRequired[bool]
    """True: only events that people added."""
    disputed: NotRequired[bool]
    """True: only undecided events whose reviewers disagree."""
    to_review: NotRequired[bool]
    """True: only events that wait for your verdict: pending, without a verdict of yours, and assigned to nobody else."""
    assigned: NotRequired[bool]
    """True: only events that are assigned to you."""
    created_after: NotRequired[str | None]
    """Only events of analyses that were created at this time or later, ISO 8601."""
    created_before: NotRequired[str | None]
    """Only events of analyses that were created before this time, ISO 8601."""
    recorded_after: NotRequired[str | None]
    """Only events of which a part was recorded at this time or later, ISO 8601. Those without a known time of recording match none of these filters."""
    recorded_before: NotRequired[str | None]
    """Only events whose recording started before this time, ISO 8601."""
    time_of_day: NotRequired[str | None]
    """Only events of which a part was recorded in this daily interval of local time, which may cross midnight: `22:00-06:00`."""
    weekday: NotRequired[str | None]
    """Only events of which a part was recorded on these days of the week: `sat,sun`."""
    time_zone: NotRequired[str | None]
    """Time zone of `time_of_day` and `weekday`: an IANA name, or an offset such as `+01:00`. Default: that of each video, or UTC if it is unknown."""


class DatasetRequest(TypedDict):
    """A dataset to create."""

    name: str
    """Name of the dataset."""
    batch_ids: NotRequired[list[DatasetRequestBatchId] | None]
    """Batches that you may read. The dataset has exactly the analyses of these batches."""
    video_ids: NotRequired[list[DatasetRequestVideoId] | None]
    """Videos that are listed without analyses."""
    clips: NotRequired[list[DatasetRequestClip] | None]
    """Ranges of videos; equal ones are added once."""
    clips_of_events: NotRequired[DatasetRequestClipsOfEvents | None]
    """The ranges of all events that match, as of `GET /api/events`, with their labels; at most 10,000. Events without a length are left out."""
    analysis_type: NotRequired[Literal['ask', 'agent', 'unanalyzed'] | None]
    """A label that existing clients send; it does not affect the content."""
    search_description: NotRequired[str | None]
    """What the dataset is for, in your own words."""
    scope: NotRequired[Literal['user', 'org'] | None]
    """`user` (default): your own; `org`: members of the organization may read it, and it has shared batches and videos only."""


class DatasetResolvedCriteriaEvent(TypedDict):
    event_id: str
    """Identifier of the event."""
    video_id: str
    """Identifier of the video."""
    video_name: str
    """Name of the video."""
    analysis_id: str
    """Identifier of the analysis."""
    batch_id: str | None
    """Identifier of the batch."""
    type: str
    """Kind of event."""
    description: str
    """What was found."""
    severity: str
    """Severity."""
    approval: str
    """Review state."""
    confidence: float
    """Confidence from 0 to 1."""
    start_time: float
    """Start in seconds."""
    end_time: float
    """End in seconds."""
    values: dict[str, Any]
    """Values by the name of their field."""
    score: float | None
    """Share of the query that matches; null without a query."""
    match_reason: str | None
    """Why it matches; null without a query."""


class DatasetResolvedCriteria(TypedDict):
    """Events that match a query."""

    events: list[DatasetResolvedCriteriaEvent]
    """All matches, the best first."""
    ranking: str
    """`llm`: by the configured language model, which compares descriptions with the query; `words`: by the share of the words of the query, and of what it was read as, that an event contains."""
    ranking_degraded: bool
    """True if a configured language model could not rank: words did."""
    truncated: bool
    """True if more events match than are listed."""


class DatasetSearchRequest(TypedDict):
    """A search."""

    query: str
    """What is searched, in plain words."""
    top_k: NotRequired[int | None]
    """Number of events; default: 50."""
    structured_where: NotRequired[dict[str, Any] | None]
    """Conditions that must all hold: `{"field": value}`, `{"field": [any of these]}` or, for numbers, `{"field": "< 5"}`; `{"and": [...]}` and `{"or": [...]}` combine them."""
    deep: NotRequired[bool | None]
    """Sent by existing clients; `ranking` states how events are ranked."""


class DatasetSearchResultEvent(TypedDict):
    event_id: str
    """Identifier of the event."""
    video_id: str
    """Identifier of the video."""
    video_name: str
    """Name of the video."""
    analysis_id: str
    """Identifier of the analysis."""
    batch_id: str | None
    """Identifier of the batch."""
    type: str
    """Kind of event."""
    description: str
    """What was found."""
    severity: str
    """Severity."""
    approval: str
    """Review state."""
    confidence: float
    """Confidence from 0 to 1."""
    start_time: float
    """Start in seconds."""
    end_time: float
    """End in seconds."""
    values: dict[str, Any]
    """Values by the name of their field."""
    score: float | None
    """Share of the query that matches; null without a query."""
    match_reason: str | None
    """Why it matches; null without a query."""


class DatasetSearchResult(TypedDict):
    """Events that match a query."""

    events: list[DatasetSearchResultEvent]
    """The best matches first."""
    total: int
    """Number of all events that match."""
    index_status: str
    """`ready`: events can be found as soon as their analysis has ended."""
    ranking: str
    """`llm`: by the configured language model, which compares descriptions with the query; `words`: by the share of the words of the query, and of what it was read as, that an event contains."""
    ranking_degraded: bool
    """True if a configured language model could not rank: words did."""


class DatasetVersionFilter(TypedDict):
    """Which events of the dataset the version has. Analyses without such events are in it, too."""

    approval: str | None
    """Review state of its events; null: all."""
    labels: list[str] | None
    """Labels of its events; null: all."""
    types: list[str] | None
    """Kinds of its events; null: all."""
    min_confidence: float | None
    """Least confidence of its events; null: any."""


class DatasetVersionSplits(TypedDict):
    """How the videos are split; only if it was requested."""

    val_share: float
    """Share of the videos in the split `val`, 0 to 1."""
    test_share: float
    """Share of the videos in the split `test`, 0 to 1."""
    seed: str
    """Another seed draws other splits."""


class DatasetVersion(TypedDict):
    """A frozen version of a dataset."""

    dataset_id: str
    """Identifier of the dataset."""
    number: int
    """Number of the version in its dataset; it is never used twice."""
    name: str
    """Name of the version."""
    status: str
    """`processing`, `ready` or `failed`."""
    created_by: str
    """The user who froze it."""
    filter: DatasetVersionFilter
    """Which events of the dataset the version has. Analyses without such events are in it, too."""
    splits: DatasetVersionSplits | None
    """How the videos are split; only if it was requested."""
    video_count: int
    """Videos that were frozen."""
    event_count: int
    """Events that were frozen."""
    clip_count: int
    """Clips that were frozen."""
    missing_videos: int
    """Videos that are deleted now. The file lacks their rows, and has another checksum, until they are restored."""
    sha256: str | None
    """SHA-256 of the file as it was frozen, in hex; null until it is ready."""
    size_bytes: int | None
    """Size of that file in bytes."""
    created_at: str
    """Time of the request, ISO 8601, UTC."""
    frozen_at: str | None
    """Time at which it was ready, ISO 8601, UTC."""


class DatasetVersionDownload(TypedDict):
    """Where to download a version."""

    download_url: str | None
    """Signed URL, valid for a day without a key; null until the version is ready."""


class DatasetVersionFileVersionFilter(TypedDict):
    """Which events of the dataset the version has. Analyses without such events are in it, too."""

    approval: str | None
    """Review state of its events; null: all."""
    labels: list[str] | None
    """Labels of its events; null: all."""
    types: list[str] | None
    """Kinds of its events; null: all."""
    min_confidence: float | None
    """Least confidence of its events; null: any."""


class DatasetVersionFileVersion(TypedDict):
    """The version."""

    number: int
    """Number of the version."""
    name: str
    """Name of the version."""
    filter: DatasetVersionFileVersionFilter
    """Which events of the dataset the version has. Analyses without such events are in it, too."""
    created_at: str
    """Time of the request, ISO 8601, UTC."""
    missing_videos: int
    """Videos that were frozen and are deleted now."""


class DatasetVersionFileSplits(TypedDict):
    """How the videos are split; only if it was requested."""

    val_share: float
    """Share of the videos in the split `val`, 0 to 1."""
    test_share: float
    """Share of the videos in the split `test`, 0 to 1."""
    seed: str
    """Another seed draws other splits."""


class DatasetVersionFileBatch(TypedDict):
    batch_metadata: dict[str, Any]
    """The batch, with its `output_schema` if it has one."""
    results: list[dict[str, Any]]
    """One result per analysis; those of deleted videos are left out."""


class DatasetVersionFileUnanalyzedVideoVideo(TypedDict):
    video_id: str
    """Identifier of the video."""
    filename: str
    """Name of the video."""
    split: NotRequired[str]
    """`train`, `val` or `test`; only if splits were requested."""


class DatasetVersionFileUnanalyzedVideo(TypedDict):
    folder_name: str | None
    """Folder of the videos; null without one."""
    videos: list[DatasetVersionFileUnanalyzedVideoVideo]
    """Videos of the folder."""


class DatasetVersionFileClip(TypedDict):
    clip_id: str
    """Identifier of the clip."""
    video_id: str
    """Identifier of its video."""
    video_name: str
    """Name of its video."""
    start_s: float
    """Start in seconds from the first frame."""
    end_s: float
    """End in seconds, after the start and within the video."""
    label: str | None
    """What the clip shows; null if nobody stated it."""
    split: NotRequired[str]
    """`train`, `val` or `test`; only if splits were requested."""


class DatasetVersionList(TypedDict):
    """Versions of a dataset."""

    versions: list[DatasetVersion]
    """Versions of the dataset, newest first."""


DatasetVersionRequestLabel: TypeAlias = str


DatasetVersionRequestType: TypeAlias = str


class DatasetVersionRequest(TypedDict):
    """What to freeze of a dataset. Without filters: all events with their verdicts. All filters must match."""

    name: NotRequired[str | None]
    """Name of the version; default: `Version` and its number."""
    approval: NotRequired[Literal['pending', 'approved', 'rejected', 'unsure'] | None]
    """Only events with this review state."""
    labels: NotRequired[list[DatasetVersionRequestLabel] | None]
    """Only events with one of these labels."""
    types: NotRequired[list[DatasetVersionRequestType] | None]
    """Only events of one of these kinds, such as `object`."""
    min_confidence: NotRequired[float | None]
    """Only events of at least this confidence."""
    val_share: NotRequired[float | None]
    """Share of the videos in the split `val`, 0 to 1. With this or `test_share`, each video has a `split`; the rest is `train`."""
    test_share: NotRequired[float | None]
    """Share of the videos in the split `test`, 0 to 1."""
    seed: NotRequired[str | None]
    """Another seed draws other splits."""


class DecidedIncidentsEvent(TypedDict):
    event_id: str
    """Identifier of the event."""
    incident_id: str | None
    """Its incident now; null until it is computed."""


class DecidedIncidents(TypedDict):
    """Incidents after a decision."""

    events: list[DecidedIncidentsEvent]
    """The event and the others, without duplicates."""


class DeletedAnalysis(TypedDict):
    """A deleted analysis."""

    status: Literal['deleted']
    """`deleted`."""
    analysis_id: str
    """Identifier of the deleted analysis."""


class DeletedCamera(TypedDict):
    """A deleted camera."""

    status: Literal['deleted']
    camera_id: str
    """Identifier of the deleted camera."""


class DeletedDataset(TypedDict):
    """A deleted dataset."""

    status: Literal['deleted']
    id: str
    """Identifier of the dataset."""


class DeletedDatasetVersion(TypedDict):
    """A deleted version."""

    status: Literal['deleted']
    dataset_id: str
    """Identifier of the dataset."""
    number: int
    """Its number."""


class DeletedExport(TypedDict):
    """A deleted export."""

    status: Literal['deleted']
    export_id: str
    """Identifier of the export."""


class DeletedFolder(TypedDict):
    """The folder was deleted."""

    status: Literal['deleted']
    """Always `deleted`."""
    folder_id: str
    """Identifier of the deleted folder."""
    video_count: int
    """Number of videos that were moved out of it or deleted."""


class DeletedImportSync(TypedDict):
    """The deleted scheduled import."""

    status: Literal['deleted']
    """Always `deleted`."""
    id: str
    """Id of the deleted scheduled import."""


class DeletedIntegration(TypedDict):
    """The deleted integration."""

    status: Literal['deleted']
    """Always `deleted`."""
    id: str
    """Id of the deleted integration."""


class DeletedSavedQuestion(TypedDict):
    """A deleted saved question."""

    status: Literal['deleted']
    saved_question_id: str
    """Identifier of the saved question."""


class DeletedVideo(TypedDict):
    """The video was deleted."""

    status: Literal['deleted']
    """Always `deleted`."""
    video_id: str
    """Identifier of the deleted video."""
    restorable_until: str | None
    """End of the period in which a deleted video can be restored; null if it is not deleted, or erased. On legal hold it has no end: `9999-12-31T00:00:00.000Z`."""


class DeletedWebhook(TypedDict):
    """A deleted webhook."""

    status: Literal['deleted']
    webhook_id: str
    """Identifier of the webhook."""


class DeletedZone(TypedDict):
    """A deleted zone."""

    status: Literal['deleted']
    zone_id: str
    """Identifier of the deleted zone."""


class DerivedVideoGap(TypedDict):
    start_s: float
    """Time of the last frame before the gap, in seconds from the start of the video."""
    end_s: float
    """Time of the first frame after the gap."""


class DerivedVideo(TypedDict):
    video_id: str | None
    """Id of the video; null until it is created."""
    channel: str
    """Channel: the topic, or `topic#id` if several channels have the same topic."""
    channel_name: str
    """Same as `channel`, for existing clients."""
    role: str | None
    """Role of the channel among the views."""
    label: str | None
    """Display label of the channel."""
    part: int
    """Index of the range of the recording, from 0; always 0 without `chunk_size`."""
    status: str
    """`processing`, `completed`, `failed`, or `deleted` (it was completed, then deleted from the library)."""
    error: str | None
    """Reason why there is no video."""
    offset_s: float | None
    """Capture time of its first frame, in seconds after the first frame of the primary view."""
    start_time: str | None
    """Capture time of its first frame, ISO 8601, UTC; null if the clock of the recording has no date."""
    duration_s: float | None
    """Time from its first frame to its last, in seconds."""
    frame_count: int | None
    """Number of frames."""
    drift_ppm: float | None
    """Drift of the camera's clock against the recorder's in parts per million, positive if it is faster; null if unknown."""
    gaps: list[DerivedVideoGap]
    """Ranges without frames: longer than half a second and three usual frame intervals."""
    reencoded: bool | None
    """True if its frames were re-encoded."""
    notes: list[str]
    """Remarks on the conversion."""


class DirectUploadArrivedItem(TypedDict):
    part_number: int
    """Number of the part; the first is 1."""
    size_bytes: int
    """Size of the part in bytes."""


class EndedLiveSession(TypedDict):
    """The session ends or has ended."""

    status: Literal['ended', 'already_ended']
    """`ended`: the session ends now; `already_ended`: it had ended before."""


class EndedSessions(TypedDict):
    """The sessions have ended on every node."""

    ended: int
    """Number of ended sessions."""


class EndedUpload(TypedDict):
    """The upload has ended."""

    status: Literal['ended']
    """Always `ended`."""
    upload_id: str
    """Identifier of the ended upload."""


class ErrorResponseError(TypedDict):
    param: str
    """Path of the field or parameter: `fields[0].name`."""
    message: str
    """What is wrong with it."""


class ErrorResponse(TypedDict):
    """Every error has this shape."""

    detail: str | dict[str, Any]
    """What is wrong, in a sentence to act on; an object where there is structure."""
    message: str
    """The same, always as a sentence."""
    error: str
    """Stable code, listed in the error reference."""
    errors: NotRequired[list[ErrorResponseError]]
    """All invalid fields, where the request has any."""
    request_id: str
    """Identifier of the request; the log of the operator has it, too."""


class EventFacetsLabel(TypedDict):
    value: str
    """The value."""
    count: int
    """Number of events."""


class EventFacetsType(TypedDict):
    value: str
    """The value."""
    count: int
    """Number of events."""


class EventFacetsSeverity(TypedDict):
    value: str
    """The value."""
    count: int
    """Number of events."""


class EventFacetsApproval(TypedDict):
    value: str
    """The value."""
    count: int
    """Number of events."""


class EventFacetsFolder(TypedDict):
    id: str
    """Identifier of the folder."""
    name: str
    """Name of the folder."""
    count: int
    """Number of events."""


class EventFacetsVideo(TypedDict):
    id: str
    """Identifier of the video."""
    name: str
    """Name of the video."""
    count: int
    """Number of events."""


class EventFacets(TypedDict):
    """Numbers of the events that match all filters, by field: the 50 most frequent values each, most events first. Events of videos without a folder are in no folder. Videos that are being deleted together with their folder may be counted for some seconds."""

    total: int
    """Number of counted events; at most 10,000, or 1,000 in an organization with 20,000 events or more."""
    is_complete: bool
    """True if all matching events were counted. False: only the newest of them were."""
    labels: list[EventFacetsLabel]
    """Events by label."""
    types: list[EventFacetsType]
    """Events by type."""
    severities: list[EventFacetsSeverity]
    """Events by severity."""
    approvals: list[EventFacetsApproval]
    """Events by review state."""
    folders: list[EventFacetsFolder]
    """Events by folder."""
    videos: list[EventFacetsVideo]
    """Events by video."""


class EventHistoryChange(TypedDict):
    change_id: str
    """Identifier of the change."""
    action_id: str
    """Shared by the changes of one request, which are undone together."""
    kind: str
    """`changed`, `added` or `undone`."""
    user_id: str
    """The reviewer."""
    user_name: str | None
    """Name of the reviewer; null if the user was removed."""
    before: dict[str, Any]
    """Values before the change: fields of the request that made the change."""
    after: dict[str, Any]
    """Values after the change: fields of the request that made the change."""
    undone: bool
    """True if the change was undone."""
    created_at: str
    """Time of the change, ISO 8601, UTC."""


class EventHistory(TypedDict):
    """What reviewers changed on an event."""

    event_id: str
    """Identifier of the event."""
    changes: list[EventHistoryChange]
    """Changes, newest first."""


class EventReviewVerdict(TypedDict):
    user_id: str
    """The reviewer."""
    verdict: str
    """`approved`, `rejected` or `unsure`."""
    reason: str | None
    """Reason of the verdict."""
    reviewed_at: str
    """Time of the verdict, ISO 8601, UTC."""


class EventReview(TypedDict):
    """What reviewers decided about an event and changed."""

    verdicts: list[EventReviewVerdict]
    """The latest verdict of each reviewer."""
    reason: str | None
    """Reason of the verdict that decided."""
    disputed: bool
    """True if reviewers disagree and nothing is decided."""
    note: str | None
    """Note of the reviewers."""
    added: bool
    """True if a person added the event."""
    origin: NotRequired[str]
    """The imported file of labels that the event is from; absent for other events."""
    original: dict[str, Any] | None
    """What the engine reported, if a reviewer changed it: `label`, `severity`, `start_s`, `end_s`, `start_pts`, `end_pts`."""


class EventReviewRequest(TypedDict):
    """Your verdict on an event, and corrections of it. Omitted fields stay as they are. `review.original` has what the engine reported."""

    approval: NotRequired[Literal['approved', 'rejected', 'unsure', 'pending']]
    """Your verdict on the event; it replaces your earlier one. `pending` withdraws it."""
    reason: NotRequired[str | None]
    """Reason of the verdict, such as `wrong thing`."""
    label: NotRequired[str]
    """Short description of the event."""
    severity: NotRequired[Literal['low', 'medium', 'high']]
    """Severity of the event."""
    note: NotRequired[str | None]
    """Note of the reviewers; null removes it."""
    start_s: NotRequired[float]
    """Start in seconds from the first frame."""
    end_s: NotRequired[float]
    """End in seconds from the first frame."""


EventStatisticsHour: TypeAlias = int
"""Number of events."""


EventStatisticsWeekday: TypeAlias = int
"""Number of events."""


class EventStatisticsDay(TypedDict):
    day: str
    """Date, `YYYY-MM-DD`."""
    count: int
    """Number of events."""


class EventStatistics(TypedDict):
    """Numbers of the events that match all filters by when they were recorded, in local time of each video or of `time_zone`."""

    total: int
    """Number of counted events, as in `facets`."""
    is_complete: bool
    """True if all matching events were counted. False: only the newest of them were."""
    undated: int
    """Number of those whose video has no clock. They are in no hour and on no day."""
    hours: list[EventStatisticsHour]
    """Events by the hour in which they start: the first is that after midnight."""
    weekdays: list[EventStatisticsWeekday]
    """Events by day of the week, from Monday on."""
    days: list[EventStatisticsDay]
    """Days with events in their order; the last 400 of them."""


class EventSummaryImplied(TypedDict):
    """What follows for an undecided event from the verdict on another event of its incident: "red car enters", approved, implies "car in view", and not the reverse. It counts as no verdict. Null: nothing follows."""

    approval: Literal['approved', 'rejected']
    """`approved` or `rejected`."""
    event_id: str
    """The event of the incident that reviewers decided."""


class EventSummaryIncident(TypedDict):
    """With `per=incident`: what the event stands for; otherwise null."""

    events: int
    """Number of events that you may read."""
    questions: int
    """Number of their prompts."""


class EventSummaryMatch(TypedDict):
    source: Literal['label', 'type', 'prompt', 'caption', 'transcript', 'text', 'tag', 'note']
    """Where words were found: `label`, `type` or `prompt` of the event, `caption` of the video, `transcript` (spoken during the event), `text` (read in its frames), `tag` of the video, or `note` of reviewers."""
    text: str
    """The text, at most 500 characters."""
    start_s: float | None
    """Start of what is spoken or read, in seconds; otherwise null."""
    end_s: float | None
    """End of it, in seconds; otherwise null."""


class EventSummary(TypedDict):
    """An event of a completed analysis in a list."""

    event_id: str
    """Identifier of the event, as in the analysis document."""
    incident_id: str | None
    """Identifier of the incident: the same for all events that show the same incident in a video, whatever question, mode, model or version reported them. It changes only where incidents split or merge, such as by verdicts that contradict each other. Null until it is computed."""
    analysis_id: str
    """Analysis that reported the event."""
    video_id: str
    """Identifier of the video."""
    video_name: str
    """Display name of the video."""
    video_duration_s: float | None
    """Duration of the video in seconds; null if unknown."""
    folder_id: str | None
    """Folder of the video; null without one."""
    folder_name: str | None
    """Name of that folder."""
    batch_id: str | None
    """Batch of the analysis; null if it has none."""
    query: str
    """The prompt of the analysis."""
    type: str
    """Kind of event: `object`, `motion`, `light`, `cut`, `sound`, …"""
    label: str
    """Short description of the event."""
    severity: str
    """`low`, `medium` or `high`."""
    confidence: float
    """Confidence of the engine, 0 to 1."""
    start_s: float
    """Start in seconds from the first frame."""
    end_s: float
    """End in seconds from the first frame."""
    start_at: str | None
    """Time at which the start was recorded, ISO 8601, UTC; null if it is unknown."""
    end_at: str | None
    """Time at which the end was recorded."""
    time_zone: str | None
    """Time zone of the place: an IANA name, or an offset; null if it is unknown."""
    annotated_thumbnail_url: str | None
    """Signed URL of the evidence image, valid for 24 hours without a key; null without evidence frames."""
    approval: str
    """Review state: `pending` until reviewers have decided, then `approved`, `rejected` or `unsure`."""
    implied: EventSummaryImplied | None
    """What follows for an undecided event from the verdict on another event of its incident: "red car enters", approved, implies "car in view", and not the reverse. It counts as no verdict. Null: nothing follows."""
    incident: EventSummaryIncident | None
    """With `per=incident`: what the event stands for; otherwise null."""
    review: EventReview | None
    """What reviewers decided about an event and changed."""
    assigned_to: str | None
    """User who works on the event; null if nobody does."""
    assigned_until: str | None
    """End of that assignment, ISO 8601, UTC."""
    created_at: str
    """Creation time of the analysis, ISO 8601, UTC."""
    matches: list[EventSummaryMatch]
    """Where the event contains words of `q`: one text for each source. Empty without `q`."""


class Export(TypedDict):
    """An export of events."""

    export_id: str
    """Identifier of the export."""
    format: str
    """Format of the file."""
    status: str
    """`processing`, `completed` or `failed`."""
    event_count: int
    """Number of exported events; 0 until it is completed."""
    size_bytes: int | None
    """Size of the file; null until it is completed."""
    error: str | None
    """Code of the failure; null without one."""
    message: str | None
    """Reason of the failure in a sentence; null without one."""
    filename: str
    """Name of the file."""
    download_url: str | None
    """Signed URL of the file, valid for a day without a key; null until it is completed."""
    created_at: str
    """Time of the request, ISO 8601, UTC."""
    completed_at: str | None
    """Time when the file was written, ISO 8601, UTC."""
    expires_at: str
    """Time when the export is deleted, ISO 8601, UTC."""


class ExportList(TypedDict):
    """A page of exports."""

    exports: list[Export]
    """Your exports, newest first."""
    has_more: bool
    """True if more exports follow."""
    next_cursor: str | None
    """Value of `cursor` for the next page."""


ExportRequestVideoId: TypeAlias = str


class ExportRequest(TypedDict):
    """Events to export, and the format of the file. All filters must match."""

    format: Literal['csv', 'json', 'jsonl', 'parquet', 'vtt', 'srt', 'chapters', 'otio', 'edl', 'fcpxml', 'coco', 'cvat', 'label_studio', 'fiftyone', 'geojson', 'html', 'zip', 'lerobot', 'recap', 'mcap']
    """`csv`, `json`, `jsonl`, `parquet`: all fields. `vtt`, `srt`, `chapters` (FFmpeg metadata), `mcap` (with boxes as annotations for Foxglove): events on the timeline of one video. `otio`, `edl` (CMX 3600), `fcpxml`: a cut of all events. `coco`, `cvat` (CVAT for images 1.1): boxes of the evidence frames. `label_studio`: tasks with predictions, or annotations of decided events. `fiftyone`: a ZIP archive for FiftyOne, without the videos. `geojson`: where events happened, of recordings with positions. `html`: a report that opens offline, `zip`: clips and evidence images with tables; `lerobot`: a dataset of LeRobot v3, one episode for each event; of at most 1,000 events. `recap`: one MP4 with captions, of at most 200 events."""
    q: NotRequired[str | None]
    """Only events whose label, type or prompt contain all words."""
    folder_id: NotRequired[str | None]
    """Only events of the videos of this folder."""
    video_ids: NotRequired[list[ExportRequestVideoId] | None]
    """Only events of these videos. Formats with times of one video need exactly one."""
    batch_id: NotRequired[str | None]
    """Only events of this batch."""
    label: NotRequired[str | None]
    """Only events with exactly this label."""
    type: NotRequired[str | None]
    """Only events of this kind."""
    severity: NotRequired[Literal['low', 'medium', 'high'] | None]
    """Only events of this severity."""
    approval: NotRequired[Literal['pending', 'approved', 'rejected', 'unsure'] | None]
    """Only events with this review state."""
    min_confidence: NotRequired[float | None]
    """Only events with at least this confidence."""
    added: NotRequired[bool | None]
    """True: only events that people added."""
    disputed: NotRequired[bool | None]
    """True: only undecided events whose reviewers disagree."""
    created_after: NotRequired[str | None]
    """Only events of analyses that were created at this time or later, ISO 8601."""
    created_before: NotRequired[str | None]
    """Only events of analyses that were created before this time, ISO 8601."""
    recorded_after: NotRequired[str | None]
    """Only events of which a part was recorded at this time or later, ISO 8601. Those without a known time of recording match none of these filters."""
    recorded_before: NotRequired[str | None]
    """Only events whose recording started before this time, ISO 8601."""
    time_of_day: NotRequired[str | None]
    """Only events of which a part was recorded in this daily interval of local time, which may cross midnight: `22:00-06:00`."""
    weekday: NotRequired[str | None]
    """Only events of which a part was recorded on these days of the week: `sat,sun`."""
    time_zone: NotRequired[str | None]
    """Time zone of `time_of_day` and `weekday`: an IANA name, or an offset such as `+01:00`. Default: that of each video, or UTC if it is unknown."""


FilesToImportFile: TypeAlias = str


class FilesToImportSet(TypedDict):
    """Views of one scene."""

    views: dict[str, str]
    """Object key or URI by view role. `front` is required; others are, for example, `left` and `rear`."""


FilesToImportIncludeItem: TypeAlias = str


FilesToImportExcludeItem: TypeAlias = str


class FilesToImport(TypedDict):
    """Objects to import: `files`, `sets`, or a selection by `prefix`, `include` and `exclude`."""

    files: NotRequired[list[FilesToImportFile] | None]
    """Object keys or URIs (`s3://bucket/key`). Duplicates count once."""
    integration_id: NotRequired[str | None]
    """Integration that opens the bucket. Default: the one saved for the bucket."""
    bucket: NotRequired[str | None]
    """Name of the bucket. Optional if `integration_id` is given."""
    sets: NotRequired[list[FilesToImportSet] | None]
    """Sets of views, instead of single objects. Each set is one row of the import."""
    force: NotRequired[bool | None]
    """If true, objects that were already imported in the same version are imported again. Default false."""
    prefix: NotRequired[str | None]
    """Import objects whose key starts with this prefix. Default: the prefix of the integration."""
    include: NotRequired[list[FilesToImportIncludeItem] | None]
    """Only import objects whose key matches one of these patterns: `*` matches within a folder, `**` across folders, `?` one character."""
    exclude: NotRequired[list[FilesToImportExcludeItem] | None]
    """Skip objects whose key matches one of these patterns."""
    folder_id: NotRequired[str | None]
    """Folder of the videos."""
    scope: NotRequired[Literal['user', 'org'] | None]
    """Visibility of the videos: `user` (only you) or `org` (your organization). Default: the scope of the folder, else `user`."""
    sidecars: NotRequired[bool | None]
    """If true, the files beside each video (same name, other extension) are imported with it: telemetry (`.json`, `.csv`, or `.srt` with measurements) and subtitles (`.srt` or `.vtt`). Default false."""


class FolderClockRule(TypedDict):
    """How the clocks of its new videos are read (`/api/folders/{folder_id}/clock`); null: by the files alone."""

    path_pattern: str | None
    """Where dates and times are in the paths of its videos."""
    time_zone: str | None
    """Time zone that new videos start with."""
    shift_s: float
    """Seconds by which the clocks of new videos are shifted."""
    local_header: bool
    """True: the files of new videos state local time as UTC."""


class Folder(TypedDict):
    """A folder."""

    id: str
    """Identifier of the folder."""
    name: str
    """The name, unique per scope. Surrounding spaces are removed."""
    org_id: str
    """Organization of the folder; also set for personal folders."""
    description: str
    """Purpose of the folder; empty if it has none."""
    created_at: str
    """Creation time, ISO 8601, UTC."""
    scope: Literal['user', 'org', 'sample']
    """`user`: a personal folder, visible to its owner only; `org`: visible to everyone in the organization. `sample`: the folder of sample videos, which everyone in the organization can read and nobody can change."""
    created_by: str
    """The user who created it."""
    video_count: int
    """Number of videos in the folder."""
    retention_days: int | None
    """Number of days after the start of the upload when a video of this folder is deleted; null: never."""
    clock_rule: FolderClockRule | None
    """How the clocks of its new videos are read (`/api/folders/{folder_id}/clock`); null: by the files alone."""
    vision_profile: str | None
    """Profile of the vision-language model for queries on videos of this folder; null: that of the service."""


class FolderChanges(TypedDict):
    """Changes to a folder; omitted fields stay as they are. A `description` of null removes it, a `retention_days` of null keeps videos for ever, a `vision_profile` of null is that of the service."""

    name: NotRequired[str | None]
    """The name, unique per scope. Surrounding spaces are removed."""
    description: NotRequired[str | None]
    """Purpose of the folder."""
    retention_days: NotRequired[int | None]
    """Number of days after the start of the upload when a video of this folder is deleted; null: never."""
    vision_profile: NotRequired[str | None]
    """Profile of the vision-language model for queries on videos of this folder; null: that of the service."""


class FolderClockChangesReferencePoint(TypedDict, closed=True):
    """A comparison of a clock with the right time."""

    shown_at: str
    """Time by the clock of the camera, ISO 8601."""
    recorded_at: str
    """The right time."""


class FolderClockChanges(TypedDict):
    """Changes to the clocks of the videos of a folder; omitted fields stay as they are."""

    time_zone: NotRequired[str | None]
    """Time zone of the place: an IANA name such as `Europe/Berlin`, or an offset such as `+01:00`; null: by what the file says. A local time in the name of a file is read in it."""
    shift_s: NotRequired[float | None]
    """Seconds that are added to what the file says, for a camera whose clock is wrong: 90 if it is a minute and a half slow. It replaces the previous one."""
    local_header: NotRequired[bool | None]
    """True: the files state local time where UTC belongs, as many cameras write it; it is read in `time_zone`. Default: false."""
    reference_points: NotRequired[list[FolderClockChangesReferencePoint] | None]
    """Two comparisons of the clock of the camera with the right time, where it drifts. What the sources say is corrected by the line through them, instead of by `shift_s`; null: none."""
    path_pattern: NotRequired[str | None]
    """Where dates and times are in the paths of its videos (`source_uri`, else the name): `{yyyy}-{mm}-{dd}/{HH}.{MM}.{SS}`, with `*` for any text within a folder. It is stored, and also read for new videos; empty: none."""
    new_videos: NotRequired[bool | None]
    """True: new videos of the folder start with these settings, too. False: with none. Default: as before, at first with none."""


class FolderList(TypedDict):
    """A page of folders."""

    folders: list[Folder]
    """Folders, by name."""
    has_more: bool
    """True if more folders follow."""
    next_cursor: str | None
    """Value of `cursor` for the next page."""


class FolderReviewAgreementItemReviewer(TypedDict):
    user_id: str
    """Identifier of the reviewer."""
    name: str | None
    """Name of the reviewer; null if the user was removed."""


class FolderReviewAgreementItem(TypedDict):
    reviewers: list[FolderReviewAgreementItemReviewer]
    """The two reviewers."""
    events: int
    """Number of events that both have judged."""
    observed: float
    """Share of them with equal verdicts."""
    kappa: float | None
    """Cohen's kappa: 1 is full agreement, 0 that of chance. Null if chance alone would agree on everything."""


class FolderReview(TypedDict):
    """How the events of a folder are reviewed, and how far reviewers agree."""

    folder_id: str
    """Identifier of the folder."""
    reviewers: int
    """Number of reviewers who must agree."""
    agreement: list[FolderReviewAgreementItem]
    """Agreement of every two reviewers, most events first."""


class FrameMatchesMatchObjectBox(TypedDict):
    """Where it is, in fractions of the frame."""

    x: float
    """Left edge."""
    y: float
    """Upper edge."""
    width: float
    """Width."""
    height: float
    """Height."""


FrameMatchesMatchObject = TypedDict(
    'FrameMatchesMatchObject',
    {
        'class': str,
        'box': FrameMatchesMatchObjectBox,
    },
)


class FrameMatchesMatch(TypedDict):
    """A frame, or an object in it, that resembles the query."""

    video_id: str
    """Identifier of the video."""
    video_name: str
    """Name of the video."""
    folder_id: str | None
    """Folder of the video; null without one."""
    time_s: float
    """Time of the frame in seconds from the first one."""
    object: FrameMatchesMatchObject | None
    """The tracked object that resembles the query; null if the whole frame does."""
    score: float
    """Similarity to the query, -1 to 1. Scores order the frames of one search. They are no confidence: the best frame may show something else."""
    image_url: str
    """Signed URL of the frame as JPEG that needs no key, valid for an hour."""


class FrameMatches(TypedDict):
    """Frames of videos, and objects in them, that resemble a query."""

    matches: list[FrameMatchesMatch]
    """Frames and objects, best first; of the frames of each ten seconds of a video only the best one, and of the views of an object as well."""
    model: str | None
    """Name of the model; null if it cannot be used."""
    searched_videos: int
    """Number of videos whose frames or objects were searched."""
    searched_frames: int
    """Number of frames that were searched."""
    searched_objects: int
    """Number of views of tracked objects that were searched: up to three of each object."""
    total_videos: int
    """Number of videos that match the filters. Those that were not observed are not searched."""
    reason: str | None
    """Why frames or objects of videos were not searched, in a sentence or two; null if all of them were."""


class FrameSearchFrameBox(TypedDict):
    """Only the part of it around this box, in fractions of its width and height; by default all of it."""

    x: float
    """Left edge."""
    y: float
    """Upper edge."""
    width: float
    """Width."""
    height: float
    """Height."""


class FrameSearchFrame(TypedDict):
    """A frame of a video whose like is searched."""

    video_id: str
    """Identifier of the video."""
    time_s: float
    """Time in seconds from its first frame."""
    box: NotRequired[FrameSearchFrameBox | None]
    """Only the part of it around this box, in fractions of its width and height; by default all of it."""


FrameSearchVideoId: TypeAlias = str


class FrameSearch(TypedDict):
    """A search among the frames of videos and the objects in them: by exactly one of `text`, `picture` and `frame`."""

    text: NotRequired[str | None]
    """Words that describe what is in view, in English."""
    picture: NotRequired[str | None]
    """An image whose like is searched: JPEG, PNG, WebP or AVIF in Base64, at most 8 MB."""
    frame: NotRequired[FrameSearchFrame | None]
    """A frame of a video whose like is searched."""
    of: NotRequired[Literal['frames', 'objects', 'all'] | None]
    """What is searched: whole frames, tracked objects, or both. Default: `all`."""
    folder_id: NotRequired[str | None]
    """Only videos of this folder."""
    video_ids: NotRequired[list[FrameSearchVideoId] | None]
    """Only these videos."""
    created_after: NotRequired[str | None]
    """Only videos whose upload started at this time or later, ISO 8601."""
    created_before: NotRequired[str | None]
    """Only videos whose upload started before this time, ISO 8601."""
    min_score: NotRequired[float | None]
    """Only matches with at least this score. Default: -1, all."""
    limit: NotRequired[int | None]
    """Maximum number of matches; default: 50."""


class FusedEventView(TypedDict):
    role: str
    """Role of the view."""
    video_id: str
    """Video of the view."""
    analysis_id: str
    """Analysis that found the event."""
    event_id: str
    """Event in that analysis."""
    label: str
    """Label of the event in that analysis."""
    confidence: float
    """Confidence, 0 to 1."""
    start_s: float
    """Start, in seconds of that video."""
    end_s: float
    """End, in seconds of that video."""


class FusedEvent(TypedDict):
    """An event that one or more views show."""

    event_id: str
    """Event of the view with the highest confidence."""
    category: str
    """Category of the event."""
    label: str
    """Label by the view with the highest confidence."""
    severity: str
    """`low`, `medium` or `high`."""
    confidence: float
    """Highest confidence among the views, 0 to 1."""
    start_s: float
    """Earliest start in any view, in seconds of the primary view."""
    end_s: float
    """Latest end in any view, in seconds of the primary view."""
    views: list[FusedEventView]
    """Views that show the event."""


class FusedResultsResult(TypedDict):
    video_id: str
    """Video of the primary view."""
    views: dict[str, str]
    """Videos by role."""
    events: list[FusedEvent]
    """Events, each once."""


class FusedResultsUnmatchedResult(TypedDict):
    video_id: str
    """A video that is not in a set of views."""
    analysis_id: str
    """Its analysis."""
    events: list[dict[str, Any]]
    """Its events, unchanged."""


class FusedResults(TypedDict):
    """Fused results of several views."""

    view_types: list[str]
    """Roles of the views."""
    fusion_method: str
    """`linked_views`: by linked sets and their offsets; `view_keys`: also by the order of videos in batches."""
    results: list[FusedResultsResult]
    """One result per set of views."""
    unmatched_results: list[FusedResultsUnmatchedResult]
    """Results that could not be fused."""


class Health(TypedDict):
    """The process is running."""

    status: Literal['ok']
    """Always `ok`: the process is running."""
    version: str
    """Version of the service."""
    uptime_s: int
    """Seconds since this process started."""


class ImportJobSummary(TypedDict):
    """Outcome so far. Recordings that are imported by directory count once they are videos."""

    completed: int
    """Number of objects that are imported completely."""
    failed: int
    """Number of objects that failed."""


class ImportJob(TypedDict):
    """An import job."""

    id: str
    """Id of the import job: `ij_` and 12 hexadecimal digits."""
    import_job_id: str
    """Id of the import job: `ij_` and 12 hexadecimal digits."""
    job_id: str
    """Id of the import job: `ij_` and 12 hexadecimal digits."""
    status: Literal['importing', 'completed', 'partial', 'failed', 'cancelled']
    """`importing`, then `completed` (all objects imported), `partial` (some failed), `failed` (all failed) or `cancelled`."""
    source: Literal['gcs', 's3', 'hf_bucket']
    """Provider of the bucket."""
    bucket: str
    """Name of the bucket."""
    prefix: str | None
    """Prefix of the selection; null if the request named objects."""
    integration_id: str | None
    """Integration that opens the bucket; null for a public bucket or after its deletion."""
    sync_id: str | None
    """Scheduled import that started this job."""
    folder_id: str | None
    """Folder of the videos."""
    folder_name: str | None
    """Name of the folder."""
    scope: Literal['user', 'org']
    """Visibility of the videos: `user` (only you) or `org` (your organization). Default: the scope of the folder, else `user`."""
    source_format: str | None
    """Format of recordings that are imported by directory; null for other imports."""
    summary: ImportJobSummary
    """Outcome so far. Recordings that are imported by directory count once they are videos."""
    terminal: bool
    """True once the import has ended; it then only changes if it is retried."""
    poll_after_seconds: int | None
    """Seconds to wait before you poll again; null once the import has ended."""
    listed: bool
    """True once the bucket is listed; `total` grows until then."""
    total: int
    """Number of rows: objects, or sets of views."""
    objects: int
    """Number of objects; each view of a set counts."""
    uploaded: int
    """Number of objects in the library, including skipped ones."""
    skipped: int
    """Number of those in `uploaded` that an earlier import had already imported."""
    failed: int
    """Number of objects that could not be imported."""
    error: str | None
    """Error code if the bucket could not be listed completely."""
    message: str | None
    """Explanation of `error`."""
    created_at: str
    """Start time, ISO 8601, UTC."""
    updated_at: str
    """Time of the last progress."""
    completed_at: str | None
    """End time."""


class ImportJobList(TypedDict):
    """A page of import jobs."""

    import_jobs: list[ImportJob]
    """Import jobs, newest first."""
    has_more: bool
    """True if there are more import jobs."""
    next_cursor: str | None
    """Pass it as `cursor` to get the next page."""


class ImportPreviewObject(TypedDict):
    """An object that would be imported."""

    key: str
    """Key of the object."""
    import_source_uri: str
    """URI of the object: `s3://bucket/key`."""
    size_bytes: int
    """Size of the object in bytes."""


class ImportPreview(TypedDict):
    """A page of objects that would be imported."""

    objects: list[ImportPreviewObject]
    """Objects that would be imported, in the order of the bucket."""
    passed_over: int
    """Number of objects on this page that do not match."""
    has_more: bool
    """True if the bucket has more objects."""
    next_cursor: str | None
    """Pass it as `cursor` to get the next page."""


class ImportSync(TypedDict):
    """A scheduled import."""

    id: str
    """Id of the scheduled import."""
    integration_id: str
    """Integration that opens the bucket."""
    prefix: str
    """Prefix of the imported objects."""
    include: list[str]
    """Patterns, at least one of which an object must match."""
    exclude: list[str]
    """Patterns of objects to skip."""
    folder_id: str | None
    """Folder of the videos."""
    scope: Literal['user', 'org']
    """Visibility of the videos: `user` (only you) or `org` (your organization). Default: the scope of the folder, else `user`."""
    sidecars: bool
    """If true, the files beside each video (same name, other extension) are imported with it: telemetry (`.json`, `.csv`, or `.srt` with measurements) and subtitles (`.srt` or `.vtt`). Default false."""
    every_minutes: int
    """Interval between runs in minutes."""
    next_run_at: str | None
    """Time of the next run, ISO 8601, UTC; null if it has stopped."""
    error: str | None
    """Error code if it has stopped: its creator was removed, or may no longer use the integration or the folder."""
    message: str | None
    """Explanation of `error`."""
    last_import_job_id: str | None
    """Import job of the last run that found new objects. Other runs leave no job."""
    created_at: str
    """Creation time."""


class ImportSyncList(TypedDict):
    """Scheduled imports that you can see."""

    syncs: list[ImportSync]
    """Scheduled imports, oldest first."""


class ImportView(TypedDict):
    """A view of a set."""

    video_id: str
    """Id of the video; for a recording, id of its ingest (`/api/mcap/{ingest_id}`)."""
    kind: str
    """`video` or `recording` (MCAP). A recording is `UPLOADED` once stored; it is then converted to videos."""
    status: str
    """`PROCESSING`, then `UPLOADED` or `UPLOADING_FAILED`. The status of a set covers all its views."""
    skipped: Literal['already imported'] | None
    """`already imported` if an earlier import has this object in the same version; `video_id` is then its video. Else null."""
    import_source_uri: str
    """URI of the object: `s3://bucket/key`."""
    error: str | None
    """Error code if the import of the object failed."""
    message: str | None
    """Explanation of `error`."""


IncidentDecisionRequestEventId: TypeAlias = str
"""Identifier of an event."""


class IncidentDecisionRequest(TypedDict):
    """A decision of a person about the incidents of events."""

    event_ids: list[IncidentDecisionRequestEventId]
    """Other events of the same video."""
    same: bool | None
    """True: the event shows the same incident as each of these, whatever they are about. False: it is not the same as any of them. Null: decisions about them are taken back."""


IndexRunVideoId: TypeAlias = str


class IndexRun(TypedDict):
    """Videos whose captions are awaited."""

    video_ids: list[IndexRunVideoId]
    """Identifiers of 1 to 200 videos."""
    run_id: NotRequired[str | None]
    """Identifier of the run."""
    mode: NotRequired[Literal['driving', 'construction', 'robotics'] | None]
    """Kind of footage: `driving` (default), or `construction` or `robotics`, which need a vision-language model. The modes have captions of their own."""


class InferredSchema(TypedDict):
    """The fields that a prompt requests."""

    output_schema: dict[str, Any] | None
    """The schema, to send with a query."""
    reason: str | None
    """Why there is no schema."""


class Integration(TypedDict):
    """A saved integration. Secrets are never returned."""

    id: str
    """Id of the integration."""
    name: str
    """Display name."""
    type: Literal['gcs', 's3', 'hf_bucket', 's3_storage_transfer']
    """Type of access: `gcs`, `s3` (with keys), `hf_bucket`, or `s3_storage_transfer` (S3 with a role)."""
    scope: Literal['user', 'org']
    """Who may use the integration: `org` (everyone in the organization, the default) or `user` (only you)."""
    bucket: str
    """Name of the bucket; for Hugging Face, `namespace/name`."""
    prefix: str | None
    """Default prefix of previews and imports."""
    region: str | None
    """Region of the bucket, such as `eu-central-1`."""
    endpoint_url: str | None
    """URL of a compatible server, such as MinIO or R2. Default: the server of the provider. Private addresses require that the operator allows them."""
    addressing: Literal['path', 'virtual'] | None
    """Position of the bucket name in URLs: `path` (`endpoint/bucket/key`) or `virtual` (`bucket.endpoint/key`). Default: `path` with an `endpoint_url`, else `virtual`."""
    role_arn: str | None
    """Role to assume."""
    created_at: str
    """Creation time, ISO 8601, UTC."""
    last_used: str | None
    """Time of the last use by an import; null if it was never used."""
    is_owner: bool
    """True if you created it."""
    created_by: str
    """User who created it."""
    created_by_display_name: str
    """Name of that user."""


IntegrationList: TypeAlias = list[Integration]
"""Integrations that you may use, oldest first; with an admin key, all of the organization."""


class IntegrationTest(TypedDict):
    """Result of a test."""

    ok: bool
    """True if the bucket can be listed and read."""
    message: str
    """Result of the test in words."""
    error: str | None
    """Error code; null if the test succeeded."""


class Invitation(TypedDict):
    """An open invitation, without its link."""

    invitation_id: str
    """Identifier of the invitation."""
    email: str
    """E-mail address of the invited person."""
    role: Literal['owner', 'admin', 'member']
    """`member`: reads and writes; `admin`: also manages keys and members; `owner`: also manages owners and admins."""
    invited_by: str | None
    """The user who created the invitation; null: the operator."""
    created_at: str
    """Creation time, ISO 8601, UTC."""
    expires_at: str
    """Expiry of the link, ISO 8601, UTC."""


class InvitationList(TypedDict):
    """A page of open invitations."""

    invitations: list[Invitation]
    """Open invitations, newest first."""
    has_more: bool
    """True if more invitations follow."""
    next_cursor: str | None
    """Value of `cursor` for the next page."""


KeysToImportKey: TypeAlias = str


class KeysToImportSet(TypedDict):
    """Views of one scene."""

    views: dict[str, str]
    """Object key or URI by view role. `front` is required; others are, for example, `left` and `rear`."""


KeysToImportIncludeItem: TypeAlias = str


KeysToImportExcludeItem: TypeAlias = str


class KeysToImport(TypedDict):
    """Objects to import: `keys`, `sets`, or a selection by `prefix`, `include` and `exclude`."""

    keys: NotRequired[list[KeysToImportKey] | None]
    """Object keys or URIs (`s3://bucket/key`). Duplicates count once."""
    integration_id: NotRequired[str | None]
    """Integration that opens the bucket. Default: the one saved for the bucket."""
    bucket: NotRequired[str | None]
    """Name of the bucket. Optional if `integration_id` is given."""
    sets: NotRequired[list[KeysToImportSet] | None]
    """Sets of views, instead of single objects. Each set is one row of the import."""
    force: NotRequired[bool | None]
    """If true, objects that were already imported in the same version are imported again. Default false."""
    prefix: NotRequired[str | None]
    """Import objects whose key starts with this prefix. Default: the prefix of the integration."""
    include: NotRequired[list[KeysToImportIncludeItem] | None]
    """Only import objects whose key matches one of these patterns: `*` matches within a folder, `**` across folders, `?` one character."""
    exclude: NotRequired[list[KeysToImportExcludeItem] | None]
    """Skip objects whose key matches one of these patterns."""
    folder_id: NotRequired[str | None]
    """Folder of the videos."""
    scope: NotRequired[Literal['user', 'org'] | None]
    """Visibility of the videos: `user` (only you) or `org` (your organization). Default: the scope of the folder, else `user`."""
    sidecars: NotRequired[bool | None]
    """If true, the files beside each video (same name, other extension) are imported with it: telemetry (`.json`, `.csv`, or `.srt` with measurements) and subtitles (`.srt` or `.vtt`). Default false."""


LabelImportRequestLabel: TypeAlias = str


class LabelImportRequest(TypedDict):
    """A file with events that are known to be in the videos of a batch."""

    batch_id: str
    """The batch whose prompt the labels answer. They are compared with its analyses."""
    content: str
    """The text of the file."""
    format: NotRequired[Literal['csv', 'coco', 'cvat', 'label_studio'] | None]
    """Format of the file: `csv` with `label`, `start_s`, `end_s` and `video_id` or `video_name`, `coco`, `cvat` (XML for images or for video) or `label_studio` (JSON). Default: recognized by its first character."""
    name: NotRequired[str | None]
    """Name of the file, which its events state as `origin`; default: its format."""
    video_id: NotRequired[str | None]
    """All labels are of this video of the batch, whatever they state."""
    labels: NotRequired[list[LabelImportRequestLabel] | None]
    """Only labels with exactly these texts: those that the prompt asks for."""
    complete: NotRequired[bool | None]
    """True: the file has all events of its videos, so undecided events of the engine that match no label are rejected. Default: false."""
    dry_run: NotRequired[bool | None]
    """True: only counts what would change."""


class LabelImportResultError(TypedDict):
    location: str | None
    """Line of the file, or path in its JSON."""
    message: str
    """What is wrong, in a sentence."""


class LabelImportResult(TypedDict):
    """What an import of labels changed."""

    status: str
    """`imported`; `checked`: a dry run, nothing was changed; `invalid`: the file has errors, so nothing was changed."""
    format: str
    """Format of the file."""
    origin: str
    """Name that the events state as their origin."""
    labels: int
    """Labels of the file, after frames of one object were joined."""
    videos: int
    """Videos that they are of."""
    added: int
    """Labels that no event matched; they are events now, as missed events that people add."""
    confirmed: int
    """Labels that matched an undecided event; it is approved now, with the times of the label."""
    unchanged: int
    """Labels whose events exist already, or were decided."""
    rejected: int
    """Events that match no label; only with `complete`."""
    skipped: int
    """Entries that are no labels: not approved, predictions, of other kinds, or not in `labels` of the request."""
    errors: list[LabelImportResultError]
    """What cannot be imported; the first 100."""
    error_count: int
    """Number of all errors."""


class LegalHold(TypedDict):
    """Legal hold of a video: until an administrator releases it, nothing deletes or erases it."""

    reason: str
    """Why it is on hold."""
    since: str
    """Since when, ISO 8601, UTC."""
    by: str
    """User who set it."""


class LibraryCountNoClockVideo(TypedDict):
    """A video without a clock."""

    video_id: str
    """Identifier of the video."""
    name: str
    """Name of the video."""


class LibraryCount(TypedDict):
    """How videos of the library were chosen for a query."""

    considered: int
    """Videos that match all filters but those of the time of recording."""
    chosen: int
    """Videos that are searched."""
    outside: int
    """Videos that were recorded at another time than the filters and the prompt say."""
    no_clock: int
    """Videos that are not searched because it is not known when they were recorded."""
    no_clock_videos: list[LibraryCountNoClockVideo]
    """The first ten of them."""
    left_out: int
    """Further videos of the requested time: a query covers at most 1,000. `recorded_before` continues."""
    left_out_from: str | None
    """Start of the earliest recording among these, ISO 8601, UTC."""
    left_out_until: str | None
    """Start of the latest recording among these."""


class LibrarySelection(TypedDict, closed=True):
    """Uploaded videos that you can see, by the filters of `GET /api/videos`; all of them must match. `{}`: the whole library."""

    folder_id: NotRequired[str | None]
    """Only videos of this folder."""
    folder: NotRequired[str | None]
    """Only videos of the folder with this name. A personal folder takes precedence over one of the organization."""
    scope: NotRequired[Literal['user', 'org'] | None]
    """Only personal videos, or only those of the organization. Default: both."""
    name: NotRequired[str | None]
    """Only videos whose name contains this text, ignoring case."""
    tag: NotRequired[str | None]
    """A tag. Surrounding spaces are removed."""
    source: NotRequired[str | None]
    """Only videos from this source, such as `file` or `video_url`."""
    camera_id: NotRequired[str | None]
    """Only recordings of this camera."""
    created_after: NotRequired[str | None]
    """Only videos whose upload started at this time or later, ISO 8601."""
    created_before: NotRequired[str | None]
    """Only videos whose upload started before this time, ISO 8601."""
    recorded_after: NotRequired[str | None]
    """Only videos of which a part was recorded at this time or later, ISO 8601. Those without a known time of recording match none of these filters."""
    recorded_before: NotRequired[str | None]
    """Only videos whose recording started before this time, ISO 8601."""
    time_of_day: NotRequired[str | None]
    """Only videos of which a part was recorded in this daily interval of local time, which may cross midnight: `22:00-06:00`."""
    weekday: NotRequired[str | None]
    """Only videos of which a part was recorded on these days of the week: `sat,sun`."""
    time_zone: NotRequired[str | None]
    """Time zone of `time_of_day` and `weekday`: an IANA name, or an offset such as `+01:00`. Default: that of each video, or UTC if it is unknown."""
    queried: NotRequired[bool]
    """True: only videos with an analysis that you may read. False: only videos without one."""
    held: NotRequired[bool]
    """True: only videos on legal hold. False: only videos that are not on hold."""
    min_duration_s: NotRequired[float]
    """Only videos of at least this duration in seconds."""
    max_duration_s: NotRequired[float]
    """Only videos that are shorter than this, in seconds."""


class LiveAnalysisSkippedItem(TypedDict):
    """A range without analysis."""

    from_s: float
    """Start in seconds from the first frame of the session."""
    until_s: float
    """End in seconds."""
    reason: str
    """Reason why the range was skipped, and whether it will still be analyzed."""


class LiveAnalysisCoverageItemInterval(TypedDict):
    from_s: float
    """Start in seconds from the first frame of the session."""
    until_s: float
    """End in seconds."""
    status: str
    """`looked_for`, `partly` or `not_looked_for`."""
    by: list[str]
    """Observers that were used."""
    reason: NotRequired[str | None]
    """Reason for gaps or limits of the analysis."""


class LiveAnalysisCoverageItem(TypedDict):
    text: str
    """The part of the query."""
    status: str
    """`looked_for`, `partly` or `not_looked_for`."""
    by: list[str]
    """Observers that were used."""
    reason: str | None
    """Reason for gaps or limits of the analysis; null: none."""
    findings: int
    """Number of events of the whole session."""
    from_s: float
    """Start of the analyzed part of the stream in seconds from its first frame."""
    until_s: float
    """End of that part."""
    analysed_s: float
    """Analyzed duration in seconds."""
    intervals: list[LiveAnalysisCoverageItemInterval]
    """Coverage of each interval, including skipped ranges."""


class LiveAnalysis(TypedDict):
    """Progress of the analysis."""

    state: Literal['waiting', 'running', 'ended']
    """`waiting`: nothing was analyzed yet; `ended`: no more events follow."""
    analysed_s: float
    """Position of the analysis in seconds from the first frame of the stream."""
    behind_s: float
    """Recorded duration that was not analyzed yet, in seconds."""
    sampling: Literal['full', 'reduced', 'sparse', 'pictures']
    """Sampling rate, adapted to the load of the machine. Signals of the whole image use every frame; objects are detected in five frames per second (`full`), two (`reduced`), one (`sparse`) or none (`pictures`)."""
    skipped_s: float
    """Duration that was skipped to keep up and is not analyzed yet, or could not be decoded."""
    skipped: list[LiveAnalysisSkippedItem]
    """Skipped ranges, in order of time. Ranges that were analyzed later are removed from the list."""
    coverage: list[LiveAnalysisCoverageItem]
    """Coverage of each part of the query over the whole session, as in analyses."""


class LiveChunk(TypedDict):
    """A chunk: a few seconds that start with a keyframe."""

    chunk_id: str
    """Identifier of the chunk."""
    chunk_index: int
    """Index of the chunk, from 0."""
    stream_time: float
    """Start in seconds from the first frame of the session, gaps included."""
    hls_cumulative_offset: float
    """Start in the recording in seconds, gaps excluded."""
    duration_s: float
    """Duration in seconds."""
    capture_time: str
    """Capture time of the first frame, as stated by the source, else its time of arrival."""
    size_bytes: int
    """Size in bytes."""
    discontinuity: bool
    """True if there is a gap or a change of format before the chunk."""


LiveGap = TypedDict(
    'LiveGap',
    {
        'chunk_index': int,
        'from': str,
        'until': str,
        'from_s': float,
        'until_s': float,
        'reason': str,
    },
)


class LiveQuery(TypedDict):
    """The query of a session, which applies from the next chunk."""

    session_id: str
    """Identifier of the session."""
    rapid_review_query: str
    """The complete query of the session."""
    searches: list[str]
    """The parts of the query that are searched for separately."""
    interpretation: str
    """How the query is understood, in one sentence."""


class LiveQueryChange(TypedDict):
    """A change of the query of a session."""

    rapid_review_query: str
    """The query."""
    mode: NotRequired[Literal['replace', 'add', ''] | None]
    """`replace` (default): replaces the current query; `add`: extends it."""


class LiveRetainedSpan(TypedDict):
    """A range of a session that is retained around events."""

    start_at: str
    """Capture time of its first frame."""
    from_s: float
    """Start in seconds from the first frame of the session."""
    until_s: float
    """End in the same seconds."""
    event_count: int
    """Events in it. 0: before and after an event, or the query could not be answered for it."""
    video_id: str | None
    """Video that contains it; null until that is complete."""
    video_from_s: float | None
    """Its start in that video in seconds."""


class LiveSession(TypedDict):
    """A live session with its chunks and events."""

    session_id: str
    """Identifier of the session."""
    stream_id: str
    """Stream of the session."""
    name: str
    """Name, for display."""
    source_url: str
    """URL of the source, without credentials."""
    status: Literal['INITIALIZING', 'ACTIVE', 'ENDING', 'FINISHED', 'FAILED']
    """`INITIALIZING` until the first chunk is recorded, then `ACTIVE`; `ENDING` while the recording is finalized; at the end `FINISHED`, or `FAILED` if nothing was recorded."""
    scope: str
    """`user`: visible to its owner and to admins; `org`: visible to everyone in the organization."""
    folder_id: str | None
    """Folder of the recording."""
    camera_id: str | None
    """Camera that was recorded; null for a session that was started by itself."""
    time_zone: str | None
    """Time zone of its camera, which its recordings have; null: unknown."""
    created_by: str
    """The user who started the session."""
    created_by_display_name: str
    """Name of that user."""
    created_at: str
    """Creation time, ISO 8601, UTC."""
    started_at: str | None
    """Capture time of the first frame."""
    ended_at: str | None
    """End of the session."""
    error: str | None
    """Error code, if the session failed or ended early."""
    message: str | None
    """The same error as a sentence."""
    rapid_review_query: str | None
    """Query of the analysis; null: none."""
    connected: bool
    """True while frames arrive."""
    chunk_count: int
    """Number of recorded chunks."""
    event_count: int
    """Number of events so far."""
    duration_s: float
    """Duration in seconds that was received and recorded at first, without gaps."""
    recording: Literal['continuous', 'events']
    """`continuous`: all is recorded; `events`: all is received and analyzed, and only ranges around events stay."""
    pre_roll_s: float
    """Seconds that are retained before an event, where `recording` is `events`."""
    post_roll_s: float
    """Seconds that are retained after an event, where `recording` is `events`."""
    retained_s: float
    """Of `duration_s`, the seconds that are retained around events; 0 for a continuous recording."""
    discarded_s: float
    """Of `duration_s`, the seconds that are not retained. The rest is not decided yet."""
    unanswered_s: float
    """Of `discarded_s`, the seconds that the query was not answered for, as the limit for undecided recording was reached before."""
    size_bytes: int
    """Size of the recording in bytes."""
    video_id: str
    """Identifier of the video of the recording, which is available after the end of the session."""
    current_time: str
    """Time of the response, by the clock of the service that capture times are read from."""
    video_ids: list[str]
    """Videos of the recording: one, or several if codec or frame size changed during the session."""
    chunks: list[LiveChunk]
    """The last 100 chunks, in order."""
    gaps: list[LiveGap]
    """Gaps in the recording."""
    retained_spans: list[LiveRetainedSpan]
    """Ranges that are retained around events, in order: the newest 1000. None for a continuous recording."""
    events: list[dict[str, Any]]
    """Events in the order in which they were found; events are only ever added. Each has `event_id`, `chunk_index`, `stream_time`, `capture_time`, `t_start`, `t_end`, `type`, `label`, `description`, `severity`, `confidence`, `ongoing` (true until the end of the event is found; `t_end` is then the latest known time), `cut_start` and `cut_end` (the analysis skipped the range before or after the event, which may be longer), `chunk_relative_time`, and `evidence` with signed URLs of its images."""
    interpretation: str | None
    """How the query is understood, in one sentence; null without a query."""
    analysis: LiveAnalysis | None
    """Progress of the analysis."""


class LiveSessionSummary(TypedDict):
    """A live session."""

    session_id: str
    """Identifier of the session."""
    stream_id: str
    """Stream of the session."""
    name: str
    """Name, for display."""
    source_url: str
    """URL of the source, without credentials."""
    status: Literal['INITIALIZING', 'ACTIVE', 'ENDING', 'FINISHED', 'FAILED']
    """`INITIALIZING` until the first chunk is recorded, then `ACTIVE`; `ENDING` while the recording is finalized; at the end `FINISHED`, or `FAILED` if nothing was recorded."""
    scope: str
    """`user`: visible to its owner and to admins; `org`: visible to everyone in the organization."""
    folder_id: str | None
    """Folder of the recording."""
    camera_id: str | None
    """Camera that was recorded; null for a session that was started by itself."""
    time_zone: str | None
    """Time zone of its camera, which its recordings have; null: unknown."""
    created_by: str
    """The user who started the session."""
    created_by_display_name: str
    """Name of that user."""
    created_at: str
    """Creation time, ISO 8601, UTC."""
    started_at: str | None
    """Capture time of the first frame."""
    ended_at: str | None
    """End of the session."""
    error: str | None
    """Error code, if the session failed or ended early."""
    message: str | None
    """The same error as a sentence."""
    rapid_review_query: str | None
    """Query of the analysis; null: none."""
    connected: bool
    """True while frames arrive."""
    chunk_count: int
    """Number of recorded chunks."""
    event_count: int
    """Number of events so far."""
    duration_s: float
    """Duration in seconds that was received and recorded at first, without gaps."""
    recording: Literal['continuous', 'events']
    """`continuous`: all is recorded; `events`: all is received and analyzed, and only ranges around events stay."""
    pre_roll_s: float
    """Seconds that are retained before an event, where `recording` is `events`."""
    post_roll_s: float
    """Seconds that are retained after an event, where `recording` is `events`."""
    retained_s: float
    """Of `duration_s`, the seconds that are retained around events; 0 for a continuous recording."""
    discarded_s: float
    """Of `duration_s`, the seconds that are not retained. The rest is not decided yet."""
    unanswered_s: float
    """Of `discarded_s`, the seconds that the query was not answered for, as the limit for undecided recording was reached before."""
    size_bytes: int
    """Size of the recording in bytes."""
    video_id: str
    """Identifier of the video of the recording, which is available after the end of the session."""


class LiveSessionToEnd(TypedDict):
    """The session to end."""

    stream_id: str
    """Identifier of the stream."""
    session_id: str
    """Identifier of the session."""


class MailAnswer(TypedDict):
    """What a recipient of mail answers."""

    answer: NotRequired[Literal['confirm', 'decline'] | None]
    """`confirm`: mails may be sent; `decline` (default): none are sent."""


class McapFilesToImportFile(TypedDict):
    key: str
    """Key of the object in the bucket."""
    filename: NotRequired[str | None]
    """Name of the recording. Default: the last segment of the key."""


class McapFilesToImport(TypedDict):
    """Recordings in a bucket."""

    integration_id: str
    """Integration that opens the bucket, of any type."""
    files: list[McapFilesToImportFile]
    """Recordings, 1 to 100; each becomes an ingest."""
    force: NotRequired[bool | None]
    """If true, files that were already imported in the same version are imported again. Default false."""
    folder_id: NotRequired[str | None]
    """Folder of the videos."""
    scope: NotRequired[Literal['user', 'org'] | None]
    """Visibility of the videos: `user` (only you) or `org` (your organization). Default: the scope of the folder, else `user`."""
    chunk_size: NotRequired[int | None]
    """Seconds, 10 to 86400. Splits long recordings: each channel becomes one video per range of this length. Encoded video is split at keyframes. Default: one video per channel."""


class McapImportJobIngest(TypedDict):
    mcap_ingest_id: str
    """Id of the ingest (`/api/mcap/{ingest_id}`)."""
    filename: str
    """Name of the recording."""
    key: str
    """Key of the object in the bucket."""
    status: str
    """`created` (waits for its file), `transferring`, `uploaded` (waits to be processed), `processing`; then `completed`, `partial` (some data could not be read, see `error` and `recording.lost`) or `failed`."""
    skipped: Literal['already imported'] | None
    """`already imported` if this is the ingest of an earlier import of the object. Else null."""
    error: str | None
    """Reason why the file failed."""
    video_ids: list[str]
    """Ids of its completed videos."""


class McapImportJob(TypedDict):
    """An import of recordings."""

    mcap_import_job_id: str
    """Identifier of the import job."""
    status: str
    """`transferring` until all files are stored, `processing` until their videos exist; then `completed`, `partial` or `failed`."""
    error: str | None
    """File that failed, with the reason."""
    total: int
    """Number of files."""
    skipped: int
    """Number of files that an earlier import had already imported."""
    ingests: list[McapImportJobIngest]
    """Files of the import."""
    video_ids: list[str]
    """Ids of all completed videos."""
    created_at: str
    """Time of the request, ISO 8601, UTC."""


class McapIngestRecordingChannel(TypedDict):
    name: str
    """Topic, or `topic#id` if several channels have the same topic."""
    topic: str
    """Topic."""
    schema: str
    """Type of its messages."""
    messages: int | None
    """Number of messages; null if unknown."""
    pictures: bool
    """True if its messages are images or video."""


class McapIngestRecordingLostItem(TypedDict):
    channel: str | None
    """Channel of the lost messages; null: all channels."""
    from_s: float | None
    """Start, in seconds after the first message; null: the start of the recording."""
    until_s: float | None
    """End, in seconds after the first message; null: the end of the recording."""
    reason: str
    """Reason."""


class McapIngestRecording(TypedDict):
    """Content of the recording; null until it was read."""

    start_time: str | None
    """Log time of the first message, ISO 8601, UTC, by the recorder's clock."""
    duration_s: float | None
    """Time from the first message to the last, in seconds."""
    indexed: bool
    """True if the file has a usable index."""
    channels: list[McapIngestRecordingChannel]
    """All channels."""
    telemetry: dict[str, str]
    """Channel of each measurement (`speedMps`, …). Prompts on the videos can use measurements."""
    notes: list[str]
    """Limits of the telemetry."""
    lost: list[McapIngestRecordingLostItem]
    """Ranges of the recording that could not be read."""


class McapIngest(TypedDict):
    """An ingest with the views of its recording."""

    mcap_ingest_id: str
    """Identifier of the ingest."""
    status: str
    """`created` (waits for its file), `transferring`, `uploaded` (waits to be processed), `processing`; then `completed`, `partial` (some data could not be read, see `error` and `recording.lost`) or `failed`."""
    error: str | None
    """Reason for `failed` or `partial`."""
    error_code: str | None
    """Error code of `error`."""
    filename: str
    """Name of the file."""
    source_uri: str
    """URI of the recording."""
    size_bytes: int | None
    """Size of the file in bytes."""
    folder_id: str | None
    """Folder of its videos."""
    scope: str
    """`user` or `org`."""
    created_at: str
    """Creation time of the ingest, ISO 8601, UTC."""
    completed_at: str | None
    """End time, ISO 8601, UTC."""
    sha256: str | None
    """SHA-256 of the file."""
    chunk_size: int | None
    """Length of the ranges in seconds; null if the recording is not split."""
    derived_videos: list[DerivedVideo]
    """Result of each image channel, or of each range of it."""
    views: dict[str, str]
    """Video ids by role. For a recording that was split: those of its first range."""
    primary_view_id: str | None
    """Video of the primary view."""
    videos: list[DerivedVideo]
    """The completed `derived_videos`."""
    video_ids: list[str]
    """Ids of `videos`."""
    videos_by_channel: dict[str, str]
    """Video ids by channel; the first if a channel has several."""
    videos_by_role: dict[str, str]
    """Video ids by role. For a recording that was split: those of its first range."""
    primary_video_id: str | None
    """Same as `primary_view_id`."""
    video_id: str | None
    """Same as `primary_view_id`."""
    recording: McapIngestRecording | None
    """Content of the recording; null until it was read."""


class McapIngestListIngest(TypedDict):
    """An ingest without its videos."""

    mcap_ingest_id: str
    """Identifier of the ingest."""
    status: str
    """`created` (waits for its file), `transferring`, `uploaded` (waits to be processed), `processing`; then `completed`, `partial` (some data could not be read, see `error` and `recording.lost`) or `failed`."""
    error: str | None
    """Reason for `failed` or `partial`."""
    error_code: str | None
    """Error code of `error`."""
    filename: str
    """Name of the file."""
    source_uri: str
    """URI of the recording."""
    size_bytes: int | None
    """Size of the file in bytes."""
    folder_id: str | None
    """Folder of its videos."""
    scope: str
    """`user` or `org`."""
    created_at: str
    """Creation time of the ingest, ISO 8601, UTC."""
    completed_at: str | None
    """End time, ISO 8601, UTC."""


class McapIngestList(TypedDict):
    """A page of ingests."""

    ingests: list[McapIngestListIngest]
    """Ingests, newest first."""
    has_more: bool
    """True if there are older ones."""
    next_cursor: str | None
    """Value of `cursor` for the next page."""


class McpMessage(TypedDict):
    """A JSON-RPC message of the Model Context Protocol."""

    jsonrpc: Literal['2.0']
    """Version of JSON-RPC."""
    id: NotRequired[str | int]
    """Identifier of the request; absent in notifications."""
    method: str
    """Method, such as `tools/list`."""
    params: NotRequired[dict[str, Any]]
    """Parameters of the method, with `_meta`."""


class McpResponse(TypedDict):
    """The JSON-RPC response to a message."""

    jsonrpc: Literal['2.0']
    """Version of JSON-RPC."""
    id: str | int
    """Identifier of the request."""
    result: NotRequired[dict[str, Any]]
    """Result of the method."""
    error: NotRequired[dict[str, Any]]
    """Code and message of a failure of the protocol."""


class Member(TypedDict):
    """A member of the organization."""

    user_id: str
    """Identifier of the user."""
    email: str
    """E-mail address of the user."""
    name: str
    """Name of the user."""
    role: Literal['owner', 'admin', 'member']
    """`member`: reads and writes; `admin`: also manages keys and members; `owner`: also manages owners and admins."""
    joined_at: str
    """Time when the user joined, ISO 8601, UTC."""
    has_password: bool
    """True if the user can sign in with a password."""
    has_sso: bool
    """True if the user can sign in by single sign-on."""
    has_second_factor: bool
    """True if signing in with the password also needs a code of an authenticator app."""


class MemberList(TypedDict):
    """A page of members."""

    members: list[Member]
    """Members, in the order in which they joined."""
    has_more: bool
    """True if more members follow."""
    next_cursor: str | None
    """Value of `cursor` for the next page."""


class ModelLicense(TypedDict):
    """License of the weights."""

    name: str
    """Name of the license."""
    url: str
    """Text of the license."""


class ModelProblem(TypedDict):
    """Reason of a failed download."""

    code: str
    """Stable code of the error."""
    message: str
    """What happened, and what to do."""


class ModelFile(TypedDict):
    name: str
    """Name in the models folder."""
    size_bytes: int
    """Size of the published file in bytes."""
    sha256: str
    """SHA-256 of the published file, hexadecimal; empty if none is published in this form: the file is then your own, and never verified."""
    installed_sha256: str | None
    """SHA-256 of the installed file; null if none is installed."""
    urls: list[str]
    """Where the file is downloaded from, in order; empty if it is not published in this form."""


class Model(TypedDict):
    """A model that the engine can use."""

    name: str
    """Name of the model."""
    title: str
    """Name by which its publisher calls it."""
    task: Literal['objects', 'sounds', 'speech', 'text', 'embeddings', 'poses']
    """`objects`: detects objects; `sounds`: recognizes sounds; `speech`: recognizes words; `text`: reads text."""
    adds: str
    """What it adds to answers."""
    questions: list[str]
    """Questions that need it, as examples."""
    contract: str
    """Inputs and outputs that the engine expects, also of another file."""
    cost: str
    """Measured computation, in frames of the default detector."""
    trained_on: str
    """What it was trained on, and the terms of that."""
    quality: str
    """What was measured of its answers, or what its publisher states."""
    source: str | None
    """Page from which its publisher offers the model, if only in a form that has to be converted first; null if files are downloaded or come with the service."""
    is_default: bool
    """True for the model of its task that is downloaded on the first start."""
    is_fallback: bool
    """True for a weaker model that comes with the service and is used while no other of its task is there."""
    license: ModelLicense
    """License of the weights."""
    size_bytes: int
    """Size of all files in bytes."""
    status: Literal['missing', 'downloading', 'failed', 'canceled', 'ready']
    """`ready`: all files are there; `downloading`; `failed` (see `problem`) or `canceled`: the latest download; `missing`."""
    verified: bool | None
    """False if a file is not the published one but was provided; null if files are missing."""
    bytes_done: int
    """Bytes that the running download has received."""
    problem: ModelProblem | None
    """Reason of a failed download."""
    files: list[ModelFile]
    """Files of the model."""


class ModelList(TypedDict):
    """Models that the engine can use."""

    downloads_allowed: bool
    """False if the operator has turned downloads off (`SIGHTLINE_MODELS_DOWNLOAD`)."""
    models: list[Model]
    """All models, the default ones first."""


class ModelToDownload(TypedDict):
    """The model to download."""

    name: str
    """Name of the model."""


class NewApiKey(TypedDict):
    """A key to create."""

    name: str
    """Name of the key."""
    scopes: NotRequired[list[Literal['read', 'write', 'admin']] | None]
    """Scopes; default: `read` and `write`."""
    expires_in_days: NotRequired[int | None]
    """Days until the key expires; default: 90. The operator sets the maximum (`SIGHTLINE_MAX_KEY_DAYS`)."""
    folder_id: NotRequired[str | None]
    """Limits the key to this folder: it can access only the videos in it and their analyses, uploads and playback. Not for keys with the scope `admin`."""


NewCameraSavedQuestionId: TypeAlias = str
"""Identifier of a saved question."""


class NewCamera(TypedDict):
    """A camera to add. It is on unless `enabled` is false, and recorded continuously unless `recording` is `events`: then 5 seconds before and 10 seconds after each event are retained by default."""

    name: str
    """Name of the camera."""
    source: NotRequired[Literal['pull', 'push'] | None]
    """`pull` (default): the service connects to `source_url`. `push`: the camera, or its encoder, publishes to the service by RTMP, with a key of its own (`POST /api/cameras/{camera_id}/key`); it has no `source_url`."""
    source_url: NotRequired[str | None]
    """URL of the stream: HLS, MJPEG or a growing file by `http` or `https`, or `rtsp`, `rtsps`, `rtmp`, `rtmps`, `srt`. It may contain a user name and a password, which are stored encrypted and never returned."""
    folder_id: NotRequired[str | None]
    """Folder of the camera and of its recordings."""
    scope: NotRequired[Literal['user', 'org'] | None]
    """`user` (default): you can access the camera and its recordings; `org`: everyone in the organization can. In a folder, the scope is that of the folder."""
    enabled: NotRequired[bool | None]
    """True: recorded as long as its source can be reached; false: off."""
    time_zone: NotRequired[str | None]
    """Time zone of the place: an IANA name, or an offset such as `+01:00`. Recordings have it, and the schedule is in it. Null: unknown, and UTC for the schedule."""
    schedule: NotRequired[list[CameraScheduleEntry] | None]
    """Weekly times in the time zone of the camera at which it is recorded while it is on. Where intervals overlap, the questions are answered. Null: always recorded and analyzed."""
    muted_until: NotRequired[str | None]
    """Until then, events of the camera raise no alerts. Null: not muted."""
    retention: NotRequired[CameraRetention | None]
    """Which recordings of a camera are deleted: those that ended `days` ago, and the oldest while all together have more than `bytes`. They can be restored for a while, and a restored recording stays."""
    recording: NotRequired[Literal['continuous', 'events'] | None]
    """`continuous`: all is recorded; `events`: all is received and analyzed, and only ranges around events stay."""
    pre_roll_s: NotRequired[float | None]
    """Seconds that are retained before an event, where `recording` is `events`."""
    post_roll_s: NotRequired[float | None]
    """Seconds that are retained after an event, where `recording` is `events`."""
    saved_question_ids: NotRequired[list[NewCameraSavedQuestionId] | None]
    """Saved questions that are answered while the camera is recorded. They raise alerts by their rules, and do not run again on its recordings."""


class NewDirectUpload(TypedDict):
    """File to upload."""

    size_bytes: int
    """Size of the whole file in bytes."""
    filename: NotRequired[str | None]
    """Name of the file; becomes the name of the video."""
    custom_name: NotRequired[str | None]
    """Name of the video, instead of its file name."""
    sha256: NotRequired[str | None]
    """SHA-256 of the file as 64 hexadecimal digits. A file with another digest is refused."""
    scope: NotRequired[Literal['user', 'org'] | None]
    """Visibility: `user`, to you only; `org`, to the organization. Default: the scope of the folder, else `user`."""
    folder_id: NotRequired[str | None]
    """Folder for the video."""


class NewEvent(TypedDict):
    """An event that the analysis missed. Without a severity it is `medium`."""

    label: str
    """Short description of the event."""
    start_s: float
    """Start in seconds from the first frame."""
    end_s: float
    """End in seconds from the first frame."""
    severity: NotRequired[Literal['low', 'medium', 'high']]
    """Severity of the event."""
    note: NotRequired[str | None]
    """Note of the reviewers; null removes it."""


class NewFolder(TypedDict):
    """A folder to create. Without a scope it is personal."""

    name: str
    """The name, unique per scope. Surrounding spaces are removed."""
    scope: NotRequired[Literal['user', 'org'] | None]
    """`user`: a personal folder, visible to its owner only; `org`: visible to everyone in the organization."""
    description: NotRequired[str | None]
    """Purpose of the folder."""
    retention_days: NotRequired[int | None]
    """Number of days after the start of the upload when a video of this folder is deleted; null: never."""
    vision_profile: NotRequired[str | None]
    """Profile of the vision-language model for queries on videos of this folder; null: that of the service."""


class NewHuggingFaceIntegration(TypedDict):
    """A bucket of the Hugging Face hub."""

    name: str
    """Display name."""
    type: NotRequired[Literal['hf_bucket'] | None]
    """Optional; always `hf_bucket`."""
    scope: NotRequired[Literal['user', 'org'] | None]
    """Who may use the integration: `org` (everyone in the organization, the default) or `user` (only you)."""
    token: str
    """Hugging Face token (`hf_…`) with read access."""
    bucket: str
    """Name of the bucket; for Hugging Face, `namespace/name`."""
    prefix: NotRequired[str | None]
    """Default prefix of previews and imports."""
    endpoint_url: NotRequired[str | None]
    """URL of a compatible server, such as MinIO or R2. Default: the server of the provider. Private addresses require that the operator allows them."""


NewImportSyncIncludeItem: TypeAlias = str


NewImportSyncExcludeItem: TypeAlias = str


class NewImportSync(TypedDict):
    """A selection to import on a schedule."""

    integration_id: str
    """Integration that opens the bucket."""
    prefix: NotRequired[str | None]
    """Import objects whose key starts with this prefix. Default: the prefix of the integration."""
    include: NotRequired[list[NewImportSyncIncludeItem] | None]
    """Only import objects whose key matches one of these patterns: `*` matches within a folder, `**` across folders, `?` one character."""
    exclude: NotRequired[list[NewImportSyncExcludeItem] | None]
    """Skip objects whose key matches one of these patterns."""
    folder_id: NotRequired[str | None]
    """Folder of the videos."""
    scope: NotRequired[Literal['user', 'org'] | None]
    """Visibility of the videos: `user` (only you) or `org` (your organization). Default: the scope of the folder, else `user`."""
    sidecars: NotRequired[bool | None]
    """If true, the files beside each video (same name, other extension) are imported with it: telemetry (`.json`, `.csv`, or `.srt` with measurements) and subtitles (`.srt` or `.vtt`). Default false."""
    every_minutes: NotRequired[int | None]
    """Interval between runs in minutes. Default 60."""


class NewInvitation(TypedDict):
    """An invitation to create."""

    email: str
    """E-mail address."""
    role: Literal['owner', 'admin', 'member']
    """`member`: reads and writes; `admin`: also manages keys and members; `owner`: also manages owners and admins."""
    expires_in_days: NotRequired[int | None]
    """Days until the link expires; default: 7."""


class NewLiveSession(TypedDict):
    """A live session to start. Default: `recording` is `continuous`; with `events`, 5 seconds before and 10 seconds after each event are retained."""

    source_url: str
    """URL of the stream: HLS, MJPEG or a growing file by `http` or `https`, or `rtsp`, `rtsps`, `rtmp`, `rtmps`, `srt`. It may contain a user name and a password, which are stored encrypted and never returned."""
    name: str
    """Name, for display."""
    stream_id: NotRequired[str | Literal[''] | None]
    """Stream of the session, which groups sessions of the same source. Default: a new stream."""
    rapid_review_query: NotRequired[str | None]
    """Query for the analysis during the session."""
    folder_id: NotRequired[str | None]
    """Folder of the recording."""
    scope: NotRequired[Literal['user', 'org', ''] | None]
    """`user` (default): you can access the session and its recording; `org`: everyone in the organization can. In a folder, the scope is that of the folder."""
    retention_days: NotRequired[int | str | None]
    """Number of days after its end when a recording of the stream is deleted: those of its owner and those shared with the organization. Default: never. Only the owner of the stream, who used it first, or an admin can change it."""
    recording: NotRequired[Literal['continuous', 'events'] | None]
    """`continuous`: all is recorded; `events`: all is received and analyzed, and only ranges around events stay."""
    pre_roll_s: NotRequired[float | str | None]
    """Seconds that are retained before an event, where `recording` is `events`."""
    post_roll_s: NotRequired[float | str | None]
    """Seconds that are retained after an event, where `recording` is `events`."""


class NewLiveStream(TypedDict):
    """A stream to create or change."""

    stream_id: str
    stream_name: str
    """Name, for display."""
    source_url: str
    """URL of the stream: HLS, MJPEG or a growing file by `http` or `https`, or `rtsp`, `rtsps`, `rtmp`, `rtmps`, `srt`. It may contain a user name and a password, which are stored encrypted and never returned."""
    retention_days: NotRequired[int | str | None]
    """Number of days after its end when a recording of the stream is deleted: those of its owner and those shared with the organization. Default: never. Only the owner of the stream, who used it first, or an admin can change it."""


class NewMcapIngest(TypedDict):
    """A recording to upload."""

    filename: str
    """Name of the file."""
    size_bytes: int
    """Exact size of the file in bytes."""
    sha256: NotRequired[str | None]
    """SHA-256 of the file, hexadecimal. A file that does not match is rejected."""
    folder_id: NotRequired[str | None]
    """Folder of the videos."""
    scope: NotRequired[Literal['user', 'org'] | None]
    """Visibility of the videos: `user` (only you) or `org` (your organization). Default: the scope of the folder, else `user`."""
    chunk_size: NotRequired[int | None]
    """Seconds, 10 to 86400. Splits long recordings: each channel becomes one video per range of this length. Encoded video is split at keyframes. Default: one video per channel."""
    content_type: NotRequired[str | None]
    """Accepted for existing clients; ignored."""


class NewRoleIntegration(TypedDict):
    """A bucket of S3 that is read by assuming a role; no keys are stored."""

    name: str
    """Display name."""
    type: NotRequired[Literal['s3_storage_transfer'] | None]
    """Optional; always `s3_storage_transfer`."""
    scope: NotRequired[Literal['user', 'org'] | None]
    """Who may use the integration: `org` (everyone in the organization, the default) or `user` (only you)."""
    bucket: str
    """Name of the bucket; for Hugging Face, `namespace/name`."""
    role_arn: str
    """Role to assume. Its trust policy must be the one that the setup returns."""
    prefix: NotRequired[str | None]
    """Default prefix of previews and imports."""
    region: NotRequired[str | None]
    """Region of the bucket, such as `eu-central-1`."""
    endpoint_url: NotRequired[str | None]
    """URL of a compatible server, such as MinIO or R2. Default: the server of the provider. Private addresses require that the operator allows them."""
    addressing: NotRequired[Literal['path', 'virtual'] | None]
    """Position of the bucket name in URLs: `path` (`endpoint/bucket/key`) or `virtual` (`bucket.endpoint/key`). Default: `path` with an `endpoint_url`, else `virtual`."""


class NewS3Integration(TypedDict):
    """A bucket of S3 or a compatible server. `region` is required without an `endpoint_url`."""

    name: str
    """Display name."""
    type: NotRequired[Literal['s3'] | None]
    """Optional; always `s3`."""
    scope: NotRequired[Literal['user', 'org'] | None]
    """Who may use the integration: `org` (everyone in the organization, the default) or `user` (only you)."""
    access_key_id: str
    """Access key id."""
    secret_access_key: str
    """Secret access key."""
    session_token: NotRequired[str | None]
    """Session token of temporary keys."""
    region: NotRequired[str | None]
    """Region of the bucket, such as `eu-central-1`."""
    endpoint_url: NotRequired[str | None]
    """URL of a compatible server, such as MinIO or R2. Default: the server of the provider. Private addresses require that the operator allows them."""
    addressing: NotRequired[Literal['path', 'virtual'] | None]
    """Position of the bucket name in URLs: `path` (`endpoint/bucket/key`) or `virtual` (`bucket.endpoint/key`). Default: `path` with an `endpoint_url`, else `virtual`."""
    bucket: str
    """Name of the bucket; for Hugging Face, `namespace/name`."""
    prefix: NotRequired[str | None]
    """Default prefix of previews and imports."""


class NewSearch(TypedDict):
    """A search among the events of a folder."""

    query: str
    """Words to search for; at most 1,000 characters."""
    folder_name: str
    """Name of the folder whose videos are searched."""
    scope: NotRequired[Literal['my', 'user', 'org', 'sample'] | None]
    """Scope of the folder: `my` (or `user`), `org`, or `sample` for the folder of samples, whatever its name. Default: your personal folder with this name if there is one, else that of the organization."""


class NewSecondFactor(TypedDict):
    """The password of the user."""

    password: str
    """The password."""


class NewViewSet(TypedDict):
    """Videos of one event from several cameras."""

    primary_view_id: str
    """Video of the primary view."""
    views: dict[str, str]
    """Videos by role, such as `front`, `rear`, `left`, `right`, `top`, `bottom`; each role and video once."""
    labels: NotRequired[dict[str, str | None] | None]
    """Display labels by role. An omitted role retains the label of its video; an empty label or null removes it."""
    offsets: NotRequired[dict[str, float] | None]
    """Time of the first frame by role, in seconds after the first frame of the primary. Default: the difference of the creation times in the files, or 0 if they have none."""


ObservationRequestObserver: TypeAlias = str


class ObservationRequest(TypedDict):
    """Videos to observe before anyone asks."""

    observers: list[ObservationRequestObserver]
    """Kinds of observers, of `observers` in `GET /api/system` that process whole videos, such as `sounds`, `speech`, `text`, `objects` or `embeddings`. With `embeddings`, `object_embeddings` are made of the videos whose objects are observed; requested by that name, of all."""
    video_ids: NotRequired[list[str] | None]
    """The videos. Send either these or `folder_id`."""
    folder_id: NotRequired[str | None]
    """All ready videos of this folder instead, at most 1,000."""
    detector: NotRequired[str | None]
    """Model that detects objects, of `detectors` in `GET /api/system`. Default: that of the service."""


class ObservationRunVideoProblem(TypedDict):
    """Reason of a failure."""

    code: str
    """Stable code of the error."""
    message: str
    """What happened, and what to do."""


class ObservationRunVideo(TypedDict):
    video_id: str
    """Identifier of the video."""
    status: Literal['waiting', 'running', 'completed', 'failed', 'canceled']
    """State of its observation."""
    progress: float
    """Progress, 0 to 1."""
    problem: ObservationRunVideoProblem | None
    """Reason of a failure."""


class ObservationRun(TypedDict):
    """An observation run with its videos."""

    observation_id: str
    """Identifier of the run."""
    observers: list[str]
    """Kinds of observers."""
    detector: str | None
    """Requested detector; null: that of the service."""
    status: Literal['processing', 'completed', 'failed', 'canceled']
    """`failed`: no video could be observed; `canceled`: some were canceled; `completed`: the others."""
    progress: float
    """Mean progress of the videos, 0 to 1; ended ones count as 1."""
    total: int
    """Number of videos."""
    completed: int
    """Videos that are observed, also those that were before."""
    failed: int
    """Videos that could not be observed."""
    created_at: str
    """Creation time, ISO 8601, UTC."""
    videos: list[ObservationRunVideo]
    """The videos in the requested order."""


class ObservationRunSummary(TypedDict):
    """Observation of chosen videos by chosen observers."""

    observation_id: str
    """Identifier of the run."""
    observers: list[str]
    """Kinds of observers."""
    detector: str | None
    """Requested detector; null: that of the service."""
    status: Literal['processing', 'completed', 'failed', 'canceled']
    """`failed`: no video could be observed; `canceled`: some were canceled; `completed`: the others."""
    progress: float
    """Mean progress of the videos, 0 to 1; ended ones count as 1."""
    total: int
    """Number of videos."""
    completed: int
    """Videos that are observed, also those that were before."""
    failed: int
    """Videos that could not be observed."""
    created_at: str
    """Creation time, ISO 8601, UTC."""


class Organization(TypedDict):
    """Your organization."""

    org_id: str
    """Identifier of the organization."""
    name: str
    """Name of the organization."""
    second_factor_required: bool
    """True if members who sign in with a password need a second factor: without one they can only set it up. Single sign-on and keys are not affected."""
    created_at: str
    """Creation time, ISO 8601, UTC."""


class OrganizationChanges(TypedDict):
    """Changes to the organization. Absent fields are unchanged."""

    name: NotRequired[str]
    """The new name."""
    second_factor_required: NotRequired[bool]
    """True if members who sign in with a password need a second factor: without one they can only set it up. Single sign-on and keys are not affected."""


class OutputSchemaField(TypedDict):
    name: str
    """Unique: `^[a-z][a-z0-9_]*$`; upper case is lowered."""
    type: NotRequired[Literal['enum', 'text', 'number', 'boolean', 'time_range']]
    """Type of the value; default `text`."""
    description: NotRequired[str | None]
    values: NotRequired[list[str] | None]
    repeated: NotRequired[bool]
    """True: the value is a list. Default: true for `time_range`, else false."""
    required: NotRequired[bool]
    """Default: true."""


class OutputSchema(TypedDict):
    """Fields to fill for each event or video."""

    label: NotRequired[str | None]
    scope: NotRequired[Literal['event', 'video']]
    """One payload per event (default) or per video."""
    version: NotRequired[int]
    """Default: 1."""
    fields: list[OutputSchemaField]
    """The fields."""


class OwnershipTransfer(TypedDict):
    """A transfer of ownership to another member."""

    user_id: str
    """The member who becomes owner."""


class PartUrl(TypedDict):
    """Signed URL of a part."""

    part_number: int
    """Number of the part; the first is 1."""
    size_bytes: int
    """Size of the part in bytes."""
    url: str
    """URL to send the bytes of the part to, as the whole body."""
    method: Literal['PUT']
    """Always `PUT`."""
    expires_at: str
    """Expiry of the URL, ISO 8601, UTC."""


class PartUrls(TypedDict):
    """Signed URLs of parts."""

    part_urls: list[PartUrl]
    """URLs in the order of the request."""


PartsToSignPartNumber: TypeAlias = int


class PartsToSign(TypedDict):
    """Parts to sign URLs for."""

    part_numbers: list[PartsToSignPartNumber]
    """Numbers of the parts."""


class PasswordAndCode(TypedDict):
    """The password of the user, and a code of their second factor."""

    password: str
    """The password."""
    code: str
    """A code of the authenticator app, or a recovery code."""


class PasswordChange(TypedDict):
    """A change of the password."""

    current_password: str
    """The current password."""
    new_password: str
    """The new password: 12 to 256 characters."""


class PasswordResetRequest(TypedDict):
    """The address of the account."""

    email: str
    """E-mail address."""


PlanCalculationValueSearch: TypeAlias = int


class PlanCalculationValueChannel(TypedDict, closed=True):
    """For the quantity `channel`: which one is meant."""

    name: str
    """What the prompt calls it. It is looked up among the channels of each recording."""
    unit: str | None
    """Null for the unit of the recording."""


class PlanCalculationValue(TypedDict, closed=True):
    """A value."""

    searches: list[PlanCalculationValueSearch]
    """The searches that it is calculated from, by their place in the plan."""
    measure: Literal['count', 'count_at', 'most', 'mean_count', 'length', 'item_length', 'lengths', 'longest', 'shortest', 'share', 'start', 'size', 'pace', 'mean', 'highest', 'lowest', 'at_start', 'change', 'distance']
    """`count`: number of different objects, or of events; `count_at`: number of objects at each start of the search `at`; `most`: most objects at the same time; `mean_count`: objects at the same time on average; `length`: seconds in all; `item_length`: seconds of each object on average; `lengths`: seconds of each by itself, in order; `longest`, `shortest`: seconds of the object that is there longest or shortest; `share`: share of the searched time; `start`: when it first happens. `size`: share of the picture that the largest box of the object fills; what is nearer looks larger. `pace`: mean motion in the picture, in lengths of the object per second. The others are of the quantity meanwhile: its `mean`, `highest` and `lowest` value, that `at_start`, its `change` from the start to the end, and, of a speed, the `distance` in m."""
    quantity: NotRequired[Literal['speed', 'acceleration', 'deceleration', 'lateral_acceleration', 'yaw_rate', 'loudness', 'channel']]
    """The measured quantity, for `mean`, `highest`, `lowest`, `at_start`, `change`, `distance`."""
    channel: NotRequired[PlanCalculationValueChannel]
    """For the quantity `channel`: which one is meant."""
    at: NotRequired[int]
    """For `count_at`: the search that states when."""
    offset: NotRequired[float]
    """For `at_start`: seconds after the start; negative: before it."""


class PlanCalculationRange(TypedDict, closed=True):
    min: float | None
    """At least this; null for no lower limit."""
    max: float | None
    """At most this; null for no upper limit."""


PlanCalculationRank = TypedDict(
    'PlanCalculationRank',
    {
        'order': Literal['most', 'least'],
        'from': int,
        'to': int,
    },
    closed=True,
)


class PlanCalculation(TypedDict, closed=True):
    """What the question `calculation` asks for."""

    values: list[PlanCalculationValue]
    compare: Literal['more', 'less', 'same', 'difference', 'ratio', 'which_most', 'which_least', 'order', 'within', 'all', 'mostly', 'part', 'every', 'occurs', 'changed'] | None
    """Null to state the values."""
    range: NotRequired[PlanCalculationRange]
    by: NotRequired[Literal['kind', 'color', 'period', 'shot']]
    """The value of each group by itself: `kind`: by class of object or kind of sound; `color`: by the main color of an object; `period`: by periods of `period` seconds; `shot`: by shots."""
    period: NotRequired[float]
    """Seconds, for `period`."""
    rank: NotRequired[PlanCalculationRank]
    """Only these places of the groups, in the order of their values."""


class PlanWindowCalendarFromDay(TypedDict, closed=True):
    """Days that count from the moment of asking."""

    kind: Literal['relative']
    unit: Literal['day', 'week', 'weekend', 'month', 'year']
    """Kind of days. Weeks start on Monday; `weekend`: Saturday and Sunday."""
    offset: int
    """0: that of the moment of asking; -1: the one before."""


class PlanWindowCalendarFromDay1(TypedDict, closed=True):
    """The last such day up to the moment of asking."""

    kind: Literal['weekday']
    day: Literal['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
    """Day of the week."""
    before: NotRequired[bool]
    """True: not today."""


class PlanWindowCalendarFromDay2(TypedDict, closed=True):
    """A date."""

    kind: Literal['date']
    year: int | None
    """Null: the last one up to the moment of asking."""
    month: int
    day: int


class PlanWindowCalendarFrom(TypedDict, closed=True):
    """Start; null: any time before the end."""

    day: PlanWindowCalendarFromDay | PlanWindowCalendarFromDay1 | PlanWindowCalendarFromDay2
    """A day, or several days in sequence."""
    time: float | None
    """Time of that day; null: all of it."""


class PlanWindowCalendarToDay(TypedDict, closed=True):
    """Days that count from the moment of asking."""

    kind: Literal['relative']
    unit: Literal['day', 'week', 'weekend', 'month', 'year']
    """Kind of days. Weeks start on Monday; `weekend`: Saturday and Sunday."""
    offset: int
    """0: that of the moment of asking; -1: the one before."""


class PlanWindowCalendarToDay1(TypedDict, closed=True):
    """The last such day up to the moment of asking."""

    kind: Literal['weekday']
    day: Literal['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
    """Day of the week."""
    before: NotRequired[bool]
    """True: not today."""


class PlanWindowCalendarToDay2(TypedDict, closed=True):
    """A date."""

    kind: Literal['date']
    year: int | None
    """Null: the last one up to the moment of asking."""
    month: int
    day: int


class PlanWindowCalendarTo(TypedDict, closed=True):
    """End; null: up to the moment of asking."""

    day: PlanWindowCalendarToDay | PlanWindowCalendarToDay1 | PlanWindowCalendarToDay2
    """A day, or several days in sequence."""
    time: float | None
    """Time of that day; null: all of it."""


PlanWindowCalendarTimes = TypedDict(
    'PlanWindowCalendarTimes',
    {
        'from': float,
        'to': float,
    },
    closed=True,
)


PlanWindowCalendar = TypedDict(
    'PlanWindowCalendar',
    {
        'from': PlanWindowCalendarFrom | None,
        'to': PlanWindowCalendarTo | None,
        'times': PlanWindowCalendarTimes | None,
        'weekdays': list[Literal['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']],
    },
    closed=True,
)


PlanWindowDaily = TypedDict(
    'PlanWindowDaily',
    {
        'from': float,
        'to': float,
    },
    closed=True,
)


PlanWindowPart = TypedDict(
    'PlanWindowPart',
    {
        'from': float,
        'to': float,
    },
    closed=True,
)


PlanWindow = TypedDict(
    'PlanWindow',
    {
        'from': float,
        'to': float | None,
        'unit': NotRequired[Literal['share', 'clock']],
        'calendar': NotRequired[PlanWindowCalendar],
        'daily': NotRequired[PlanWindowDaily],
        'parts': NotRequired[list[PlanWindowPart]],
        'remark': NotRequired[str],
        'missed': NotRequired[Literal['outside', 'no_clock']],
        'edge': NotRequired[Literal[True]],
    },
    closed=True,
)


class PlanClock(TypedDict, closed=True):
    """The clock by which times of the calendar were found in the video. Found by the service."""

    requested_at: str
    """Moment of asking, from which "yesterday" counts."""
    time_zone: str | None
    """Time zone of days and times of day; null, in no video: that of each video."""
    source: str | None
    """Source of the time of recording, as `clock.source` of the video; null: it has none, or no video is chosen."""
    recorded_from: str | None
    """Time of its first frame."""
    recorded_until: str | None
    """Time of its end."""


PlanSearchStepWhatSubjectClass: TypeAlias = str


PlanSearchStepWhatSubjectColor: TypeAlias = str


class PlanSearchStepWhatSubjectCount(TypedDict, closed=True):
    min: int
    """At least this many at the same time."""
    max: int | None
    """At most this many at the same time; null for no limit."""


class PlanSearchStepWhatSubjectPlace(TypedDict, closed=True):
    """A place in the frame, a rectangle or a polygon. As the place of an object: where its center has to be. As the region of an action: what its center `enters`, `leaves` or `crosses` instead of the whole frame."""

    name: str
    """Name: `left`, `top right`, or any other."""
    x: float
    """Left edge, fraction of the width."""
    y: float
    """Top edge, fraction of the height."""
    width: float
    """Fraction of the width."""
    height: float
    """Fraction of the height."""


class PlanSearchStepWhatSubjectPlace1Point(TypedDict, closed=True):
    """A point in the frame."""

    x: float
    """Fraction of the width."""
    y: float
    """Fraction of the height."""


class PlanSearchStepWhatSubjectPlace1(TypedDict, closed=True):
    """A place in the frame, a rectangle or a polygon. As the place of an object: where its center has to be. As the region of an action: what its center `enters`, `leaves` or `crosses` instead of the whole frame."""

    name: str
    """Name: `left`, `top right`, or any other."""
    points: list[PlanSearchStepWhatSubjectPlace1Point]
    """Corners, in order around it."""
    zone: NotRequired[bool]
    """True: a zone that was drawn for the video, in which an object is where it stands: by the middle of the lower edge of its box instead of its center."""


PlanSearchStepWhatSubjectExceptClass: TypeAlias = str


PlanSearchStepWhatSubjectExceptColor: TypeAlias = str


class PlanSearchStepWhatSubjectExcept(TypedDict, closed=True):
    """Objects of these classes and colors do not match."""

    classes: list[PlanSearchStepWhatSubjectExceptClass]
    """Empty for any."""
    colors: list[PlanSearchStepWhatSubjectExceptColor]
    """Empty for any."""


PlanSearchStepWhatSubject = TypedDict(
    'PlanSearchStepWhatSubject',
    {
        'text': str,
        'classes': list[PlanSearchStepWhatSubjectClass],
        'colors': list[PlanSearchStepWhatSubjectColor],
        'worn': NotRequired[Literal['upper', 'lower']],
        'count': PlanSearchStepWhatSubjectCount,
        'state': Literal['stationary', 'moving'] | None,
        'place': PlanSearchStepWhatSubjectPlace | PlanSearchStepWhatSubjectPlace1 | None,
        'except': NotRequired[PlanSearchStepWhatSubjectExcept],
        'ridden': NotRequired[bool],
        'definite': NotRequired[bool],
        'afoot': NotRequired[bool],
    },
    closed=True,
)


class PlanSearchStepWhatLineFrom(TypedDict, closed=True):
    """A point in the frame."""

    x: float
    """Fraction of the width."""
    y: float
    """Fraction of the height."""


class PlanSearchStepWhatLineTo(TypedDict, closed=True):
    """A point in the frame."""

    x: float
    """Fraction of the width."""
    y: float
    """Fraction of the height."""


PlanSearchStepWhatLine = TypedDict(
    'PlanSearchStepWhatLine',
    {
        'name': str,
        'from': PlanSearchStepWhatLineFrom,
        'to': PlanSearchStepWhatLineTo,
        'zone': NotRequired[bool],
        'way': NotRequired[Literal['in', 'out']],
    },
    closed=True,
)


class PlanSearchStepWhatRegion(TypedDict, closed=True):
    """A place in the frame, a rectangle or a polygon. As the place of an object: where its center has to be. As the region of an action: what its center `enters`, `leaves` or `crosses` instead of the whole frame."""

    name: str
    """Name: `left`, `top right`, or any other."""
    x: float
    """Left edge, fraction of the width."""
    y: float
    """Top edge, fraction of the height."""
    width: float
    """Fraction of the width."""
    height: float
    """Fraction of the height."""


class PlanSearchStepWhatRegion1Point(TypedDict, closed=True):
    """A point in the frame."""

    x: float
    """Fraction of the width."""
    y: float
    """Fraction of the height."""


class PlanSearchStepWhatRegion1(TypedDict, closed=True):
    """A place in the frame, a rectangle or a polygon. As the place of an object: where its center has to be. As the region of an action: what its center `enters`, `leaves` or `crosses` instead of the whole frame."""

    name: str
    """Name: `left`, `top right`, or any other."""
    points: list[PlanSearchStepWhatRegion1Point]
    """Corners, in order around it."""
    zone: NotRequired[bool]
    """True: a zone that was drawn for the video, in which an object is where it stands: by the middle of the lower edge of its box instead of its center."""


PlanSearchStepWhatRelationOtherClass: TypeAlias = str


PlanSearchStepWhatRelationOtherColor: TypeAlias = str


class PlanSearchStepWhatRelationOtherCount(TypedDict, closed=True):
    min: int
    """At least this many at the same time."""
    max: int | None
    """At most this many at the same time; null for no limit."""


class PlanSearchStepWhatRelationOtherPlace(TypedDict, closed=True):
    """A place in the frame, a rectangle or a polygon. As the place of an object: where its center has to be. As the region of an action: what its center `enters`, `leaves` or `crosses` instead of the whole frame."""

    name: str
    """Name: `left`, `top right`, or any other."""
    x: float
    """Left edge, fraction of the width."""
    y: float
    """Top edge, fraction of the height."""
    width: float
    """Fraction of the width."""
    height: float
    """Fraction of the height."""


class PlanSearchStepWhatRelationOtherPlace1Point(TypedDict, closed=True):
    """A point in the frame."""

    x: float
    """Fraction of the width."""
    y: float
    """Fraction of the height."""


class PlanSearchStepWhatRelationOtherPlace1(TypedDict, closed=True):
    """A place in the frame, a rectangle or a polygon. As the place of an object: where its center has to be. As the region of an action: what its center `enters`, `leaves` or `crosses` instead of the whole frame."""

    name: str
    """Name: `left`, `top right`, or any other."""
    points: list[PlanSearchStepWhatRelationOtherPlace1Point]
    """Corners, in order around it."""
    zone: NotRequired[bool]
    """True: a zone that was drawn for the video, in which an object is where it stands: by the middle of the lower edge of its box instead of its center."""


PlanSearchStepWhatRelationOtherExceptClass: TypeAlias = str


PlanSearchStepWhatRelationOtherExceptColor: TypeAlias = str


class PlanSearchStepWhatRelationOtherExcept(TypedDict, closed=True):
    """Objects of these classes and colors do not match."""

    classes: list[PlanSearchStepWhatRelationOtherExceptClass]
    """Empty for any."""
    colors: list[PlanSearchStepWhatRelationOtherExceptColor]
    """Empty for any."""


PlanSearchStepWhatRelationOther = TypedDict(
    'PlanSearchStepWhatRelationOther',
    {
        'text': str,
        'classes': list[PlanSearchStepWhatRelationOtherClass],
        'colors': list[PlanSearchStepWhatRelationOtherColor],
        'worn': NotRequired[Literal['upper', 'lower']],
        'count': PlanSearchStepWhatRelationOtherCount,
        'state': Literal['stationary', 'moving'] | None,
        'place': PlanSearchStepWhatRelationOtherPlace | PlanSearchStepWhatRelationOtherPlace1 | None,
        'except': NotRequired[PlanSearchStepWhatRelationOtherExcept],
        'ridden': NotRequired[bool],
        'definite': NotRequired[bool],
        'afoot': NotRequired[bool],
    },
    closed=True,
)


class PlanSearchStepWhatRelation(TypedDict, closed=True):
    """Null if no other object matters."""

    kind: Literal['near', 'too_close_to', 'with', 'overlaps', 'in_front_of', 'behind', 'left_of', 'right_of', 'above', 'below', 'on', 'inside']
    """Relation to the other object, in the frame."""
    other: PlanSearchStepWhatRelationOther
    """An object to look for."""
    negated: bool
    """True: while the relation does not hold."""


PlanSearchStepWhat = TypedDict(
    'PlanSearchStepWhat',
    {
        'kind': Literal['object'],
        'subject': PlanSearchStepWhatSubject,
        'action': Literal['present', 'appears', 'disappears', 'enters', 'leaves', 'crosses', 'moves', 'stops', 'starts', 'stands', 'loiters', 'approaches', 'passes', 'overtakes', 'follows', 'close_ahead', 'left_behind', 'taken_away', 'falls', 'lies', 'sits_down', 'crouches', 'stands_up', 'sits', 'bends', 'raises_hand', 'waves', 'points', 'hand_at_face', 'phones', 'runs', 'collides', 'goes_against', 'cuts_in', 'blocks_way'],
        'idle': bool,
        'direction': Literal['left', 'right', 'up', 'down', 'towards', 'away'] | None,
        'from': Literal['left', 'right', 'top', 'bottom'] | None,
        'to': Literal['left', 'right', 'top', 'bottom'] | None,
        'line': NotRequired[PlanSearchStepWhatLine],
        'region': NotRequired[PlanSearchStepWhatRegion | PlanSearchStepWhatRegion1],
        'vehicle': NotRequired[Literal['instead', 'also']],
        'relation': PlanSearchStepWhatRelation | None,
    },
    closed=True,
)


class PlanSearchStepWhat1(TypedDict, closed=True):
    """A signal of the whole frame."""

    kind: Literal['signal']
    signal: Literal['cut', 'shot', 'dissolve', 'fade', 'fade_in', 'fade_out', 'scene_change', 'dark', 'well_lit', 'bright', 'overexposed', 'gets_dark', 'gets_bright', 'light_change', 'flash', 'flicker', 'monochrome', 'color_cast', 'black', 'frozen', 'blurred', 'covered', 'shaking']
    """Signal of the frame."""


class PlanSearchStepWhat2Place(TypedDict, closed=True):
    """A place in the frame, a rectangle or a polygon. As the place of an object: where its center has to be. As the region of an action: what its center `enters`, `leaves` or `crosses` instead of the whole frame."""

    name: str
    """Name: `left`, `top right`, or any other."""
    x: float
    """Left edge, fraction of the width."""
    y: float
    """Top edge, fraction of the height."""
    width: float
    """Fraction of the width."""
    height: float
    """Fraction of the height."""


class PlanSearchStepWhat2Place1Point(TypedDict, closed=True):
    """A point in the frame."""

    x: float
    """Fraction of the width."""
    y: float
    """Fraction of the height."""


class PlanSearchStepWhat2Place1(TypedDict, closed=True):
    """A place in the frame, a rectangle or a polygon. As the place of an object: where its center has to be. As the region of an action: what its center `enters`, `leaves` or `crosses` instead of the whole frame."""

    name: str
    """Name: `left`, `top right`, or any other."""
    points: list[PlanSearchStepWhat2Place1Point]
    """Corners, in order around it."""
    zone: NotRequired[bool]
    """True: a zone that was drawn for the video, in which an object is where it stands: by the middle of the lower edge of its box instead of its center."""


class PlanSearchStepWhat2(TypedDict, closed=True):
    """Anything that moves differently from the whole frame."""

    kind: Literal['motion']
    place: PlanSearchStepWhat2Place | PlanSearchStepWhat2Place1 | None
    """Where; null for anywhere."""


class PlanSearchStepWhat3(TypedDict, closed=True):
    """Motion of the camera."""

    kind: Literal['camera']
    move: Literal['moves', 'still', 'pans', 'tilts', 'turns', 'rolls', 'zooms', 'forward', 'backward', 'stops', 'starts', 'brakes', 'jolts']
    """Motion of the camera, or of the vehicle that carries it."""
    direction: Literal['left', 'right', 'up', 'down', 'in', 'out'] | None
    """Null for any."""
    hard: NotRequired[bool]
    """True: only hard braking, or sharp turns."""
    vehicle: NotRequired[bool]
    """True: the vehicle that carries the camera; only in footage from one."""


class PlanSearchStepWhat4(TypedDict, closed=True):
    """What to look for."""

    kind: Literal['sound']
    sound: Literal['silence', 'sound', 'loud', 'bang', 'siren', 'alarm', 'car_horn', 'glass_breaking', 'gunshot', 'explosion', 'dog_bark', 'cat_meow', 'rooster', 'birds', 'baby_cry', 'scream', 'laughter', 'sneeze', 'cough', 'snoring', 'applause', 'cheering', 'speech', 'music', 'engine', 'chainsaw', 'helicopter', 'airplane', 'train', 'rain', 'thunder', 'sea_waves', 'clock_tick', 'fire_crackling', 'typing', 'recognized']
    """Kind of sound."""
    maker: NotRequired[str]
    """Who or what makes it ("man"), which is not checked."""


class PlanSearchStepWhat5(TypedDict, closed=True):
    """Spoken words, in any inflected form."""

    kind: Literal['speech']
    words: str | None
    """Spoken words; null for everything that is spoken."""
    about: NotRequired[bool]
    """True: the words are a subject, and may be spoken in any order."""


class PlanSearchStepWhat6(TypedDict, closed=True):
    """Text in the frame: on a sign, a display or the picture."""

    kind: Literal['text']
    text: str | None
    """The text; null for any."""
    carrier: NotRequired[str]
    """What it is written on ("sign"), which is not checked."""


class PlanSearchStepWhat7(TypedDict, closed=True):
    """The lit lamp of a traffic light."""

    kind: Literal['traffic_light']
    event: Literal['shows', 'turns', 'waits', 'runs']
    """`shows`: its lamp of this color is lit; `turns`: it changes to this color; `waits`: the recording vehicle stands at it; `runs`: the recording vehicle passes it."""
    color: Literal['red', 'yellow', 'green'] | None
    """Null for any."""
    presumed: NotRequired[bool]
    """For `waits`, true: the prompt presumes the light ("the red light"), so where no lamp is recognized any standstill counts, with lower confidence."""


class PlanSearchStepWhat8Channel(TypedDict, closed=True):
    """For the quantity `channel`: which one is meant."""

    name: str
    """What the prompt calls it. It is looked up among the channels of each recording."""
    unit: str | None
    """Null for the unit of the recording."""


class PlanSearchStepWhat8Range(TypedDict, closed=True):
    min: float | None
    """At least this; null for no lower limit."""
    max: float | None
    """At most this; null for no upper limit."""


class PlanSearchStepWhat8(TypedDict, closed=True):
    """A measured quantity, from telemetry or a robot log."""

    kind: Literal['quantity']
    quantity: Literal['speed', 'acceleration', 'deceleration', 'lateral_acceleration', 'yaw_rate', 'loudness', 'channel']
    """Speeds in m/s, accelerations in m/s², yaw rates in rad/s; `loudness`: the level of the audio track in dBFS, which has no limits and is compared; `channel`: a number that was recorded under a name."""
    channel: NotRequired[PlanSearchStepWhat8Channel]
    """For the quantity `channel`: which one is meant."""
    trend: NotRequired[Literal['rises', 'falls', 'changes', 'constant']]
    """Of a channel: only while it rises, falls, does either, or does neither."""
    range: PlanSearchStepWhat8Range


class PlanSearchStepWhat9(TypedDict, closed=True):
    """A fact about the recording: answered in words, without events."""

    kind: Literal['fact']
    fact: Literal['duration', 'resolution', 'frame_rate', 'frame_count', 'orientation', 'codec', 'container', 'file_size', 'bit_rate', 'dynamic_range', 'audio_track', 'recorded_at', 'camera_model', 'shot_count', 'mean_speed', 'top_speed']
    """The requested fact about the recording; speeds need telemetry."""


class PlanSearchStepWhat10(TypedDict, closed=True):
    """All notable events: the search of an open prompt."""

    kind: Literal['notable']


class PlanSearchStepWhat11(TypedDict, closed=True):
    """Nothing that an observer can find."""

    kind: Literal['unknown']


class PlanSearchStepDuration(TypedDict, closed=True):
    """Duration in seconds; null for the default."""

    min: float | None
    """At least this; null for no lower limit."""
    max: float | None
    """At most this; null for no upper limit."""


class PlanSearchStepUncheckedItem(TypedDict, closed=True):
    """Part of the prompt that cannot be checked."""

    text: str
    """The words of the prompt."""
    reason: str
    """Reason why it cannot be checked."""
    blocks: bool
    """True: without it the rest would answer another question, so nothing is reported. False: the rest is searched with lower confidence."""
    decides: NotRequired[bool]
    """True: what was found may be something else ("a person runs" is searched for as any motion), so its confidence stays below the default `min_confidence`."""
    presumed: NotRequired[Literal['fixed', 'vehicle', 'any']]
    """Casts no doubt on what was found in such footage. `fixed`: a name of the place that the camera shows ("in the room"), except in footage from a moving vehicle. `vehicle`: outdoors, in footage from a moving vehicle. `any`: in all footage."""


class PlanSearchStep(TypedDict, closed=True):
    """One event."""

    text: str
    """The words of the prompt."""
    what: PlanSearchStepWhat | PlanSearchStepWhat1 | PlanSearchStepWhat2 | PlanSearchStepWhat3 | PlanSearchStepWhat4 | PlanSearchStepWhat5 | PlanSearchStepWhat6 | PlanSearchStepWhat7 | PlanSearchStepWhat8 | PlanSearchStepWhat9 | PlanSearchStepWhat10 | PlanSearchStepWhat11
    """What to look for."""
    negated: bool
    """True: look for the times when it does not hold."""
    duration: PlanSearchStepDuration | None
    """Duration in seconds; null for the default."""
    join: Literal['then', 'while'] | None
    """Relation to the step before; null for the first step."""
    within: float | None
    """For `then`: at most this many seconds after the end of the step before; null for the default."""
    apart: NotRequired[float]
    """For `then`: at least this many seconds after the end of the step before; without `within`, however much later."""
    every: NotRequired[Literal['this', 'before']]
    """For `then`: every occurrence of this step (`this`) or of the step before (`before`) is a match by itself, however much later or earlier. Absent: the next one."""
    throughout: NotRequired[bool]
    """True: it has to hold from the start to the end of the searched part of the video."""
    same: bool
    """True: by the same object as the step before."""
    unchecked: list[PlanSearchStepUncheckedItem]


PlanSearchPlaces = TypedDict(
    'PlanSearchPlaces',
    {
        'from': int,
        'to': int,
    },
    closed=True,
)


class PlanSearchWindowCalendarFromDay(TypedDict, closed=True):
    """Days that count from the moment of asking."""

    kind: Literal['relative']
    unit: Literal['day', 'week', 'weekend', 'month', 'year']
    """Kind of days. Weeks start on Monday; `weekend`: Saturday and Sunday."""
    offset: int
    """0: that of the moment of asking; -1: the one before."""


class PlanSearchWindowCalendarFromDay1(TypedDict, closed=True):
    """The last such day up to the moment of asking."""

    kind: Literal['weekday']
    day: Literal['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
    """Day of the week."""
    before: NotRequired[bool]
    """True: not today."""


class PlanSearchWindowCalendarFromDay2(TypedDict, closed=True):
    """A date."""

    kind: Literal['date']
    year: int | None
    """Null: the last one up to the moment of asking."""
    month: int
    day: int


class PlanSearchWindowCalendarFrom(TypedDict, closed=True):
    """Start; null: any time before the end."""

    day: PlanSearchWindowCalendarFromDay | PlanSearchWindowCalendarFromDay1 | PlanSearchWindowCalendarFromDay2
    """A day, or several days in sequence."""
    time: float | None
    """Time of that day; null: all of it."""


class PlanSearchWindowCalendarToDay(TypedDict, closed=True):
    """Days that count from the moment of asking."""

    kind: Literal['relative']
    unit: Literal['day', 'week', 'weekend', 'month', 'year']
    """Kind of days. Weeks start on Monday; `weekend`: Saturday and Sunday."""
    offset: int
    """0: that of the moment of asking; -1: the one before."""


class PlanSearchWindowCalendarToDay1(TypedDict, closed=True):
    """The last such day up to the moment of asking."""

    kind: Literal['weekday']
    day: Literal['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
    """Day of the week."""
    before: NotRequired[bool]
    """True: not today."""


class PlanSearchWindowCalendarToDay2(TypedDict, closed=True):
    """A date."""

    kind: Literal['date']
    year: int | None
    """Null: the last one up to the moment of asking."""
    month: int
    day: int


class PlanSearchWindowCalendarTo(TypedDict, closed=True):
    """End; null: up to the moment of asking."""

    day: PlanSearchWindowCalendarToDay | PlanSearchWindowCalendarToDay1 | PlanSearchWindowCalendarToDay2
    """A day, or several days in sequence."""
    time: float | None
    """Time of that day; null: all of it."""


PlanSearchWindowCalendarTimes = TypedDict(
    'PlanSearchWindowCalendarTimes',
    {
        'from': float,
        'to': float,
    },
    closed=True,
)


PlanSearchWindowCalendar = TypedDict(
    'PlanSearchWindowCalendar',
    {
        'from': PlanSearchWindowCalendarFrom | None,
        'to': PlanSearchWindowCalendarTo | None,
        'times': PlanSearchWindowCalendarTimes | None,
        'weekdays': list[Literal['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']],
    },
    closed=True,
)


PlanSearchWindowDaily = TypedDict(
    'PlanSearchWindowDaily',
    {
        'from': float,
        'to': float,
    },
    closed=True,
)


PlanSearchWindowPart = TypedDict(
    'PlanSearchWindowPart',
    {
        'from': float,
        'to': float,
    },
    closed=True,
)


PlanSearchWindow = TypedDict(
    'PlanSearchWindow',
    {
        'from': float,
        'to': float | None,
        'unit': NotRequired[Literal['share', 'clock']],
        'calendar': NotRequired[PlanSearchWindowCalendar],
        'daily': NotRequired[PlanSearchWindowDaily],
        'parts': NotRequired[list[PlanSearchWindowPart]],
        'remark': NotRequired[str],
        'missed': NotRequired[Literal['outside', 'no_clock']],
        'edge': NotRequired[Literal[True]],
    },
    closed=True,
)


class PlanSearchMoments(TypedDict, closed=True):
    """Times relative to the events are reported instead of them."""

    kind: Literal['before', 'after', 'around', 'between']
    """`before`, `after`, `around`: times before, after or around each event; `between`: from the end of one event to the start of the next or, in a sequence of two, from the end of the first to the start of the second."""
    seconds: float | None
    """Length before, after, or on each side; null for as long as possible, and for `between`."""


class PlanSearch(TypedDict, closed=True):
    """One search. Searches are answered independently."""

    text: str
    """The words of the prompt."""
    steps: list[PlanSearchStep]
    """One event, or several in sequence."""
    pick: Literal['first', 'second', 'third', 'fourth', 'fifth', 'last', 'longest', 'shortest', 'most', 'largest', 'smallest', 'fastest', 'slowest', 'leftmost', 'rightmost'] | None
    """Null for all."""
    leading: NotRequired[int]
    """The pick is of the first so many steps, and the others follow it, as in "what happens after the second stop". Absent: of all steps."""
    places: NotRequired[PlanSearchPlaces]
    """With a pick that orders events (all but `second` to `fifth` and `most`): which places in that order; 1 to 3 are the three first ones, 2 to 2 the second. Absent: the first place."""
    window: NotRequired[PlanSearchWindow]
    """A part of the video."""
    moments: NotRequired[PlanSearchMoments]
    """Times relative to the events are reported instead of them."""
    during: NotRequired[int]
    """Only during what this other search of the plan finds, by its place. Events of that search are not reported."""


PlanCorrectedItem = TypedDict(
    'PlanCorrectedItem',
    {
        'from': str,
        'to': str,
    },
    closed=True,
)


PlanSuggestion: TypeAlias = str


PlanRewrittenItem = TypedDict(
    'PlanRewrittenItem',
    {
        'from': str,
        'to': str,
    },
    closed=True,
)


PlanAlternativeItem = TypedDict(
    'PlanAlternativeItem',
    {
        'from': str,
        'to': str,
    },
    closed=True,
)


class Plan(TypedDict, closed=True):
    """A prompt in terms that can be searched."""

    version: Literal[1]
    query: str
    """The prompt."""
    question: Literal['describe', 'count', 'how_often', 'yes_no', 'when', 'where', 'which_way', 'which_color', 'which_text', 'how_long', 'time_between', 'calculation'] | None
    """Null for none."""
    per: NotRequired[float]
    """For `count`: also the count per period of this many seconds."""
    calculation: NotRequired[PlanCalculation]
    """What the question `calculation` asks for."""
    window: PlanWindow | None
    """The part of the video to search, unless a search has its own; null for all of it."""
    clock: NotRequired[PlanClock]
    """The clock by which times of the calendar were found in the video. Found by the service."""
    searches: list[PlanSearch]
    corrected: list[PlanCorrectedItem]
    """Words read as the nearest known one."""
    suggestions: NotRequired[list[PlanSuggestion]]
    """Prompts in similar words that can be searched, where this one is refused for its wording."""
    language: NotRequired[str]
    """Language of the prompt, in English; absent for English."""
    reader: NotRequired[Literal['lexicon', 'model']]
    """Who rewrote the prompt in English: `lexicon`, a dictionary; `model`, a language model."""
    rewritten: NotRequired[list[PlanRewrittenItem]]
    """Parts of the prompt that were rewritten before they were read."""
    alternative: NotRequired[list[PlanAlternativeItem]]
    """The reading of a language model that contradicts the rules. It was not searched."""


class ProfileChanges(TypedDict):
    """Changes to your profile. Absent fields are unchanged."""

    name: NotRequired[str]
    """Your name."""
    locale: NotRequired[str | None]
    """Your language as a BCP 47 tag, such as `de` or `pt-BR`; null: that of the browser."""


class Query(TypedDict):
    """A prompt on one or more videos, or on those of a library that were recorded when the prompt says."""

    query: str
    """The prompt: what to find, in plain words. At most 10,000 characters."""
    video_id: NotRequired[str | None]
    """The video to query. Send one of this, `video_ids` and `library`."""
    video_ids: NotRequired[list[str] | None]
    """The videos to query, at most 1,000. A video that is listed twice is analyzed twice."""
    library: NotRequired[LibrarySelection | None]
    """Query the videos that match these filters and that were recorded when the prompt says, at most 1,000: of more, the newest recordings, or the oldest if the prompt asks for the first event. `selection` of the response counts the others by the reason."""
    min_confidence: NotRequired[float | None]
    """Least confidence of an event, 0 to 1. What is found with less is listed under `candidates` in the document, and is in no count, answer, search or stream. Default: 0.5."""
    verify: NotRequired[Literal['auto', 'always', 'never'] | None]
    """Which events a configured vision-language model verifies: those in doubt (`auto`, the default), up to 20 of all (`always`), or none. It changes their confidence and costs tokens."""
    vision_profile: NotRequired[str | None]
    """Profile of the vision-language model (`vision_profiles` of `GET /api/system`). Default: that of the folder of the video, else that of the service."""
    detector: NotRequired[str | None]
    """Detector of objects, one of `detectors` of `GET /api/system`. Videos are observed by it where the prompt needs objects. If its weights are missing, `coverage` reports it. Default: that of the service, which also sees larger copies of frames where the requested objects are small (`yolox_nano_640`)."""
    time_zone: NotRequired[str | None]
    """Time zone of days and times of day in the prompt, such as "yesterday after 10 pm": an IANA name, or an offset such as `+01:00`. Default: that of each video, or UTC if it is unknown."""
    preliminary: NotRequired[bool | None]
    """True: the stream also has what is found while a video is still being processed, as events of the kinds `preliminary`, `preliminary_confirmed`, `preliminary_withdrawn` and `preliminary_coverage`. Each preliminary event is confirmed or withdrawn when its analysis ends. Default: false."""
    plan: NotRequired[Plan | None]
    """A plan to follow instead of the prompt, as in `analysis.plan` of an analysis document. Equal plans give equal results."""
    output_schema: NotRequired[OutputSchema | None]
    """Fields to fill for each event or each video. Measurements fill what they can; a field without a value has a reason in `structured_output_errors`."""


class QueryPreviewPart(TypedDict):
    """A part of the prompt."""

    text: str
    """Words of the prompt."""
    status: Literal['looked_for', 'partly', 'not_looked_for']
    """Whether it would be searched for."""
    by: list[str]
    """Observers that would search for it."""
    reason: str | None
    """Why it would not be searched for, or what limits the search; null: nothing."""


QueryPreviewCorrectedItem = TypedDict(
    'QueryPreviewCorrectedItem',
    {
        'from': str,
        'to': str,
    },
)


class QueryPreview(TypedDict):
    """A query that was understood but not run."""

    interpretation: str
    """How the prompt is understood, in one sentence: what is understood, and what is not."""
    plan: Plan
    """The plan, which can be changed and sent with a query."""
    min_confidence: float
    """Least confidence of an event, 0 to 1."""
    parts: list[QueryPreviewPart]
    """Parts of the prompt. A video may lack what a part needs, such as sound or telemetry."""
    corrected: list[QueryPreviewCorrectedItem]
    """Words that are read as the nearest known word."""
    suggestions: list[str]
    """Prompts in similar words that can be searched, where this one is refused for its wording; at most three."""
    total_videos: int
    """Number of videos of the query."""
    selection: NotRequired[LibraryCount]
    observed_videos: int
    """Number of videos that need not be decoded again."""
    estimated_seconds: int
    """Estimated duration in seconds on two processor cores, for 1080p video, without a vision model."""
    estimated_vision_tokens: int
    """Estimated tokens of the vision model; 0 if none is configured or needed. Less if it has answered the same before."""
    estimated_vision_calls: int
    """Estimated calls of the vision model."""
    estimated_vision_cost: float
    """Estimated cost of these tokens, in the currency of the configured prices; 0 without prices."""


class QueryPreviewRequest(TypedDict):
    """A query that is not run. The videos are optional."""

    query: str
    """The prompt: what to find, in plain words. At most 10,000 characters."""
    video_id: NotRequired[str | None]
    """The video to query. Send one of this, `video_ids` and `library`."""
    video_ids: NotRequired[list[str] | None]
    """The videos to query, at most 1,000. A video that is listed twice is analyzed twice."""
    library: NotRequired[LibrarySelection | None]
    """Query the videos that match these filters and that were recorded when the prompt says, at most 1,000: of more, the newest recordings, or the oldest if the prompt asks for the first event. `selection` of the response counts the others by the reason."""
    min_confidence: NotRequired[float | None]
    """Least confidence of an event, 0 to 1. What is found with less is listed under `candidates` in the document, and is in no count, answer, search or stream. Default: 0.5."""
    verify: NotRequired[Literal['auto', 'always', 'never'] | None]
    """Which events a configured vision-language model verifies: those in doubt (`auto`, the default), up to 20 of all (`always`), or none. It changes their confidence and costs tokens."""
    vision_profile: NotRequired[str | None]
    """Profile of the vision-language model (`vision_profiles` of `GET /api/system`). Default: that of the folder of the video, else that of the service."""
    detector: NotRequired[str | None]
    """Detector of objects, one of `detectors` of `GET /api/system`. Videos are observed by it where the prompt needs objects. If its weights are missing, `coverage` reports it. Default: that of the service, which also sees larger copies of frames where the requested objects are small (`yolox_nano_640`)."""
    time_zone: NotRequired[str | None]
    """Time zone of days and times of day in the prompt, such as "yesterday after 10 pm": an IANA name, or an offset such as `+01:00`. Default: that of each video, or UTC if it is unknown."""
    preliminary: NotRequired[bool | None]
    """True: the stream also has what is found while a video is still being processed, as events of the kinds `preliminary`, `preliminary_confirmed`, `preliminary_withdrawn` and `preliminary_coverage`. Each preliminary event is confirmed or withdrawn when its analysis ends. Default: false."""
    plan: NotRequired[Plan | None]
    """A plan to follow instead of the prompt, as in `analysis.plan` of an analysis document. Equal plans give equal results."""
    output_schema: NotRequired[OutputSchema | None]
    """Fields to fill for each event or each video. Measurements fill what they can; a field without a value has a reason in `structured_output_errors`."""
    mode: NotRequired[Literal['thinking', 'fast'] | None]
    """Mode to estimate the cost of. Default: `thinking`."""


class QuestionForm(TypedDict):
    """A query for one video, as older clients send it. Other fields of older clients are accepted and ignored."""

    question: str
    """The query, optionally after a category and the separator `-----------EVENT_DESCRIPTION-----------`."""
    video_id: str
    """Video to analyze."""
    custom_agent_id: NotRequired[str | None]
    """Rejected with 501: this service has no trained agents."""
    custom_workflow_name: NotRequired[str | None]
    """`action-segmentation` divides each video into the actions that it shows; `robotic-action-segmentation` also states whether each succeeds. Needs a vision-language model; without one it is rejected with 501."""
    segmenter_id: NotRequired[str | None]
    """Rejected with 501: this service has no trained segmenters."""
    detector_config_json: NotRequired[str | None]
    """Rejected with 400: frames are shown to the configured model."""


class QueueListQueue(TypedDict):
    """Jobs of one kind."""

    name: str
    """Kind of job."""
    waiting: int
    """Jobs that could start now."""
    oldest_waiting_at: str | None
    """Since when the oldest waiting job could start; null if none waits."""
    delayed: int
    """Jobs that start later: delayed ones, and those before their next attempt."""
    running: int
    """Jobs that run now, on all workers."""
    failed: int
    """Jobs that were given up in the last six hours."""


class QueueList(TypedDict):
    """Background jobs of the service by kind."""

    queues: list[QueueListQueue]
    """All kinds of jobs."""


class ReadableEventVerification(TypedDict):
    """Result of showing frames of the event to a vision-language model again; absent if none was queried."""

    status: str
    """`verified`, `refuted`, or `unverified` if the model could not tell, contradicted itself or could not be asked."""
    by: str
    """The vision-language model."""
    frames_s: list[float]
    """Times of the frames that decided, in seconds."""


class ReadableEventStructuredOutputError(TypedDict):
    field: str
    """Name of the field."""
    message: str
    """Reason why it has no value."""


class ReadableEvent(TypedDict):
    """An event in its readable form."""

    event_id: str
    """The same as in the stored form."""
    incident_id: NotRequired[str]
    """Identifier of the incident: the same for all events that show the same incident in a video, whatever question, mode, model or version reported them. Absent until it is computed."""
    type: str
    """Kind of event."""
    category: str
    """The same as `type`."""
    label: str
    """Short description of the event."""
    description: str
    """The same as `label`."""
    severity: str
    """`low`, `medium` or `high`."""
    confidence: float
    """Confidence of the engine, 0 to 1."""
    t_start: str
    """Start as MM:SS, or HH:MM:SS past an hour; fractions are cut off."""
    t_end: str
    """End in the same form."""
    start_s: float
    """Start in seconds from the first frame."""
    end_s: float
    """End in seconds from the first frame."""
    start_at: NotRequired[str]
    """Time at which the start was recorded, ISO 8601, UTC; absent if it is unknown. It follows the clock of the video, which can be set."""
    end_at: NotRequired[str]
    """Time at which the end was recorded."""
    start_pts: float
    """Exact presentation time stamp of the start, in units of `time_base`."""
    end_pts: float
    """Exact presentation time stamp of the end."""
    time_base: list[int]
    """Seconds per time stamp unit: numerator, denominator."""
    aiAnalysis: str
    """Reason for the event."""
    caveats: list[str]
    """The same as in the stored form."""
    approval: str
    """Review state: `pending` until reviewers have decided, then `approved`, `rejected` or `unsure`."""
    review: NotRequired[EventReview]
    verification: NotRequired[ReadableEventVerification]
    """Result of showing frames of the event to a vision-language model again; absent if none was queried."""
    annotated_thumbnail_url: NotRequired[str]
    """Signed URL of the evidence image."""
    structured_output: NotRequired[dict[str, Any]]
    """Values of the fields of `output_schema`; absent if a required field has none."""
    structured_output_label: NotRequired[str]
    """Label of the schema."""
    structured_output_version: NotRequired[int]
    """Version of the schema."""
    structured_output_errors: NotRequired[list[ReadableEventStructuredOutputError]]
    """Fields without a value."""


class ReaderSetup(TypedDict):
    """Service account to which a bucket grants access."""

    provider: Literal['google']
    """Cloud provider of this deployment’s identity."""
    google_service_account_email: str
    """Email address of the service account."""
    project_id: str | None
    """Google Cloud project of the service account."""
    roles: list[str]
    """Roles to grant to the service account on the bucket."""


class Readiness(TypedDict):
    """The service can handle requests."""

    status: Literal['ready']
    """Always `ready`."""
    checks: dict[str, Literal['ok']]
    """Dependencies that were checked, by name."""


class RecentLiveEvent(TypedDict):
    """An event of a running session."""

    event_id: str
    """Identifier of the event, as in the session."""
    session_id: str
    """Identifier of the session."""
    stream_id: str
    """Identifier of the stream."""
    video_id: str
    """Identifier of the video of the recording."""
    session_name: str
    """Name, for display."""
    label: str
    """What was found."""
    severity: str
    """`low`, `medium` or `high`."""
    confidence: float
    """Confidence from 0 to 1."""
    ongoing: bool
    """True until the end of the event is found."""
    stream_time: float
    """Start of the event in seconds from the first frame of the session, gaps included."""
    start_at: str
    """Capture time of its start."""
    created_at: str
    """Time at which it was found."""
    image_url: str | None
    """Signed URL of the image that shows it best, with its boxes; valid for a day."""


class RecentLiveEvents(TypedDict):
    """The latest events of running sessions."""

    current_time: str
    """Time of the response, by the clock of the service that capture times are read from."""
    events: list[RecentLiveEvent]
    """Events of running sessions, the latest found first."""


class RecordingsToImportInput(TypedDict):
    """A directory."""

    source_uri: str
    """Directory with the files of one recording or dataset: `gs://bucket/directory/` or `s3://bucket/directory/`."""
    name: NotRequired[str | None]
    """Name in the library. Default: that of the directory."""
    folder_id: NotRequired[str | None]
    """Folder of the videos."""


class RecordingsToImport(TypedDict):
    """Recordings to import by directory."""

    source_format: str
    """Format of the recordings: `mcap`, or `lerobot` for datasets of LeRobot (versions 2.0 to 3.0), whose episodes become sets of views."""
    scope: NotRequired[Literal['user', 'org'] | None]
    """Visibility of the videos: `user` (only you) or `org` (your organization). Default: the scope of the folder, else `user`."""
    inputs: list[RecordingsToImportInput]
    """The directories, all of one bucket."""


class RecoveryCodes(TypedDict):
    """New recovery codes."""

    recovery_codes: list[str]
    """The new codes. Earlier ones are no longer accepted. They are shown only in this response."""


ReleaseRequestEventId: TypeAlias = str


class ReleaseRequest(TypedDict):
    """Events whose assignment ends."""

    event_ids: list[ReleaseRequestEventId]
    """Identifiers of the events, at most 500."""


class RequestedPasswordReset(TypedDict):
    """The request was accepted."""

    status: Literal['requested']
    """Always `requested`, whether or not there is an account."""


class ReviewPolicyRequest(TypedDict):
    """How the events of a folder are reviewed."""

    reviewers: int
    """Number of reviewers who must agree before an event of the folder is decided. It applies to later verdicts."""


class ReviewSamplesSample(TypedDict):
    """A range of a video without events of the engine."""

    video_id: str
    """Identifier of the video."""
    video_name: str
    """Name of the video."""
    analysis_id: str
    """Identifier of the analysis."""
    query: str
    """The prompt whose events are looked for."""
    start_s: float
    """Start of the range in seconds from the first frame."""
    end_s: float
    """End of the range in seconds."""


class ReviewSamples(TypedDict):
    """Random ranges in which the engine found nothing."""

    samples: list[ReviewSamplesSample]
    """Ranges in random order; none if all time was reviewed."""


class ReviewScoresScorePrecision(TypedDict):
    """Share of the decided events that are right; null without one (Wilson interval)."""

    value: float
    """The estimate."""
    low: float
    """Lower end of its 95 % interval."""
    high: float
    """Upper end of its 95 % interval."""


class ReviewScoresScoreRecall(TypedDict):
    """Share of the right events that the engine found (Wilson interval). Events that nobody noticed are not known, so it is an upper estimate; null while no missed event was added. `sampled` needs none."""

    value: float
    """The estimate."""
    low: float
    """Lower end of its 95 % interval."""
    high: float
    """Upper end of its 95 % interval."""


class ReviewScoresScoreSampledMissedEvents(TypedDict):
    """Events that the engine missed in all that time."""

    value: float
    """The estimate."""
    low: float
    """Lower end of its 95 % interval."""
    high: float
    """Upper end of its 95 % interval."""


class ReviewScoresScoreSampledRecall(TypedDict):
    """Share of the right events that the engine found, including missed events that nobody noticed; null if it found none, or none is decided."""

    value: float
    """The estimate."""
    low: float
    """Lower end of its 95 % interval."""
    high: float
    """Upper end of its 95 % interval."""


class ReviewScoresScoreSampled(TypedDict):
    """Recall from random ranges without events; null if none was reviewed."""

    ranges: int
    """Reviewed ranges without events, except those with the verdict `unsure`."""
    missed: int
    """Ranges in which an event starts that the engine missed."""
    events: int
    """Missed events that start in them: those that were added, at least one in each."""
    sampled_s: float
    """Their time in seconds."""
    unmatched_s: float
    """Time without events of the engine in all analyses of the prompt, in seconds."""
    missed_events: ReviewScoresScoreSampledMissedEvents
    """Events that the engine missed in all that time."""
    recall: ReviewScoresScoreSampledRecall | None
    """Share of the right events that the engine found, including missed events that nobody noticed; null if it found none, or none is decided."""


class ReviewScoresScoreOverlap(TypedDict):
    """Mean temporal overlap (intersection over union) of approved events with their corrected times."""

    value: float
    """The estimate."""
    low: float
    """Lower end of its 95 % interval."""
    high: float
    """Upper end of its 95 % interval."""


ReviewScoresScoreCalibrationItem = TypedDict(
    'ReviewScoresScoreCalibrationItem',
    {
        'from': float,
        'to': float,
        'events': int,
        'confidence': float,
        'approved': float,
    },
)


class ReviewScoresScore(TypedDict):
    query: str
    """The prompt."""
    engine_version: str
    """Version of the engine: planning, observers, models and the vision model."""
    folder_id: str | None
    """Folder of the videos; null: no folder."""
    folder_name: str | None
    """Name of that folder."""
    approved: int
    """Events of the engine that reviewers approved."""
    rejected: int
    """Events of the engine that they rejected."""
    unsure: int
    """Events of the engine that they were unsure about."""
    pending: int
    """Events of the same analyses that are not decided."""
    added: int
    """Events that the engine missed and people added."""
    precision: ReviewScoresScorePrecision | None
    """Share of the decided events that are right; null without one (Wilson interval)."""
    recall: ReviewScoresScoreRecall | None
    """Share of the right events that the engine found (Wilson interval). Events that nobody noticed are not known, so it is an upper estimate; null while no missed event was added. `sampled` needs none."""
    sampled: ReviewScoresScoreSampled | None
    """Recall from random ranges without events; null if none was reviewed."""
    overlap: ReviewScoresScoreOverlap | None
    """Mean temporal overlap (intersection over union) of approved events with their corrected times."""
    calibration_error: float | None
    """Mean difference of confidence and precision in bins of confidence, weighted by events."""
    calibration: list[ReviewScoresScoreCalibrationItem]
    """Decided events by confidence."""


class ReviewScores(TypedDict):
    """How good the answers to prompts are, from reviews."""

    scores: list[ReviewScoresScore]
    """One for each prompt, engine version and folder, most decided events first."""


class ReviewedEvents(TypedDict):
    """Events that were changed."""

    events: list[EventSummary]
    """The events after the change."""


class ReviewedSample(TypedDict):
    """A range with its verdict, and the event that was added."""

    analysis_id: str
    """Identifier of the analysis."""
    start_s: float
    """Start of the range in seconds from the first frame."""
    end_s: float
    """End of the range in seconds."""
    verdict: Literal['clear', 'missed', 'unsure']
    """`clear`: no event of the prompt starts in the range; `missed`: one starts there; `unsure`: not counted."""
    event: EventSummary | None
    """An event of a completed analysis in a list."""


class ReviewedSampleRequest(TypedDict):
    """What a reviewer saw in a range. With `missed`, `event` adds the event, which starts in the range."""

    start_s: float
    """Start of the range in seconds from the first frame."""
    end_s: float
    """End of the range in seconds."""
    verdict: Literal['clear', 'missed', 'unsure']
    """`clear`: no event of the prompt starts in the range; `missed`: one starts there; `unsure`: not counted."""
    event: NotRequired[NewEvent | None]
    """An event that the analysis missed. Without a severity it is `medium`."""


class RevokedInvitation(TypedDict):
    """The invitation was revoked."""

    invitation_id: str
    """Identifier of the revoked invitation."""


class RoleChange(TypedDict):
    """The new role of a member."""

    role: Literal['owner', 'admin', 'member']
    """`member`: reads and writes; `admin`: also manages keys and members; `owner`: also manages owners and admins."""


class RoleSetup(TypedDict):
    """Identity that the role must trust."""

    provider: Literal['google', 'aws']
    """Cloud provider of this deployment’s identity."""
    auth_mode: Literal['web_identity', 'assume_role']
    """`web_identity` (AssumeRoleWithWebIdentity with a token of the service account) or `assume_role` (AssumeRole with an external id)."""
    project_id: str | None
    """Google Cloud project of the service account."""
    google_service_account_email: str | None
    """Email address of the service account."""
    google_service_account_subject_id: str | None
    """Unique id of the service account: the subject of its tokens."""
    audience: str | None
    """Audience of the tokens; unique to your organization."""
    external_id: str | None
    """External id for `assume_role`; unique to your organization."""
    aws_trust_policy_template: dict[str, Any]
    """Trust policy for the role in your AWS account; use it unchanged. The role needs s3:ListBucket and s3:GetObject."""


RowsToRetryRowsToRetryVideoId: TypeAlias = str


class RowsToRetryRowsToRetry(TypedDict):
    """The rows to retry."""

    video_ids: NotRequired[list[RowsToRetryRowsToRetryVideoId] | None]
    """Videos whose failed rows are retried; the front of a set stands for all views. Default: all."""


RowsToRetry: TypeAlias = RowsToRetryRowsToRetry | None
"""The rows to retry."""


class SavedLiveStream(TypedDict):
    """The stream was created or changed."""

    ok: bool
    """Always true."""


class SavedQuestionRecorded(TypedDict, closed=True):
    """Run only on videos that were recorded then; one without a known time of recording matches no filter. It replaces all of these filters; `{}`: none."""

    recorded_after: NotRequired[str | None]
    """Only videos of which a part was recorded at this time or later, ISO 8601. Those without a known time of recording match none of these filters."""
    recorded_before: NotRequired[str | None]
    """Only videos whose recording started before this time, ISO 8601."""
    time_of_day: NotRequired[str | None]
    """Only videos of which a part was recorded in this daily interval of local time, which may cross midnight: `22:00-06:00`."""
    weekday: NotRequired[str | None]
    """Only videos of which a part was recorded on these days of the week: `sat,sun`."""


SavedQuestionRuleQuietHours = TypedDict(
    'SavedQuestionRuleQuietHours',
    {
        'from': str,
        'to': str,
        'time_zone': str,
    },
)


class SavedQuestionRuleDigest(TypedDict):
    """A daily digest: what matched yesterday in at most five lines, and a link to a recap clip, sent to webhooks as `digest.created`. Null: none."""

    at: str
    """Local time of day at which it is sent, `HH:MM`."""
    time_zone: str
    """IANA name of the time zone, such as `Europe/Berlin`."""


class SavedQuestionRule(TypedDict):
    """Which events are announced."""

    labels: list[str]
    """Only events whose label or kind contains one of these texts, in any case; empty: all."""
    min_confidence: float | None
    """Least confidence of an announced event, 0 to 1; null: that of the query."""
    cooldown_s: int
    """Least seconds between two alerts of the question. With a cooldown, the most confident event stands for all matching events of a video. 0: each event is an alert, at most 100 per video."""
    quiet_hours: SavedQuestionRuleQuietHours | None
    """A daily interval: matching events of a video that is analyzed in this time are not announced. Null: none."""
    digest: SavedQuestionRuleDigest | None
    """A daily digest: what matched yesterday in at most five lines, and a link to a recap clip, sent to webhooks as `digest.created`. Null: none."""


class SavedQuestionChangeRecorded(TypedDict, closed=True):
    """Run only on videos that were recorded then; one without a known time of recording matches no filter. It replaces all of these filters; `{}`: none."""

    recorded_after: NotRequired[str | None]
    """Only videos of which a part was recorded at this time or later, ISO 8601. Those without a known time of recording match none of these filters."""
    recorded_before: NotRequired[str | None]
    """Only videos whose recording started before this time, ISO 8601."""
    time_of_day: NotRequired[str | None]
    """Only videos of which a part was recorded in this daily interval of local time, which may cross midnight: `22:00-06:00`."""
    weekday: NotRequired[str | None]
    """Only videos of which a part was recorded on these days of the week: `sat,sun`."""


SavedQuestionChangeWebhookId: TypeAlias = str


SavedQuestionChangeRuleLabel: TypeAlias = str


SavedQuestionChangeRuleQuietHours = TypedDict(
    'SavedQuestionChangeRuleQuietHours',
    {
        'from': str,
        'to': str,
        'time_zone': str,
    },
)


class SavedQuestionChangeRuleDigest(TypedDict):
    """A daily digest: what matched yesterday in at most five lines, and a link to a recap clip, sent to webhooks as `digest.created`. Null: none."""

    at: str
    """Local time of day at which it is sent, `HH:MM`."""
    time_zone: str
    """IANA name of the time zone, such as `Europe/Berlin`."""


class SavedQuestionChangeRule(TypedDict):
    """Which events are announced. It replaces the whole rule; without one, all events are announced."""

    labels: NotRequired[list[SavedQuestionChangeRuleLabel] | None]
    """Only events whose label or kind contains one of these texts, in any case; empty: all."""
    min_confidence: NotRequired[float | None]
    """Least confidence of an announced event, 0 to 1; null: that of the query."""
    cooldown_s: NotRequired[int | None]
    """Least seconds between two alerts of the question. With a cooldown, the most confident event stands for all matching events of a video. 0: each event is an alert, at most 100 per video."""
    quiet_hours: NotRequired[SavedQuestionChangeRuleQuietHours | None]
    """A daily interval: matching events of a video that is analyzed in this time are not announced. Null: none."""
    digest: NotRequired[SavedQuestionChangeRuleDigest | None]
    """A daily digest: what matched yesterday in at most five lines, and a link to a recap clip, sent to webhooks as `digest.created`. Null: none."""


class SavedQuestionChange(TypedDict):
    """Settings to change; others stay as they are. `folder_id: ""` removes the folder, and a time in the past for `snoozed_until` ends the snooze."""

    name: NotRequired[str | None]
    """Name of the question, which alerts repeat."""
    query: NotRequired[str | None]
    """The prompt: what to find, in plain words. At most 10,000 characters."""
    mode: NotRequired[Literal['fast', 'thinking'] | None]
    """`fast`: a sparse pass where that is sufficient; `thinking`: all frames. Default: `thinking`."""
    min_confidence: NotRequired[float | None]
    """Least confidence of an event, 0 to 1. Default: 0.5."""
    verify: NotRequired[Literal['auto', 'always', 'never'] | None]
    """Which events a configured vision-language model verifies: those in doubt, up to 20 of all, or none. Default: `auto`."""
    folder_id: NotRequired[str | None]
    """Run on new videos of this folder. Default, and if empty: on shared videos of the organization and your own."""
    time_zone: NotRequired[str | None]
    """Time zone of days and times of day in the prompt and in `recorded`: an IANA name, or an offset such as `+01:00`. Default, and if empty: that of each video."""
    recorded: NotRequired[SavedQuestionChangeRecorded | None]
    """Run only on videos that were recorded then; one without a known time of recording matches no filter. It replaces all of these filters; `{}`: none."""
    enabled: NotRequired[bool | None]
    """False: paused, new videos are not analyzed. Default: true."""
    snoozed_until: NotRequired[str | None]
    """No event is announced until then; videos are still analyzed. ISO 8601. Default: null."""
    webhook_ids: NotRequired[list[SavedQuestionChangeWebhookId] | None]
    """Webhooks that receive its alerts and digests, whatever other messages they receive; none of them: the alerts are only listed. Default, and null: all webhooks that want alerts."""
    rule: NotRequired[SavedQuestionChangeRule | None]
    """Which events are announced. It replaces the whole rule; without one, all events are announced."""


class SavedQuestionReadingProposed(TypedDict):
    """How this version reads the words, if it asks for something else. Null: it does not."""

    reading_id: str
    """Identifies the reading in a decision about it."""
    interpretation: str
    """What this version would search for, in one sentence."""
    engine_version: str
    """Version of the engine."""


class SavedQuestionReading(TypedDict):
    """How the words of a saved question are understood, in its runs and by this version."""

    state: Literal['current', 'differs', 'declined', 'unusable']
    """`current`: this version reads the words in the same way; `differs`: it reads them differently, and the stored reading is used until somebody accepts the other one; `declined`: the same, and somebody has decided to keep the stored one; `unusable`: this version cannot run the stored reading, and the question is not answered."""
    interpretation: str | None
    """What its runs search for, in one sentence; null if this version cannot run it."""
    engine_version: str | None
    """Version of the engine that read the words; null if it is not known."""
    problem: str | None
    """Why this version cannot run it; null if it can."""
    proposed: SavedQuestionReadingProposed | None
    """How this version reads the words, if it asks for something else. Null: it does not."""


class SavedQuestionReadingDecision(TypedDict):
    """What to do with the reading that this version proposes."""

    reading_id: str
    """The `reading_id` of the proposed reading."""
    decision: Literal['accept', 'keep']
    """`accept`: later runs use the proposed reading. `keep`: they use the stored one, and this reading is not proposed again."""


class SavedQuestionRequestRecorded(TypedDict, closed=True):
    """Run only on videos that were recorded then; one without a known time of recording matches no filter. It replaces all of these filters; `{}`: none."""

    recorded_after: NotRequired[str | None]
    """Only videos of which a part was recorded at this time or later, ISO 8601. Those without a known time of recording match none of these filters."""
    recorded_before: NotRequired[str | None]
    """Only videos whose recording started before this time, ISO 8601."""
    time_of_day: NotRequired[str | None]
    """Only videos of which a part was recorded in this daily interval of local time, which may cross midnight: `22:00-06:00`."""
    weekday: NotRequired[str | None]
    """Only videos of which a part was recorded on these days of the week: `sat,sun`."""


SavedQuestionRequestWebhookId: TypeAlias = str


SavedQuestionRequestRuleLabel: TypeAlias = str


SavedQuestionRequestRuleQuietHours = TypedDict(
    'SavedQuestionRequestRuleQuietHours',
    {
        'from': str,
        'to': str,
        'time_zone': str,
    },
)


class SavedQuestionRequestRuleDigest(TypedDict):
    """A daily digest: what matched yesterday in at most five lines, and a link to a recap clip, sent to webhooks as `digest.created`. Null: none."""

    at: str
    """Local time of day at which it is sent, `HH:MM`."""
    time_zone: str
    """IANA name of the time zone, such as `Europe/Berlin`."""


class SavedQuestionRequestRule(TypedDict):
    """Which events are announced. It replaces the whole rule; without one, all events are announced."""

    labels: NotRequired[list[SavedQuestionRequestRuleLabel] | None]
    """Only events whose label or kind contains one of these texts, in any case; empty: all."""
    min_confidence: NotRequired[float | None]
    """Least confidence of an announced event, 0 to 1; null: that of the query."""
    cooldown_s: NotRequired[int | None]
    """Least seconds between two alerts of the question. With a cooldown, the most confident event stands for all matching events of a video. 0: each event is an alert, at most 100 per video."""
    quiet_hours: NotRequired[SavedQuestionRequestRuleQuietHours | None]
    """A daily interval: matching events of a video that is analyzed in this time are not announced. Null: none."""
    digest: NotRequired[SavedQuestionRequestRuleDigest | None]
    """A daily digest: what matched yesterday in at most five lines, and a link to a recap clip, sent to webhooks as `digest.created`. Null: none."""


class SavedQuestionRequest(TypedDict):
    """A question to save."""

    name: str
    """Name of the question, which alerts repeat."""
    query: str
    """The prompt: what to find, in plain words. At most 10,000 characters."""
    mode: NotRequired[Literal['fast', 'thinking'] | None]
    """`fast`: a sparse pass where that is sufficient; `thinking`: all frames. Default: `thinking`."""
    min_confidence: NotRequired[float | None]
    """Least confidence of an event, 0 to 1. Default: 0.5."""
    verify: NotRequired[Literal['auto', 'always', 'never'] | None]
    """Which events a configured vision-language model verifies: those in doubt, up to 20 of all, or none. Default: `auto`."""
    folder_id: NotRequired[str | None]
    """Run on new videos of this folder. Default, and if empty: on shared videos of the organization and your own."""
    time_zone: NotRequired[str | None]
    """Time zone of days and times of day in the prompt and in `recorded`: an IANA name, or an offset such as `+01:00`. Default, and if empty: that of each video."""
    recorded: NotRequired[SavedQuestionRequestRecorded | None]
    """Run only on videos that were recorded then; one without a known time of recording matches no filter. It replaces all of these filters; `{}`: none."""
    enabled: NotRequired[bool | None]
    """False: paused, new videos are not analyzed. Default: true."""
    snoozed_until: NotRequired[str | None]
    """No event is announced until then; videos are still analyzed. ISO 8601. Default: null."""
    webhook_ids: NotRequired[list[SavedQuestionRequestWebhookId] | None]
    """Webhooks that receive its alerts and digests, whatever other messages they receive; none of them: the alerts are only listed. Default, and null: all webhooks that want alerts."""
    rule: NotRequired[SavedQuestionRequestRule | None]
    """Which events are announced. It replaces the whole rule; without one, all events are announced."""


class SavedQuestionRun(TypedDict):
    """A saved question on one video. There is one run per video at most."""

    run_id: str
    """Identifier of the run."""
    video_id: str
    """The video."""
    video_name: str
    """Name of the video."""
    status: Literal['waiting', 'processing', 'completed', 'failed']
    """State of the run."""
    batch_id: str | None
    """Batch of its analysis; null while it waits."""
    analysis_id: str | None
    """Its analysis; null before that has ended."""
    event_count: int
    """Events of the analysis."""
    matching_count: int
    """Events that match the rule."""
    alert_count: int
    """Alerts that were raised."""
    silenced: Literal['not_requested', 'paused', 'snoozed', 'quiet_hours', 'cooldown'] | None
    """Why matching events were not announced; null: they were, or there are none."""
    error: str | None
    """Code of the failure; null without one."""
    message: str | None
    """Reason of the failure in a sentence; null without one."""
    created_at: str
    """Time of the request or of the new video, ISO 8601, UTC."""
    ended_at: str | None
    """End of the analysis; null while it runs."""


class SavedQuestionRunList(TypedDict):
    """A page of runs."""

    runs: list[SavedQuestionRun]
    """Runs on videos that you may read, newest first."""
    has_more: bool
    """True if more runs follow."""
    next_cursor: str | None
    """Value of `cursor` for the next page."""


class SavedQuestionRunRequest(TypedDict):
    """How to run a saved question on existing videos."""

    announce: NotRequired[bool | None]
    """True: matching events raise alerts. Default: false."""


class SchemaQuery(TypedDict):
    """A prompt that states the form of its answer."""

    query: str
    """The prompt. At most 10,000 characters."""


class SearchSessionDataMatch(TypedDict):
    event_id: str
    """Identifier of the event, as in the document of that analysis."""
    video_id: str
    """Identifier of the video."""
    analysis_id: str
    """Analysis that reported the event."""
    event_index: int
    """Index of the event in that analysis, from 0."""
    similarity: float
    """Share of the query that matches the event, 0 to 1."""
    reason: str
    """Explanation of the match, in a sentence."""


class SearchSessionData(TypedDict):
    """The session."""

    status: str
    """`pending` until the search was run, then `completed`."""
    query: str
    """Words of the search."""
    folder_name: str
    """Name of the folder."""
    summary: str
    """The result in a sentence; empty while the search is pending."""
    thoughts: list[str]
    """How the query was interpreted."""
    matches: list[SearchSessionDataMatch]
    """Events that match, best first; at most 200."""
    created_at: str
    """Creation time, ISO 8601, UTC."""
    completed_at: str | None
    """Completion time, ISO 8601, UTC."""


class SearchSession(TypedDict):
    """A search and its result."""

    data: SearchSessionData
    """The session."""


class SearchToRun(TypedDict):
    """The search to run. Other fields of older clients are accepted and ignored."""

    session_id: str
    """Session to run, which has the query and the folder."""


class SecondFactorCode(TypedDict):
    """A code of the authenticator app."""

    code: str
    """The code that the authenticator app shows."""


class SecondFactorKey(TypedDict):
    """A key for an authenticator app: SHA-1, six digits, 30 seconds."""

    key: str
    """The key in Base32, for apps that cannot read the QR code."""
    uri: str
    """The `otpauth:` address that the QR code contains."""


SelectionToPreviewIncludeItem: TypeAlias = str


SelectionToPreviewExcludeItem: TypeAlias = str


class SelectionToPreview(TypedDict):
    """A selection to preview. `source` is required if no `integration_id` is given."""

    source: NotRequired[Literal['gcs', 's3', 'hf_bucket'] | None]
    """Provider of the bucket."""
    integration_id: NotRequired[str | None]
    """Integration that opens the bucket. Default: the one saved for the bucket."""
    bucket: NotRequired[str | None]
    """Name of the bucket. Optional if `integration_id` is given."""
    prefix: NotRequired[str | None]
    """Import objects whose key starts with this prefix. Default: the prefix of the integration."""
    include: NotRequired[list[SelectionToPreviewIncludeItem] | None]
    """Only import objects whose key matches one of these patterns: `*` matches within a folder, `**` across folders, `?` one character."""
    exclude: NotRequired[list[SelectionToPreviewExcludeItem] | None]
    """Skip objects whose key matches one of these patterns."""
    cursor: NotRequired[str | None]
    """`next_cursor` of the previous page."""


class ServiceAccountKey(TypedDict):
    """JSON key file of the service account."""

    type: Literal['service_account']
    """Always `service_account`; other kinds are not supported."""
    client_email: str
    """Email address of the account."""
    private_key: str
    """Private key, PEM."""
    private_key_id: NotRequired[str]
    """Id of the private key."""
    project_id: NotRequired[str]
    """Project of the account."""
    token_uri: NotRequired[str]
    """URL of the token endpoint."""


class Session(TypedDict):
    """A session of the user."""

    session_id: str
    """Identifier of the session."""
    current: bool
    """True for the session of this request."""
    method: Literal['password', 'link', 'sso']
    """How the user signed in: with a password, with an invitation or a link of the operator, or by single sign-on."""
    address: str
    """IP address of the client that signed in."""
    user_agent: str | None
    """User agent of that client."""
    created_at: str
    """Time of the sign-in, ISO 8601, UTC."""
    expires_at: str
    """Expiry, ISO 8601, UTC."""


class SessionList(TypedDict):
    """Your sessions."""

    sessions: list[Session]
    """Sessions, newest first."""


class SignInMethods(TypedDict):
    """Ways to sign in to this service."""

    password: bool
    """True if users sign in with an e-mail address and a password."""
    sso: bool
    """True if the operator configured single sign-on."""
    password_reset: bool
    """True if the service mails a link to a user who has forgotten the password."""


class SignedInSession(TypedDict):
    """The signed-in user. The session itself is in the cookie, which scripts cannot read."""

    session_id: str
    """Identifier of the session."""
    user_id: str
    """The signed-in user."""
    email: str
    """The user's e-mail address."""
    name: str
    """The user's name."""
    role: Literal['owner', 'admin', 'member']
    """`member`: reads and writes; `admin`: also manages keys and members; `owner`: also manages owners and admins."""
    locale: str | None
    """The user's language as a BCP 47 tag, such as `de`; null: that of the browser."""
    has_password: bool
    """True if the user can sign in with a password."""
    has_second_factor: bool
    """True if signing in with the password also needs a code of an authenticator app."""
    needs_second_factor: bool
    """True if the organization requires a second factor that the user has not set up: the session can do nothing else before."""
    recovery_codes_left: int
    """Number of unused recovery codes."""
    org_id: str
    """The user's organization."""
    org_name: str
    """Name of the organization."""
    operates_service: bool
    """True if this is the first organization of the service, whose administrators see its workers."""
    permissions: list[Literal['read', 'write', 'admin']]
    """Scopes of the session, according to the user's role."""
    expires_at: str
    """Expiry of the session, ISO 8601, UTC."""


class SignedManifest(TypedDict):
    """A signed URL for the HLS manifest of a live session."""

    url: str
    """Short-lived signed URL of the HLS manifest; needs no key."""
    expires_at: str
    """Expiry of the URL. Playback that has already started continues."""
    method: Literal['GET']
    """Always `GET`."""


class SignedUrl(TypedDict):
    """A URL that gives access without a key until it expires."""

    url: str
    """URL that works without a key. Supports `Range` and `HEAD`."""
    expires_at: str
    """Expiry time, ISO 8601, UTC."""
    method: Literal['GET', 'HEAD']
    """Method that the URL is valid for. A URL for `GET` also allows `HEAD`."""


class SignedUrlRequest(TypedDict):
    """A request for a signed URL. All fields are optional, and so is the body."""

    kind: NotRequired[Literal['film', 'poster', 'frame', 'storyboard', 'captions', 'captions_srt', 'clip', 'hls'] | None]
    """Kind of file: `film` (the uploaded video file), `poster` (JPEG), `frame` (JPEG; append `&t=` and a time in seconds to the URL), `storyboard` (WebVTT that refers to one JPEG of thumbnails), `captions` (WebVTT of the subtitles, or of the transcript), `captions_srt` (the same as SubRip), `clip` (MP4 from `start` to `end`) or `hls` (HLS stream that plays in every browser, whatever the codec of the video)."""
    start: NotRequired[float | None]
    """Start of a clip in seconds from the first frame. Frame-accurate."""
    end: NotRequired[float | None]
    """End of a clip in seconds, at most 300 after its start. Values past the end of the video mean its end."""
    expires_in: NotRequired[int | None]
    """Validity of the URL in seconds."""
    method: NotRequired[Literal['GET', 'HEAD'] | None]
    """Method that the URL is valid for. A URL for `GET` also allows `HEAD`."""
    path: NotRequired[str | None]
    """Accepted for existing clients and ignored. Use `kind` instead."""
    share_token: NotRequired[str | None]
    """Accepted for existing clients and ignored."""
    allow_sample: NotRequired[bool | None]
    """Accepted for existing clients and ignored."""
    batch_id: NotRequired[str | None]
    """Accepted for existing clients and ignored."""


class SignedUrlsResults(TypedDict):
    """The signed URL, or the error."""

    ok: Literal[True]
    url: str
    """URL that works without a key. Supports `Range` and `HEAD`."""
    expires_at: str
    """Expiry time, ISO 8601, UTC."""
    method: Literal['GET', 'HEAD']
    """Method that the URL is valid for. A URL for `GET` also allows `HEAD`."""


class SignedUrlsResults1(TypedDict):
    """The signed URL, or the error."""

    ok: Literal[False]
    error: str
    """Error code, listed in the error reference."""
    message: str
    """Error message."""
    status: int
    """HTTP status that this request would have on its own."""


class SignedUrls(TypedDict):
    """The results of several requests."""

    results: dict[str, SignedUrlsResults | SignedUrlsResults1]
    """One result per `request_id`."""


class SignedUrlsRequestRequest(TypedDict):
    request_id: str
    """Your identifier for this request. Its result is returned under it."""
    video_id: str
    """Identifier of the video."""
    kind: NotRequired[Literal['film', 'poster', 'frame', 'storyboard', 'captions', 'captions_srt', 'clip', 'hls'] | None]
    """Kind of file: `film` (the uploaded video file), `poster` (JPEG), `frame` (JPEG; append `&t=` and a time in seconds to the URL), `storyboard` (WebVTT that refers to one JPEG of thumbnails), `captions` (WebVTT of the subtitles, or of the transcript), `captions_srt` (the same as SubRip), `clip` (MP4 from `start` to `end`) or `hls` (HLS stream that plays in every browser, whatever the codec of the video)."""
    start: NotRequired[float | None]
    """Start of a clip in seconds from the first frame. Frame-accurate."""
    end: NotRequired[float | None]
    """End of a clip in seconds, at most 300 after its start. Values past the end of the video mean its end."""
    expires_in: NotRequired[int | None]
    """Validity of the URL in seconds."""
    method: NotRequired[Literal['GET', 'HEAD'] | None]
    """Method that the URL is valid for. A URL for `GET` also allows `HEAD`."""
    path: NotRequired[str | None]
    """Accepted for existing clients and ignored. Use `kind` instead."""
    share_token: NotRequired[str | None]
    """Accepted for existing clients and ignored."""
    allow_sample: NotRequired[bool | None]
    """Accepted for existing clients and ignored."""
    batch_id: NotRequired[str | None]
    """Accepted for existing clients and ignored."""


class SignedUrlsRequest(TypedDict):
    """Several requests for signed URLs."""

    requests: list[SignedUrlsRequestRequest]
    """The requests, 1 to 50."""


class SignedViewsView(TypedDict):
    role: str
    """Role of the view."""
    video_id: str
    """Video of the view."""
    label: str | None
    """Display label, if any."""
    offset_s: float
    """Time of its first frame, in seconds after the first frame of the primary."""
    url: str
    """URL that plays the view without an API key until it expires."""
    expires_at: str
    """Expiry of the URL, ISO 8601, UTC."""


class SignedViews(TypedDict):
    """Signed URLs of a set of views."""

    primary_view_id: str
    """Video of the primary view."""
    views: list[SignedViewsView]
    """Views, the primary first. To play them in sync, start each `offset_s` seconds after the primary."""


class SsoUrl(TypedDict):
    """The address at which you sign in with the provider."""

    url: str
    """Address at the provider to open in the browser."""


class StartedAnalysis(TypedDict):
    """The started analysis."""

    status: str
    """Status of the analysis."""
    analysis_id: str
    """Identifier of the analysis; its status is at `/api/videos/{video_id}/analyses/{analysis_id}/status`."""
    batch_id: str
    """The batch of this one analysis."""


class StartedComparison(TypedDict):
    """A comparison that was started."""

    batch_id: str
    """Batch of the changed query; the comparison has the same id."""
    stream_id: str
    """Stream of its events: `/api/router/v2/query/events/{stream_id}`."""
    status: str
    """`processing`."""
    total: int
    """Number of reviewed videos that it runs on."""


class StartedImport(TypedDict):
    """The started import."""

    import_job_id: str
    """Id of the import job: `ij_` and 12 hexadecimal digits."""
    status: Literal['importing', 'completed', 'partial', 'failed', 'cancelled']
    """`importing`, then `completed` (all objects imported), `partial` (some failed), `failed` (all failed) or `cancelled`."""
    total: int
    """Number of rows so far; final if the request named objects."""
    skipped: int
    """Number of objects so far that were already imported."""
    uploaded_video_ids: list[str]
    """Ids of the videos of the named objects, in request order. Empty for a selection."""


class StartedLiveSession(TypedDict):
    """The started session."""

    session_id: str
    """Identifier of the session."""
    stream_id: str
    """Stream of the session."""
    status: Literal['INITIALIZING', 'ACTIVE', 'ENDING', 'FINISHED', 'FAILED']
    """`INITIALIZING` until the first chunk is recorded, then `ACTIVE`; `ENDING` while the recording is finalized; at the end `FINISHED`, or `FAILED` if nothing was recorded."""
    name: str
    """Name, for display."""
    video_id: str
    """Identifier of the video of the recording."""


class StartedQuery(TypedDict):
    """A query that was accepted."""

    stream_id: str
    """Stream of its events: `/api/router/v2/query/events/{stream_id}`."""
    batch_id: str
    """Batch with one analysis per video."""
    status: str
    """`processing`; `completed` if no video of the library was chosen."""
    total: int
    """Number of analyses in the batch."""
    selection: NotRequired[LibraryCount]


class StartedRecordingsVideo(TypedDict):
    """A recording."""

    video_id: str
    """Id of the recording (`/api/mcap/{ingest_id}`)."""
    source_uri: str
    """URI of the object: `s3://bucket/key`."""


class StartedRecordings(TypedDict):
    """The started import."""

    import_job_id: str
    """Id of the import job: `ij_` and 12 hexadecimal digits."""
    status: Literal['importing', 'completed', 'partial', 'failed', 'cancelled']
    """`importing`, then `completed` (all objects imported), `partial` (some failed), `failed` (all failed) or `cancelled`."""
    total: int
    """Number of recordings."""
    skipped: int
    """Number of recordings that were already imported."""
    video_id: str | None
    """Id of the only recording (`/api/mcap/{ingest_id}`); null if there are several."""
    videos: list[StartedRecordingsVideo]
    """The recordings of all directories, in the order of the request."""


class StartedSavedQuestionRuns(TypedDict):
    """Runs of a saved question on existing videos."""

    batch_id: str
    """Batch with one analysis per video."""
    stream_id: str
    """Stream of its events."""
    total: int
    """Number of videos of the batch, at most 1,000."""
    has_more: bool
    """True if further videos remain: run the question again for them."""


class StartedSearch(TypedDict):
    """A new search session."""

    session_id: str
    """Identifier of the session."""
    owner_uid: str
    """Owner of the session."""
    session_doc_path: str
    """Path of the session, for older clients."""
    reasoning_trace_path: str
    """The same as `session_doc_path`."""


class StartedTaxonomyFastTaxonomy(TypedDict):
    """The run."""

    sub_batch_id: str
    """Identifier of the taxonomy."""


class StartedTaxonomy(TypedDict):
    """A taxonomy that is being filled."""

    status: str
    """`processing`."""
    dataset_id: str
    """Identifier of the dataset."""
    fast_taxonomy: StartedTaxonomyFastTaxonomy
    """The run."""


class StartedViewsQuery(TypedDict):
    """A query that was accepted."""

    stream_id: str
    """Stream of its events: `/api/router/v2/query/events/{stream_id}`."""
    batch_id: str
    """Batch with one analysis per view. Fuse its results when it is done."""
    status: str
    """`processing`."""
    total: int
    """Number of queried views."""


class StudioDatasetStats(TypedDict):
    """What the dataset has now."""

    video_count: int
    """Number of videos."""
    event_count: int
    """Number of events of its batches, without those of its other videos."""


class StudioDatasetOutputSchemaSchemaField(TypedDict):
    name: str
    """Name of the field."""
    type: str
    """`enum`, `boolean`, `number`, `text` or `time_range`."""
    description: str | None
    """What it states."""
    values: list[str] | None
    """Values of an enum; null for others."""
    repeated: bool
    """True if an event may have several values."""
    required: bool
    """True if the query required a value."""


class StudioDatasetOutputSchemaSchema(TypedDict):
    """Fields of events."""

    label: str
    """Name of the taxonomy."""
    fields: list[StudioDatasetOutputSchemaSchemaField]
    """Its fields."""


class StudioDatasetOutputSchema(TypedDict):
    taxonomy_id: str | None
    """Identifier; null if the fields come from queries."""
    source: str
    """`batch`: requested by queries; `manual`: added later."""
    status: str
    """`processing`, `done` or `failed`."""
    error: str | None
    """Why it failed, in a sentence; null if it did not."""
    analyses_done: int
    """Analyses whose events are classified."""
    analyses_total: int
    """All analyses."""
    schema: StudioDatasetOutputSchemaSchema
    """Fields of events."""


class StudioDatasetBucket(TypedDict):
    sub_batch_id: str
    """Identifier of the batch."""


class StudioDataset(TypedDict):
    """A dataset and the fields of its events."""

    id: str
    """Identifier of the dataset."""
    title: str
    """Name of the dataset."""
    description: str
    """What the dataset is for."""
    vertical: str | None
    """Field of work."""
    scope: str
    """`user`: personal; `org`: shared with the organization."""
    status: str
    """`processing`, `ready` or `error`, as of `Dataset`."""
    stats: StudioDatasetStats
    """What the dataset has now."""
    output_schemas: list[StudioDatasetOutputSchema]
    """Fields by which its events are classified."""
    buckets: list[StudioDatasetBucket]
    """Batches of the dataset."""
    created_at: str
    """Creation time, ISO 8601, UTC."""
    updated_at: str
    """Time of the last change, ISO 8601, UTC."""


class StudioDatasetList(TypedDict):
    """Datasets that you created."""

    datasets: list[StudioDataset]
    """Your 100 newest datasets."""


StudioDatasetRequestBatchId: TypeAlias = str


StudioDatasetRequestFolderId: TypeAlias = str


class StudioDatasetRequest(TypedDict):
    """A dataset of batches or of folders."""

    title: str
    """Name of the dataset."""
    batch_ids: NotRequired[list[StudioDatasetRequestBatchId] | None]
    """Batches that you may read."""
    folder_ids: NotRequired[list[StudioDatasetRequestFolderId] | None]
    """Folders instead of batches: the dataset has the videos that are in them now."""
    description: NotRequired[str | None]
    """What the dataset is for."""
    vertical: NotRequired[str | None]
    """Field of work; it does not affect the content."""


class SystemInfoEngine(TypedDict):
    """The analysis engine."""

    version: str
    """Version of the analysis engine. The same version gives the same results."""
    media: str
    """Media engine that decodes video on this node."""


class SystemInfoObserver(TypedDict):
    kind: str
    """Kind of observer: `signals`, `sound`, `objects` and `telemetry` process every frame, `sounds` and `speech` the audio of videos that are queried for them, other kinds a sparse sample."""
    available: bool
    """True if the observer can run."""
    version: str | None
    """Version of the observer and of its stored observations."""
    reason: str | None
    """Reason why it cannot run, or why it uses a weaker model, and what to do; null otherwise."""


class SystemInfoModelLicense(TypedDict):
    """License of the weights."""

    name: str
    """Name of the license."""
    url: str
    """Text of the license."""


class SystemInfoModel(TypedDict):
    name: str
    """Name of the model."""
    title: str
    """Name by which its publisher calls it."""
    task: Literal['objects', 'sounds', 'speech', 'text', 'embeddings', 'poses']
    """`objects`: detects objects; `sounds`: recognizes sounds; `speech`: recognizes words; `text`: reads text."""
    license: SystemInfoModelLicense
    """License of the weights."""


class SystemInfoDetector(TypedDict):
    name: str
    """Name for `detector` of queries: that of a model, or `yolox_nano_640`, which is `yolox_nano` with a larger copy of each frame."""
    title: str
    """Name by which its publisher calls it."""
    available: bool
    """True if its weights are there and work."""
    is_default: bool
    """True if queries use it that name no other."""
    reason: str | None
    """Reason why it cannot be used; null if it can."""


class SystemInfoVision(TypedDict):
    """Default vision-language model, as this node knows it; null if none is configured."""

    model: str
    """Name of the model."""
    state: str
    """`unknown` until this node has called it, then `ok` or `failing`."""
    reason: str | None
    """Reason of the last failure; null after a success."""


class SystemInfoVisionProfileClips(TypedDict):
    """Use of clips, as this node knows it."""

    state: str
    """`off`: not configured; `untried` until this node has sent a clip; then `accepted`, or `refused`: frames are sent as images."""
    reason: str | None
    """Reason why images are sent; null without one."""


class SystemInfoVisionProfile(TypedDict):
    name: str
    """Name of the profile, for `vision_profile` of queries and folders."""
    model: str
    """Name of the model."""
    is_default: bool
    """True if queries use it that name no other."""
    state: str
    """`unknown` until this node has called it, then `ok` or `failing`."""
    reason: str | None
    """Reason of the last failure; null after a success."""
    concurrency: int
    """Maximum number of requests at the same time, from each node."""
    max_images: int
    """Maximum number of images in a request."""
    context_tokens: int | None
    """Tokens that a request may have; null: no known limit."""
    video_url: bool
    """True if frames are sent as clips (`video_url`) where it accepts them."""
    clips: SystemInfoVisionProfileClips
    """Use of clips, as this node knows it."""
    input_price: float
    """Price of a million input tokens."""
    output_price: float
    """Price of a million output tokens."""


class SystemInfoLanguageModel(TypedDict):
    """Language model that reads prompts, as this node knows it; null if none is configured."""

    model: str
    """Name of the model."""
    state: str
    """`unknown` until this node has checked it with control prompts whose readings are known; then `ok`, `failing` (its endpoint), or `doubted`: it read too many of them wrongly and is not used."""
    reason: str | None
    """Why it fails or is not used; null otherwise."""


class SystemInfoRunsAs(TypedDict):
    """User of the operating system that this node runs as, besides its media processes."""

    user: str | None
    """Name of the account; null if it has none."""
    is_root: bool
    """True if this node runs as root: `SIGHTLINE_USER` changes it."""


class SystemInfoSandboxMissingItem(TypedDict):
    protection: str
    """Protection that this system does not offer."""
    remedy: str
    """What to do to get it."""


class SystemInfoSandbox(TypedDict):
    """Containment of the processes that read files of users, on this node."""

    level: Literal['isolated', 'user', 'limits', 'none']
    """`isolated`: a media process reaches no network, no files but those of its task, no other process and no system call that it does not need. `user`: what its own user may not do. `limits`: limits on resources and no privileges. `none`: nothing is enforced by the system."""
    has_own_user: bool
    """True if media processes run as users of their own."""
    missing: list[SystemInfoSandboxMissingItem]
    """Protections that media processes lack on this node."""


class SystemInfoVectorSearch(TypedDict):
    """How frames and objects are searched by words and images."""

    method: Literal['exact', 'pgvector']
    """`pgvector`: the database searches by an index. `exact`: nodes compare all vectors, which they keep in memory."""
    version: str | None
    """Version of pgvector in the database; null without it."""
    stored: int | None
    """Number of stored vectors of all organizations; null unless the caller belongs to the first organization of the service."""
    indexed: int | None
    """Number of those that are in the index; null as for `stored`."""
    memory: int
    """Number of vectors that the exact scan keeps in the memory of a node."""
    reason: str | None
    """Why an index is not used, or that the vectors no longer fit in memory, with what to do; null otherwise, and as for `stored`."""


class SystemInfoIncidents(TypedDict):
    """Grouping of events that show the same incident."""

    pending: int | None
    """Number of events of earlier versions, of all organizations, whose incident is not computed yet; null unless the caller belongs to the first organization of the service."""


class SystemInfoLimits(TypedDict):
    """Limits of requests."""

    upload_bytes: int
    """Maximum size of a video in bytes."""
    json_bytes: int
    """Maximum size of a JSON or form body in bytes."""
    query_length: int
    """Maximum length of a prompt in characters."""
    videos_per_query: int
    """Maximum number of videos of a query."""
    video_seconds: int
    """Maximum duration of a video in seconds."""
    writes_per_minute: int
    """Maximum number of writes and queries per minute of one key or address."""
    writes_per_day: int
    """The same per day."""
    reads_per_minute: int
    """Maximum number of reads per minute of one key or address, on one node."""
    open_uploads: int
    """Maximum number of open resumable and direct uploads of an organization."""
    waiting_jobs: int
    """Maximum number of waiting jobs of an organization."""


class SystemInfo(TypedDict):
    """The service, its observers and its limits."""

    version: str
    """Version of the service."""
    engine: SystemInfoEngine
    """The analysis engine."""
    observers: list[SystemInfoObserver]
    """Observers of this node."""
    models: list[SystemInfoModel]
    """Models that the observers can use, with their licenses."""
    detectors: list[SystemInfoDetector]
    """Models that detect objects, as this node has them."""
    vision_model: str | None
    """Vision-language model that examines frames; null if none is configured."""
    vision: SystemInfoVision | None
    """Default vision-language model, as this node knows it; null if none is configured."""
    vision_profiles: list[SystemInfoVisionProfile]
    """Profiles of vision-language models, as this node knows them."""
    language_model: SystemInfoLanguageModel | None
    """Language model that reads prompts, as this node knows it; null if none is configured."""
    runs_as: SystemInfoRunsAs
    """User of the operating system that this node runs as, besides its media processes."""
    sandbox: SystemInfoSandbox
    """Containment of the processes that read files of users, on this node."""
    storage: str
    """Storage of files: `file` (local disk) or `s3`."""
    vector_search: SystemInfoVectorSearch
    """How frames and objects are searched by words and images."""
    incidents: SystemInfoIncidents
    """Grouping of events that show the same incident."""
    limits: SystemInfoLimits
    """Limits of requests."""


class TaxonomyRequest(TypedDict):
    """Fields by which the events of a dataset are classified."""

    label: NotRequired[str | None]
    """Name of the taxonomy."""
    fields: list[dict[str, Any]]
    """Fields as in `output_schema`, with the types `enum`, `boolean` and `number`."""
    source: NotRequired[str | None]
    """Sent by existing clients."""
    mode: NotRequired[str | None]
    """Sent by existing clients."""


class TaxonomyStatus(TypedDict):
    """The state of a taxonomy."""

    status: str
    """`processing`, `done` or `failed`."""
    error: str | None
    """Why it failed, in a sentence; null if it did not."""
    analyses_done: int
    """Analyses whose events are classified."""
    analyses_total: int
    """All analyses."""
    completed_fields: list[str]
    """Fields that are filled for all events."""
    total_fields: int
    """Number of fields."""


class TrajectoryTracks(TypedDict):
    """Measurements of one channel. Arrays run parallel to `t_sec`; null where nothing was measured."""

    channel: str
    """Channel of the recording."""
    schema: str
    """Type of its messages."""
    frame_id: str | None
    """Frame of reference of positions."""
    position_3d: NotRequired[list[list[float | None]]]
    """Positions x, y, z in meters."""
    rotation_3d: NotRequired[list[list[float | None]]]
    """Roll, pitch and yaw in radians."""
    joints_rad: NotRequired[dict[str, list[float | None]]]
    """Positions of each joint as recorded: radians for joints that turn, meters for those that slide."""


class Trajectory(TypedDict):
    """Measured motion of a machine during a video."""

    video_id: str
    """Identifier of the video."""
    tool: str
    """Name of the trajectory."""
    source: Literal['measured']
    """Always `measured`: by the sensors of a recording, never estimated from frames."""
    machine_alias: None
    """Always null: recordings do not name the machine."""
    machine_model: None
    """Always null."""
    sampling_rate_hz: float
    """Mean rate of `t_sec` in Hertz, at most 50."""
    frame_of_reference_3d: str | None
    """Frame of reference of all positions; null if they differ, or none is stated."""
    duration_s: float
    """Duration of the video in seconds."""
    t_sec: list[float]
    """Times in seconds from the first frame."""
    tracks: dict[str, TrajectoryTracks]
    """Measurements by channel."""
    chunks: list[Any]
    """Always empty: the trajectory is not split."""


class UnlinkedViews(TypedDict):
    """The set has ended."""

    status: Literal['unlinked']
    """Always `unlinked`. The videos stay."""
    primary_view_id: str
    """Primary video of the ended set."""


class UploadForm(TypedDict):
    """The parts may be in any order. A form without a file may also be URL-encoded or JSON."""

    source: Literal['file', 'video_url']
    """`file`: the form has the part `file`; `video_url`: the service fetches the URL."""
    file: NotRequired[bytes]
    """The video, for `source=file`. Its format is detected from its content; its file name becomes the name of the video."""
    video_url: NotRequired[str]
    """HTTP or HTTPS URL of a video, for `source=video_url`. Only public addresses are allowed, unless the operator allows others."""
    custom_name: NotRequired[str]
    """Name of the video, instead of its file name."""
    sha256: NotRequired[str]
    """SHA-256 of the file as 64 hexadecimal digits, for `source=file`. A file with another digest is refused."""
    metadata_file: NotRequired[bytes]
    """Data recorded together with the video, at most 16 MiB. JSON: an object, optionally with `fields: [{name, type, unit}]` and rows in `data`, or an array of rows; CSV with a header line; or the subtitles of a drone (SRT). Rows with a time (seconds from the first frame, or dates) and a speed, acceleration, yaw rate, heading or position are telemetry, which answers prompts such as "faster than 80 km/h"; `metadata.sidecar.telemetry` reports the telemetry that was read."""
    subtitles_file: NotRequired[bytes]
    """Subtitles of the video, SubRip (SRT) or WebVTT, at most 4 MiB. They are shown as captions, and prompts about what is spoken are answered from them; `metadata.subtitles` summarizes them."""
    scope: NotRequired[Literal['user', 'org']]
    """Visibility: `user`, to you only; `org`, to the organization. Default: the scope of the folder, else `user`."""
    folder_id: NotRequired[str]
    """Folder for the video."""
    chunk_size: NotRequired[int]
    """Accepted from existing clients and ignored: videos are not split."""


class UploadedMcapFile(TypedDict):
    """The file was stored."""

    mcap_ingest_id: str
    """Identifier of the ingest."""
    status: str
    """Always `uploaded`."""


class UsageVision(TypedDict):
    """Use of the vision-language model."""

    month: str
    """The current calendar month in UTC: `2026-11`."""
    calls: int
    """Calls in this month; those answered from the cache do not count."""
    input_tokens: int
    """Input tokens, as the endpoint counts them."""
    output_tokens: int
    """Output tokens."""
    cost: float
    """Cost in the currency of the configured prices; 0 without prices."""
    max_tokens: float | None
    """Largest number of tokens in a month; null: no limit."""
    max_cost: float | None
    """Largest cost in a month; null: no limit."""


class Usage(TypedDict):
    """Usage and limits of an organization."""

    videos: int
    """Number of videos, including deleted ones that can be restored."""
    bytes: int
    """Bytes that are stored, or reserved for running uploads."""
    max_videos: int | None
    """Largest number of videos; null: no limit."""
    max_bytes: int | None
    """Largest number of stored bytes; null: no limit."""
    vision: UsageVision
    """Use of the vision-language model."""


class VerifiedKey(TypedDict):
    """The owner and the permissions of a key or session."""

    valid: Literal[True]
    """Always true: an invalid key gets 401 or 403."""
    user_id: str
    """Owner of the key."""
    uid: str
    """The same as `user_id`."""
    email: str
    """The user's e-mail address."""
    org_id: str
    """The user's organization."""
    key_id: str | None
    """Identifier of the key; null in a session."""
    scope: list[Literal['read', 'write', 'admin']]
    """Scopes that were given to the key."""
    permissions: list[Literal['read', 'write', 'admin']]
    """Effective scopes: `admin` includes `read` and `write`."""
    expires_at: str
    """Expiry of the key or session, ISO 8601, UTC."""
    folder_id: str | None
    """The only folder the key can access; null: all folders. After the deletion of the folder the key can access nothing."""


class VideoClockConflict(TypedDict):
    source: Literal['person', 'live', 'gps', 'log', 'sidecar', 'container', 'rule', 'name', 'picture']
    """`person`: somebody set it; `live`: the clock of this service during a livestream; `gps`: a GPS receiver; `log`: the clock of a robot log; `sidecar`: a file beside the video; `container`: the file; `rule`: the path, by the rule of the folder; `name`: the name of the file; `picture`: a clock that is read in the frames."""
    recorded_at: str
    """What this source says, ISO 8601, UTC."""


class VideoClock(TypedDict):
    """What `recorded_at` is derived from; null if it is null."""

    source: Literal['person', 'live', 'gps', 'log', 'sidecar', 'container', 'rule', 'name', 'picture']
    """`person`: somebody set it; `live`: the clock of this service during a livestream; `gps`: a GPS receiver; `log`: the clock of a robot log; `sidecar`: a file beside the video; `container`: the file; `rule`: the path, by the rule of the folder; `name`: the name of the file; `picture`: a clock that is read in the frames."""
    zone_known: bool
    """False if the source does not say in which time zone it is, or if cameras often write local time there: `recorded_at` then assumes UTC."""
    shift_s: float
    """Seconds that a person added to what the source says, for a wrong clock."""
    rate: float
    """Seconds of the calendar in a second of the video: 1, unless two points correct a clock that drifts, or of a time lapse."""
    conflicts: list[VideoClockConflict]
    """Sources that contradict it by more than a minute."""


class VideoEventsLabel(TypedDict):
    value: str
    """The label."""
    count: int
    """Number of events."""


class VideoEvents(TypedDict):
    """With `include=events`: events of the video."""

    count: int
    """Number of events of its analyses that you may read; the newest 1000 are counted."""
    incidents: int
    """Number of incidents that they show: several questions may report the same one."""
    pending_incidents: int
    """Number of incidents with an event that neither a verdict nor one that follows from another decides."""
    pending: int
    """Number of them on which no reviewer has decided."""
    labels: list[VideoEventsLabel]
    """Its most frequent labels, at most three."""


class Video(TypedDict):
    """A video of the library."""

    video_id: str
    """Identifier of the video."""
    status: Literal['processing', 'uploaded', 'uploading_failed']
    """`processing`: the upload is not complete; `uploaded`: stored and readable; `uploading_failed`: see `message`."""
    video_name: str
    """Name of the video."""
    filename: str
    """The same as `video_name`."""
    duration_s: float | None
    """Duration in seconds of presentation time; null until it is known."""
    folder_id: str | None
    """Folder of the video, if any."""
    folder_name: str | None
    """Name of the folder."""
    org_id: str
    """Organization of the video."""
    scope: Literal['user', 'org', 'sample']
    """`user`: visible to its owner; `org`: visible to everyone in the organization; `sample`: visible to everyone in the organization, read-only."""
    created_at: str
    """Start of the upload, ISO 8601, UTC."""
    recorded_at: str | None
    """Time at which the first frame was recorded, ISO 8601, UTC; null if nothing says it."""
    time_zone: str | None
    """Time zone of the place where it was recorded: an IANA name such as `Europe/Berlin`, or an offset such as `+01:00`; null if it is unknown."""
    size_bytes: int | None
    """Size of the file in bytes."""
    error: NotRequired[str]
    """Code of the reason; only if the upload failed."""
    message: NotRequired[str]
    """Reason as a sentence; only if the upload failed."""
    source: str
    """Source of the video, such as `file` or `video_url`."""
    camera_id: str | None
    """Camera that it is a recording of; null for other videos."""
    clock: VideoClock | None
    """What `recorded_at` is derived from; null if it is null."""
    tags: list[str]
    """Tags of the video."""
    metadata: dict[str, str | float | bool]
    """Metadata that users added."""
    hold: LegalHold | None
    """Legal hold of a video: until an administrator releases it, nothing deletes or erases it."""
    restorable_until: str | None
    """End of the period in which a deleted video can be restored; null if it is not deleted, or erased. On legal hold it has no end: `9999-12-31T00:00:00.000Z`."""
    poster_url: NotRequired[str | None]
    """With `include=poster`: signed URL of the poster that needs no key, valid for an hour; null unless the video is uploaded."""
    events: NotRequired[VideoEvents]
    """With `include=events`: events of the video."""


VideoChangesTag: TypeAlias = str
"""A tag. Surrounding spaces are removed."""


class VideoChangesReferencePoint(TypedDict, closed=True):
    """A point of a video whose time is known."""

    at_s: float
    """Second of the video."""
    recorded_at: str
    """Time at which it was recorded, ISO 8601."""


class VideoChanges(TypedDict):
    """Changes to a video; omitted fields stay as they are."""

    name: NotRequired[str | None]
    """New name."""
    folder_id: NotRequired[str | None]
    """Folder to move it into; null removes it from its folder."""
    tags: NotRequired[list[VideoChangesTag] | None]
    """New tags; they replace the existing ones."""
    metadata: NotRequired[dict[str, str | float | bool | None] | None]
    """Names and values that are merged into the metadata; null removes a name."""
    recorded_at: NotRequired[str | None]
    """Time at which the first frame was recorded, ISO 8601; null: by what the file says."""
    time_zone: NotRequired[str | None]
    """Time zone of the place: an IANA name such as `Europe/Berlin`, or an offset such as `+01:00`; null: by what the file says. A local time in the name of a file is read in it."""
    reference_points: NotRequired[list[VideoChangesReferencePoint] | None]
    """Two points of the video whose times are known: the first frame and the rate follow from them, as of a camera whose clock drifts or of a time lapse. They replace `recorded_at`; null: none."""


VideoClockChangesVideoId: TypeAlias = str


class VideoClockChangesReferencePoint(TypedDict, closed=True):
    """A comparison of a clock with the right time."""

    shown_at: str
    """Time by the clock of the camera, ISO 8601."""
    recorded_at: str
    """The right time."""


class VideoClockChanges(TypedDict):
    """Changes to the clocks of videos; omitted fields stay as they are."""

    video_ids: list[VideoClockChangesVideoId]
    """The videos; duplicates count once."""
    time_zone: NotRequired[str | None]
    """Time zone of the place: an IANA name such as `Europe/Berlin`, or an offset such as `+01:00`; null: by what the file says. A local time in the name of a file is read in it."""
    shift_s: NotRequired[float | None]
    """Seconds that are added to what the file says, for a camera whose clock is wrong: 90 if it is a minute and a half slow. It replaces the previous one."""
    local_header: NotRequired[bool | None]
    """True: the files state local time where UTC belongs, as many cameras write it; it is read in `time_zone`. Default: false."""
    reference_points: NotRequired[list[VideoClockChangesReferencePoint] | None]
    """Two comparisons of the clock of the camera with the right time, where it drifts. What the sources say is corrected by the line through them, instead of by `shift_s`; null: none."""


class VideoFacetsStatus(TypedDict):
    value: Literal['processing', 'uploaded', 'uploading_failed']
    """`processing`: the upload is not complete; `uploaded`: stored and readable; `uploading_failed`: see `message`."""
    count: int
    """Number of videos."""


class VideoFacetsSource(TypedDict):
    value: str
    """The value."""
    count: int
    """Number of videos."""


class VideoFacetsScope(TypedDict):
    value: str
    """The value."""
    count: int
    """Number of videos."""


class VideoFacetsTag(TypedDict):
    value: str
    """The value."""
    count: int
    """Number of videos."""


class VideoFacetsDuration(TypedDict):
    min_s: float
    """Least duration in seconds."""
    max_s: float | None
    """Durations are less than this; null: no limit."""
    count: int
    """Number of videos."""


class VideoFacetsCreatedItem(TypedDict):
    after: str | None
    """Start, ISO 8601, UTC; null: no limit."""
    before: str | None
    """End, ISO 8601, UTC; null: no limit."""
    count: int
    """Number of videos."""


class VideoFacets(TypedDict):
    """Numbers of videos by field, most videos first; at most 50 tags and sources. A field is counted without the filter on it (`status`, `source`, `scope`, `queried`, durations, `created_after`), so that it shows what other values would find."""

    total: int
    """Number of counted videos that match all filters."""
    is_complete: bool
    """True if all videos were counted. False: only those among the newest 10,000 of the folder, or with the name and the tag."""
    statuses: list[VideoFacetsStatus]
    """Videos by status."""
    sources: list[VideoFacetsSource]
    """Videos by source, such as `file` or `video_url`."""
    scopes: list[VideoFacetsScope]
    """Videos by scope."""
    tags: list[VideoFacetsTag]
    """Videos by tag."""
    queried: int
    """Number of videos with an analysis that you may read."""
    not_queried: int
    """Number of videos without one."""
    durations: list[VideoFacetsDuration]
    """Videos by duration, shortest first. Videos whose duration is unknown are in no range."""
    created: list[VideoFacetsCreatedItem]
    """Videos by the start of their upload, newest first: of the last day, week, month and year."""


class VideoIndexGroundedCaptionItem(TypedDict):
    t_start: float
    """Start in seconds from the first frame."""
    t_end: float
    """End in seconds from the first frame."""
    caption: str
    """What is in view, in a sentence."""


class VideoIndex(TypedDict):
    """Captions of a video."""

    status: Literal['completed', 'failed']
    """`completed` or `failed`."""
    grounded_caption: NotRequired[list[VideoIndexGroundedCaptionItem]]
    """Captions in the order of time."""
    batch_id: NotRequired[str]
    """Batch of the analysis."""
    analysis_id: NotRequired[str]
    """Analysis whose events are the captions."""
    index_video_id: NotRequired[str]
    """Video that was captioned instead: the primary view of the set."""
    warnings: NotRequired[list[str]]
    """Limits of the captions."""
    error: NotRequired[str]
    """Reason of a failure."""
    error_code: NotRequired[str]
    """Stable code of a failure."""


VideoObservationsLane = TypedDict(
    'VideoObservationsLane',
    {
        'field': str,
        'unit': str,
        'pass': Literal['dense', 'sparse'],
        'times_s': list[float],
        'min': list[float],
        'max': list[float],
        'samples': int,
    },
)


class VideoObservationsUnavailableItem(TypedDict):
    """A field without values."""

    field: str
    """The field."""
    reason: str
    """`not_observed`, `needs_every_frame`, `no_detector`, `no_audio`, `none_found`, `no_telemetry` or `not_measured`."""
    message: str
    """The reason as a sentence."""


class VideoObservationsCoverageItem(TypedDict):
    """A part of the range, and how it was seen."""

    from_s: float
    """Start in seconds."""
    to_s: float
    """End in seconds."""
    seen: Literal['every_frame', 'single_frames', 'unchanged', 'nothing']
    """`every_frame`; `single_frames`: frames some seconds apart; `unchanged`: single frames, and the packets between them show no change; `nothing`: not observed yet, damaged, or a gap in the recording."""
    message: str
    """The same as a sentence."""


class VideoObservations(TypedDict):
    """What was observed in a video, over time."""

    video_id: str
    """Identifier of the video."""
    from_s: float
    """Start of the range in seconds."""
    to_s: float
    """End of the range in seconds."""
    lanes: list[VideoObservationsLane]
    """Fields with values."""
    unavailable: list[VideoObservationsUnavailableItem]
    """Fields without values, and why."""
    counted: list[str]
    """Fields that count objects of a class in this video, most frequent class first."""
    coverage: list[VideoObservationsCoverageItem]
    """How the parts of the range were seen. They are ascending and cover the range."""


class VideoPage(TypedDict):
    """A page of the library."""

    videos: list[Video]
    """Videos in the requested order."""
    has_more: bool
    """True if more videos follow."""
    next_cursor: str | None
    """Value of `cursor` for the next page."""


class VideoPassage(TypedDict):
    """A sentence that is spoken in a video, or a text that is read in its frames."""

    video_id: str
    """Identifier of the video."""
    video_name: str
    """Display name of the video."""
    video_duration_s: float | None
    """Duration of the video in seconds; null if unknown."""
    folder_id: str | None
    """Folder of the video; null without one."""
    folder_name: str | None
    """Name of that folder."""
    source: Literal['transcript', 'text']
    """`transcript`: it is spoken, by the subtitles or by recognized speech; `text`: it is read in frames."""
    start_s: float
    """Start in seconds from the first frame."""
    end_s: float
    """End in seconds from the first frame."""
    text: str
    """The sentence or the text, at most 2,000 characters."""


class VideoResultsResult(TypedDict):
    video_id: str
    """Identifier of the video."""
    ok: bool
    """True if the operation succeeded for this video."""
    status: NotRequired[int]
    """HTTP status that the video alone would have had; only on failure."""
    error: NotRequired[str]
    """Code of the reason; only on failure."""
    message: NotRequired[str]
    """Reason as a sentence; only on failure."""


class VideoResults(TypedDict):
    """Results of a bulk operation."""

    results: list[VideoResultsResult]
    """One result per video, in the order of the request. A failure does not affect the others."""


class VideoStatusClockConflict(TypedDict):
    source: Literal['person', 'live', 'gps', 'log', 'sidecar', 'container', 'rule', 'name', 'picture']
    """`person`: somebody set it; `live`: the clock of this service during a livestream; `gps`: a GPS receiver; `log`: the clock of a robot log; `sidecar`: a file beside the video; `container`: the file; `rule`: the path, by the rule of the folder; `name`: the name of the file; `picture`: a clock that is read in the frames."""
    recorded_at: str
    """What this source says, ISO 8601, UTC."""


class VideoStatusClock(TypedDict):
    """What `recorded_at` is derived from; null if it is null."""

    source: Literal['person', 'live', 'gps', 'log', 'sidecar', 'container', 'rule', 'name', 'picture']
    """`person`: somebody set it; `live`: the clock of this service during a livestream; `gps`: a GPS receiver; `log`: the clock of a robot log; `sidecar`: a file beside the video; `container`: the file; `rule`: the path, by the rule of the folder; `name`: the name of the file; `picture`: a clock that is read in the frames."""
    zone_known: bool
    """False if the source does not say in which time zone it is, or if cameras often write local time there: `recorded_at` then assumes UTC."""
    shift_s: float
    """Seconds that a person added to what the source says, for a wrong clock."""
    rate: float
    """Seconds of the calendar in a second of the video: 1, unless two points correct a clock that drifts, or of a time lapse."""
    conflicts: list[VideoStatusClockConflict]
    """Sources that contradict it by more than a minute."""


class VideoStatusVisualAnalysisStatus(TypedDict):
    """Status of the upload."""

    status: Literal['PREPARE_IN_PROGRESS', 'UPLOADED', 'UPLOADING_FAILED']
    """The same status, in the form that existing clients poll for."""
    error: NotRequired[str]
    """Code of the reason; only if the upload failed."""
    message: NotRequired[str]
    """Reason as a sentence; only if the upload failed."""


class VideoStatusVisualAnalysis(TypedDict):
    """Status of the upload, where existing clients read it. Analyses do not change it."""

    status: VideoStatusVisualAnalysisStatus
    """Status of the upload."""


class VideoStatusMetadataVisualAnalysisStatus(TypedDict):
    """Status of the upload."""

    status: Literal['PREPARE_IN_PROGRESS', 'UPLOADED', 'UPLOADING_FAILED']
    """The same status, in the form that existing clients poll for."""
    error: NotRequired[str]
    """Code of the reason; only if the upload failed."""
    message: NotRequired[str]
    """Reason as a sentence; only if the upload failed."""


class VideoStatusMetadataVisualAnalysis(TypedDict):
    """Status of the upload, where existing clients read it. Analyses do not change it."""

    status: VideoStatusMetadataVisualAnalysisStatus
    """Status of the upload."""


class VideoStatusMetadata(TypedDict):
    """Properties of the file, and the metadata that users added."""

    visual_analysis: VideoStatusMetadataVisualAnalysis
    """Status of the upload, where existing clients read it. Analyses do not change it."""
    chunks_total: int
    """Number of `chunk_ids`; 1 until the video is stored."""
    chunks_uploaded: int
    """Number of `chunk_ids`; 0 until the video is stored."""
    chunk_ids: list[str]
    """Ids of consecutive ranges of 30 seconds, as existing clients read them. Each is accepted by this operation and for a signed URL; the file is made on demand, and the video itself is stored as uploaded."""
    duration_s: float | None
    """Duration in seconds; null until it is known."""
    parent_video_id: NotRequired[str]
    """Of a chunk: its video."""
    start_time_s: NotRequired[float]
    """Of a chunk: its start in the video in seconds."""
    end_time_s: NotRequired[float]
    """Of a chunk: its end in the video in seconds."""
    source: str
    """Source of the video, such as `file` or `video_url`."""
    source_uri: str | None
    """URI of the source, without credentials."""
    size_bytes: int | None
    """Size of the file in bytes."""
    sha256: str | None
    """SHA-256 of the file, lower-case hex."""
    width: int | None
    """Width in pixels, after rotation."""
    height: int | None
    """Height in pixels, after rotation."""
    frame_rate: float | None
    """Average frames per second; null if the file does not state it."""
    container: str | None
    """Container format, detected from the content."""
    video_codec: str | None
    """Video codec."""
    audio_codec: str | None
    """Audio codec; null without audio."""
    recorded_at: str | None
    """Creation time that the file states, ISO 8601, UTC."""
    sidecar: NotRequired[Any]
    """Summary of the `metadata_file`: its name, size and declared fields, and the telemetry that was read from it."""
    subtitles: NotRequired[Any]
    """Summary of the subtitle file that was added: its name, size, format and language, and the number of its captions. It is absent for subtitles in the video file."""


class VideoStatus(TypedDict):
    """Status and properties of a video."""

    video_id: str
    """Identifier of the video."""
    status: Literal['processing', 'uploaded', 'uploading_failed']
    """`processing`: the upload is not complete; `uploaded`: stored and readable; `uploading_failed`: see `message`."""
    video_name: str
    """Name of the video."""
    filename: str
    """The same as `video_name`."""
    duration_s: float | None
    """Duration in seconds of presentation time; null until it is known."""
    folder_id: str | None
    """Folder of the video, if any."""
    folder_name: str | None
    """Name of the folder."""
    org_id: str
    """Organization of the video."""
    scope: Literal['user', 'org', 'sample']
    """`user`: visible to its owner; `org`: visible to everyone in the organization; `sample`: visible to everyone in the organization, read-only."""
    created_at: str
    """Start of the upload, ISO 8601, UTC."""
    recorded_at: str | None
    """Time at which the first frame was recorded, ISO 8601, UTC; null if nothing says it."""
    time_zone: str | None
    """Time zone of the place where it was recorded: an IANA name such as `Europe/Berlin`, or an offset such as `+01:00`; null if it is unknown."""
    error: NotRequired[str]
    """Code of the reason; only if the upload failed."""
    message: NotRequired[str]
    """Reason as a sentence; only if the upload failed."""
    camera_id: str | None
    """Camera that it is a recording of; null for other videos."""
    tags: list[str]
    """Tags of the video."""
    clock: VideoStatusClock | None
    """What `recorded_at` is derived from; null if it is null."""
    hold: LegalHold | None
    """Legal hold of a video: until an administrator releases it, nothing deletes or erases it."""
    visual_analysis: VideoStatusVisualAnalysis
    """Status of the upload, where existing clients read it. Analyses do not change it."""
    metadata: VideoStatusMetadata
    """Properties of the file, and the metadata that users added."""


class VideoSummary(TypedDict):
    """A video in a list."""

    video_id: str
    """Identifier of the video."""
    status: Literal['processing', 'uploaded', 'uploading_failed']
    """`processing`: the upload is not complete; `uploaded`: stored and readable; `uploading_failed`: see `message`."""
    video_name: str
    """Name of the video."""
    filename: str
    """The same as `video_name`."""
    duration_s: float | None
    """Duration in seconds of presentation time; null until it is known."""
    folder_id: str | None
    """Folder of the video, if any."""
    folder_name: str | None
    """Name of the folder."""
    org_id: str
    """Organization of the video."""
    scope: Literal['user', 'org', 'sample']
    """`user`: visible to its owner; `org`: visible to everyone in the organization; `sample`: visible to everyone in the organization, read-only."""
    created_at: str
    """Start of the upload, ISO 8601, UTC."""
    recorded_at: str | None
    """Time at which the first frame was recorded, ISO 8601, UTC; null if nothing says it."""
    time_zone: str | None
    """Time zone of the place where it was recorded: an IANA name such as `Europe/Berlin`, or an offset such as `+01:00`; null if it is unknown."""
    size_bytes: int | None
    """Size of the file in bytes."""
    error: NotRequired[str]
    """Code of the reason; only if the upload failed."""
    message: NotRequired[str]
    """Reason as a sentence; only if the upload failed."""


class VideoTelemetryField(TypedDict):
    """One measurement over time, as parallel arrays."""

    field: str
    """The measurement."""
    unit: str
    """Unit of the values."""
    times_s: list[float]
    """Time of the first sample of each interval, in seconds."""
    min: list[float]
    """Least value of each interval."""
    max: list[float]
    """Greatest value of each interval."""
    samples: int
    """Number of stored samples between `from_s` and `to_s`."""


class VideoTelemetryChannel(TypedDict):
    """A number that was recorded under a name."""

    name: str
    """Name in the recording."""
    unit: str | None
    """Its unit, if the recording or the name states one."""
    samples: int
    """Number of values."""


class VideoTelemetryTrack(TypedDict):
    """The first position of each interval, as parallel arrays; null without positions."""

    times_s: list[float]
    """Time of each position, in seconds."""
    latitude: list[float]
    """WGS 84, in degrees."""
    longitude: list[float]
    """WGS 84, in degrees."""


class VideoTelemetryUnavailableItem(TypedDict):
    """A field without values."""

    field: str
    """The field."""
    reason: str
    """`not_observed`, `needs_every_frame`, `no_detector`, `no_audio`, `none_found`, `no_telemetry` or `not_measured`."""
    message: str
    """The reason as a sentence."""


class VideoTelemetry(TypedDict):
    """Telemetry of a video over time."""

    video_id: str
    """Identifier of the video."""
    from_s: float
    """Start of the range in seconds."""
    to_s: float
    """End of the range in seconds."""
    source: str | None
    """Source, such as `GoPro track`; null without telemetry."""
    notes: list[str]
    """Limits of the measurements, such as derived ones."""
    fields: list[VideoTelemetryField]
    """Measurements with values."""
    channels: list[VideoTelemetryChannel]
    """All other numbers of the recording. Prompts may ask for them by their names."""
    channels_left_out: int
    """Number of channels that were not read because there are too many."""
    track: VideoTelemetryTrack | None
    """The first position of each interval, as parallel arrays; null without positions."""
    unavailable: list[VideoTelemetryUnavailableItem]
    """Fields without values, and why."""


VideoTracksTrack = TypedDict(
    'VideoTracksTrack',
    {
        'id': int,
        'class': str,
        'color': str | None,
        'times_s': list[float],
        'boxes': list[list[float]],
        'confidence': list[float],
    },
)


class VideoTracksUnavailable(TypedDict):
    """Why there are no tracks; null if the objects of the video were observed."""

    reason: str
    """`not_observed`, `needs_every_frame`, `no_detector`, `no_audio`, `none_found`, `no_telemetry` or `not_measured`."""
    message: str
    """The reason as a sentence."""


VideoTracks = TypedDict(
    'VideoTracks',
    {
        'video_id': str,
        'from_s': float,
        'to_s': float,
        'rate': float,
        'pass': Literal['dense', 'sparse'] | None,
        'model': str | None,
        'classes': list[str],
        'tracks': list[VideoTracksTrack],
        'unavailable': VideoTracksUnavailable | None,
    },
)


VideosToDeleteVideoId: TypeAlias = str


class VideosToDelete(TypedDict):
    """Videos to delete."""

    video_ids: list[VideosToDeleteVideoId]
    """The videos; duplicates count once."""
    erase: NotRequired[bool | None]
    """True: erase at once, without a period to restore. A video that was deleted before is erased at once, too."""
    reason: NotRequired[str | None]
    """Why, for the audit log, such as the number of a request."""


VideosToHoldVideoId: TypeAlias = str


class VideosToHold(TypedDict):
    """Videos to put on legal hold."""

    video_ids: list[VideosToHoldVideoId]
    """The videos; duplicates count once."""
    reason: str
    """Why they are on hold. Everyone who sees a video can read it."""


VideosToIndexVideoId: TypeAlias = str


class VideosToIndex(TypedDict):
    """Videos to caption."""

    video_ids: list[VideosToIndexVideoId]
    """Identifiers of 1 to 200 videos."""
    mode: NotRequired[Literal['driving', 'construction', 'robotics'] | None]
    """Kind of footage: `driving` (default), or `construction` or `robotics`, which need a vision-language model. The modes have captions of their own."""
    refresh: NotRequired[bool | None]
    """True: caption videos again that have captions, for example after a model was added."""


VideosToMoveVideoId: TypeAlias = str


class VideosToMove(TypedDict):
    """Videos to move."""

    video_ids: list[VideosToMoveVideoId]
    """The videos; duplicates count once."""
    folder_id: str | None
    """Folder to move them into; null removes them from their folders."""


VideosToReleaseVideoId: TypeAlias = str


class VideosToRelease(TypedDict):
    """Videos to release from their legal hold."""

    video_ids: list[VideosToReleaseVideoId]
    """The videos; duplicates count once."""


VideosToRestoreVideoId: TypeAlias = str


class VideosToRestore(TypedDict):
    """Videos to restore."""

    video_ids: list[VideosToRestoreVideoId]
    """The videos; duplicates count once."""


class ViewSetDetail(TypedDict):
    role: str
    """Role of the view."""
    video_id: str
    """Video of the view."""
    label: str | None
    """Display label, if any."""
    offset_s: float
    """Time of its first frame, in seconds after the first frame of the primary."""


class ViewSet(TypedDict):
    """A set of views."""

    primary_view_id: str
    """Video of the primary view."""
    views: dict[str, str]
    """Videos by role."""
    details: list[ViewSetDetail]
    """Views, the primary first."""


class ViewSetList(TypedDict):
    """A page of sets of views."""

    view_sets: list[ViewSet]
    """Sets of views, newest primary video first."""
    has_more: bool
    """True if there are older ones."""
    next_cursor: str | None
    """Value of `cursor` for the next page."""


class ViewsQuery(TypedDict):
    """A prompt on all views."""

    query: str
    """The prompt: what to find, in plain words."""


ViewsToFuseViewKey: TypeAlias = str


class ViewsToFuse(TypedDict):
    """Batches to fuse."""

    batch_ids: list[str]
    """Batches that queried views, for example one per view."""
    view_keys: NotRequired[list[ViewsToFuseViewKey] | None]
    """View of each batch, in the order of `batch_ids`, for videos that are not linked: the first videos of the batches form a set, then the second ones, with clocks that start together. Linked videos retain the roles of their set."""


class ViewsToSign(TypedDict):
    """All fields are optional, and so is the body."""

    expires_in: NotRequired[int | None]
    """Lifetime of the URLs in seconds."""
    kind: NotRequired[Literal['film', 'hls', 'poster'] | None]
    """Kind of media, as for a single video."""


WallLayoutStreamId: TypeAlias = str
"""Identifier of a stream."""


class WallLayout(TypedDict):
    """How you arrange streams on the wall of the console."""

    size: Literal[1] | Literal[4] | Literal[9] | Literal[16]
    """Number of tiles that are shown at once."""
    stream_ids: list[WallLayoutStreamId]
    """Streams in the order of their places; a camera has its id. Streams that are not listed follow, by name."""


class Webhook(TypedDict):
    """A webhook without its secret."""

    webhook_id: str
    """Identifier of the webhook."""
    url: str
    """URL that receives messages."""
    description: str
    """What the webhook is for."""
    format: Literal['standard', 'slack', 'discord', 'teams', 'ntfy', 'email', 'mqtt']
    """How messages are written; default: that of the URL, `standard` for your own endpoint. `standard`: JSON of Standard Webhooks, for your own endpoints. `slack`: A sentence and a link for incoming webhooks of Slack, Mattermost and Rocket.Chat. `discord`: The same for webhooks of Discord. `teams`: The same for webhooks of Microsoft Teams (Workflows). `ntfy`: The same for the URL of an ntfy topic. `email`: Mail to the address of a `mailto:` URL, if the operator has configured a mail server. `mqtt`: JSON to the topic of an `mqtt:` URL below `sightline/` and the id of the organization, with discovery by Home Assistant, if the operator has configured a broker."""
    event_types: list[Literal['video.ready', 'video.failed', 'analysis.completed', 'analysis.failed', 'event.found', 'alert.raised', 'digest.created', 'event.reviewed', 'batch.completed', 'import.completed', 'import.failed', 'live.event', 'live.ended', 'camera.fault', 'camera.recovered', 'limit.reached']]
    """Types of messages that are sent; empty: all."""
    folder_id: str | None
    """Only messages about this folder; null: all."""
    saved_questions_only: bool
    """True: only alerts and digests of saved questions that name this webhook."""
    enabled: bool
    """False: no messages are sent or stored."""
    disabled_reason: Literal['failing', 'removed'] | None
    """`failing`: the service disabled it after three days without a successful attempt; `removed`: the endpoint responded with status 410. Null: it is enabled, or a user disabled it."""
    failing_since: str | None
    """Time of the first failed attempt since the last successful one, ISO 8601, UTC."""
    previous_secret_until: str | None
    """Until then, messages are signed with the previous secret, too. ISO 8601, UTC."""
    recipient: Literal['unconfirmed', 'confirmed', 'declined'] | None
    """Whether the recipient of mail agreed to it. No message is sent to one who has not confirmed, by a link in a mail that asks, or who declined. Null: it has another format."""
    topic: str | None
    """MQTT topic that receives messages, with all its levels; null: it has another format."""
    created_at: str
    """Creation time, ISO 8601, UTC."""


class WebhookChange(TypedDict):
    """Settings to change; others stay as they are. `folder_id: ""` removes the filter. `enabled: true` also enables a webhook that the service disabled."""

    url: NotRequired[str | None]
    """The new URL."""
    format: NotRequired[Literal['standard', 'slack', 'discord', 'teams', 'ntfy', 'email', 'mqtt'] | None]
    """How messages are written; default: that of the URL, `standard` for your own endpoint. `standard`: JSON of Standard Webhooks, for your own endpoints. `slack`: A sentence and a link for incoming webhooks of Slack, Mattermost and Rocket.Chat. `discord`: The same for webhooks of Discord. `teams`: The same for webhooks of Microsoft Teams (Workflows). `ntfy`: The same for the URL of an ntfy topic. `email`: Mail to the address of a `mailto:` URL, if the operator has configured a mail server. `mqtt`: JSON to the topic of an `mqtt:` URL below `sightline/` and the id of the organization, with discovery by Home Assistant, if the operator has configured a broker."""
    description: NotRequired[str | None]
    """What the webhook is for."""
    event_types: NotRequired[list[Literal['video.ready', 'video.failed', 'analysis.completed', 'analysis.failed', 'event.found', 'alert.raised', 'digest.created', 'event.reviewed', 'batch.completed', 'import.completed', 'import.failed', 'live.event', 'live.ended', 'camera.fault', 'camera.recovered', 'limit.reached']] | None]
    """Types of messages to send; default, and if empty: all, also those of later versions."""
    folder_id: NotRequired[str | None]
    """Only messages about this folder: its videos, their analyses and events, imports and live sessions into it. Batches and limits belong to no folder. Default: all."""
    saved_questions_only: NotRequired[bool | None]
    """True: only alerts and digests of saved questions that name this webhook in `webhook_ids`. Default: false."""
    enabled: NotRequired[bool | None]
    """False: no messages are sent or stored. Default: true."""


class WebhookDelivery(TypedDict):
    """A message on its way to an endpoint."""

    delivery_id: str
    """Identifier of the delivery."""
    webhook_id: str
    """Identifier of the webhook."""
    message_id: str
    """The `webhook-id` of the message; the same if it is sent again."""
    type: str
    """Type of the message; `webhook.ping` for a test."""
    subject: str
    """What the message is about, such as `video/019a…`."""
    status: Literal['pending', 'delivered', 'failed']
    """`pending` until an attempt succeeds, then `delivered`; `failed` after the last attempt."""
    attempts: int
    """Number of attempts so far."""
    created_at: str
    """Creation time, ISO 8601, UTC."""
    next_attempt_at: str | None
    """Time of the next attempt; null if there is none."""
    last_attempt_at: str | None
    """Time of the latest attempt; null before the first."""
    duration_ms: int | None
    """Milliseconds of the latest attempt."""
    response_status: int | None
    """HTTP status of the latest response; null without one."""
    response_excerpt: str | None
    """The first 1,024 bytes of the latest response."""
    error: str | None
    """Code of the latest failure; null without one."""
    message: str | None
    """Reason of the latest failure in a sentence; null without one."""


class WebhookDeliveryDetail(TypedDict):
    """A delivery with its message."""

    delivery_id: str
    """Identifier of the delivery."""
    webhook_id: str
    """Identifier of the webhook."""
    message_id: str
    """The `webhook-id` of the message; the same if it is sent again."""
    type: str
    """Type of the message; `webhook.ping` for a test."""
    subject: str
    """What the message is about, such as `video/019a…`."""
    status: Literal['pending', 'delivered', 'failed']
    """`pending` until an attempt succeeds, then `delivered`; `failed` after the last attempt."""
    attempts: int
    """Number of attempts so far."""
    created_at: str
    """Creation time, ISO 8601, UTC."""
    next_attempt_at: str | None
    """Time of the next attempt; null if there is none."""
    last_attempt_at: str | None
    """Time of the latest attempt; null before the first."""
    duration_ms: int | None
    """Milliseconds of the latest attempt."""
    response_status: int | None
    """HTTP status of the latest response; null without one."""
    response_excerpt: str | None
    """The first 1,024 bytes of the latest response."""
    error: str | None
    """Code of the latest failure; null without one."""
    message: str | None
    """Reason of the latest failure in a sentence; null without one."""
    body: str
    """The body of the message, in the format of the webhook."""


class WebhookDeliveryList(TypedDict):
    """A page of deliveries."""

    deliveries: list[WebhookDelivery]
    """Deliveries, newest first."""
    has_more: bool
    """True if more deliveries follow."""
    next_cursor: str | None
    """Value of `cursor` for the next page."""


class WebhookList(TypedDict):
    """All webhooks."""

    webhooks: list[Webhook]
    """Webhooks of your organization, oldest first."""


class WebhookRequest(TypedDict):
    """A webhook to create."""

    url: str
    """Where messages go: an `https` or `http` URL without credentials receives them by POST, `mailto:ada@example.com` by mail, and `mqtt:gate/alerts` as the topic `sightline/<org_id>/gate/alerts` of the MQTT broker."""
    format: NotRequired[Literal['standard', 'slack', 'discord', 'teams', 'ntfy', 'email', 'mqtt'] | None]
    """How messages are written; default: that of the URL, `standard` for your own endpoint. `standard`: JSON of Standard Webhooks, for your own endpoints. `slack`: A sentence and a link for incoming webhooks of Slack, Mattermost and Rocket.Chat. `discord`: The same for webhooks of Discord. `teams`: The same for webhooks of Microsoft Teams (Workflows). `ntfy`: The same for the URL of an ntfy topic. `email`: Mail to the address of a `mailto:` URL, if the operator has configured a mail server. `mqtt`: JSON to the topic of an `mqtt:` URL below `sightline/` and the id of the organization, with discovery by Home Assistant, if the operator has configured a broker."""
    description: NotRequired[str | None]
    """What the webhook is for."""
    event_types: NotRequired[list[Literal['video.ready', 'video.failed', 'analysis.completed', 'analysis.failed', 'event.found', 'alert.raised', 'digest.created', 'event.reviewed', 'batch.completed', 'import.completed', 'import.failed', 'live.event', 'live.ended', 'camera.fault', 'camera.recovered', 'limit.reached']] | None]
    """Types of messages to send; default, and if empty: all, also those of later versions."""
    folder_id: NotRequired[str | None]
    """Only messages about this folder: its videos, their analyses and events, imports and live sessions into it. Batches and limits belong to no folder. Default: all."""
    saved_questions_only: NotRequired[bool | None]
    """True: only alerts and digests of saved questions that name this webhook in `webhook_ids`. Default: false."""
    enabled: NotRequired[bool | None]
    """False: no messages are sent or stored. Default: true."""


class WebhookSecretRotation(TypedDict):
    """How to rotate the secret."""

    overlap_hours: NotRequired[int | None]
    """Hours in which messages are signed with the previous secret, too; default: 24."""


class WebhookWithSecret(TypedDict):
    """A webhook with its new secret."""

    webhook_id: str
    """Identifier of the webhook."""
    url: str
    """URL that receives messages."""
    description: str
    """What the webhook is for."""
    format: Literal['standard', 'slack', 'discord', 'teams', 'ntfy', 'email', 'mqtt']
    """How messages are written; default: that of the URL, `standard` for your own endpoint. `standard`: JSON of Standard Webhooks, for your own endpoints. `slack`: A sentence and a link for incoming webhooks of Slack, Mattermost and Rocket.Chat. `discord`: The same for webhooks of Discord. `teams`: The same for webhooks of Microsoft Teams (Workflows). `ntfy`: The same for the URL of an ntfy topic. `email`: Mail to the address of a `mailto:` URL, if the operator has configured a mail server. `mqtt`: JSON to the topic of an `mqtt:` URL below `sightline/` and the id of the organization, with discovery by Home Assistant, if the operator has configured a broker."""
    event_types: list[Literal['video.ready', 'video.failed', 'analysis.completed', 'analysis.failed', 'event.found', 'alert.raised', 'digest.created', 'event.reviewed', 'batch.completed', 'import.completed', 'import.failed', 'live.event', 'live.ended', 'camera.fault', 'camera.recovered', 'limit.reached']]
    """Types of messages that are sent; empty: all."""
    folder_id: str | None
    """Only messages about this folder; null: all."""
    saved_questions_only: bool
    """True: only alerts and digests of saved questions that name this webhook."""
    enabled: bool
    """False: no messages are sent or stored."""
    disabled_reason: Literal['failing', 'removed'] | None
    """`failing`: the service disabled it after three days without a successful attempt; `removed`: the endpoint responded with status 410. Null: it is enabled, or a user disabled it."""
    failing_since: str | None
    """Time of the first failed attempt since the last successful one, ISO 8601, UTC."""
    previous_secret_until: str | None
    """Until then, messages are signed with the previous secret, too. ISO 8601, UTC."""
    recipient: Literal['unconfirmed', 'confirmed', 'declined'] | None
    """Whether the recipient of mail agreed to it. No message is sent to one who has not confirmed, by a link in a mail that asks, or who declined. Null: it has another format."""
    topic: str | None
    """MQTT topic that receives messages, with all its levels; null: it has another format."""
    created_at: str
    """Creation time, ISO 8601, UTC."""
    secret: str
    """The signing secret, which is shown only once."""


class WorkerListWorkerRunningItem(TypedDict):
    name: str
    """Kind of job."""
    count: int
    """Number of jobs of this kind that it runs."""


class WorkerListWorker(TypedDict):
    """A worker."""

    id: str
    """Identifier of the worker, new at each start."""
    host: str
    """Host name of its node."""
    pid: int
    """Id of its process on the node."""
    status: Literal['running', 'not_responding']
    """`running`, or `not_responding` if heartbeats are missing: it was killed, is frozen, or cannot reach the database. Its jobs move to other workers."""
    running: list[WorkerListWorkerRunningItem]
    """What it runs, as of its last heartbeat."""
    started_at: str
    """Start of the worker, ISO 8601, UTC."""
    heartbeat_at: str
    """Last heartbeat, ISO 8601, UTC."""


class WorkerList(TypedDict):
    """Workers of the service on all nodes."""

    workers: list[WorkerListWorker]
    """Workers, the oldest first, with those that stopped responding in the last 24 hours."""


class ZonePoint(TypedDict):
    """A point in the frame."""

    x: float
    """Fraction of the width, from the left."""
    y: float
    """Fraction of the height, from the top."""


class ZoneRequest(TypedDict):
    """A zone to create, of either a video, a folder or a camera."""

    name: str
    """Name of the zone in prompts ("enters zone door"), unique for the video, folder or camera whatever the case: words of letters and digits."""
    points: list[ZonePoint]
    """Two points are a line: seen from the first to the second, its inner side is on the right. Three to 32 are the corners of a polygon in order, whose sides do not cross."""
    video_id: NotRequired[str | None]
    """The video that it holds for."""
    folder_id: NotRequired[str | None]
    """The folder for whose videos and livestreams it holds: the recordings of one fixed camera."""
    camera_id: NotRequired[str | None]
    """The camera for whose sessions and recordings it holds."""
    note: NotRequired[str | None]
    """Purpose of the zone."""


class FollowActivityParametersQuery(TypedDict):
    last_id: NotRequired[str]


class ListAlertsParametersQuery(TypedDict):
    limit: NotRequired[int]
    cursor: NotRequired[str]


class FollowAuditLogParametersQuery(TypedDict):
    limit: NotRequired[int]
    cursor: NotRequired[str]


class ListAuditEventsParametersQuery(TypedDict):
    limit: NotRequired[int]
    cursor: NotRequired[str]
    action: NotRequired[str]
    user_id: NotRequired[str]
    subject_id: NotRequired[str]
    outcome: NotRequired[Literal['succeeded', 'refused']]


class ExportAuditEventsParametersQuery(TypedDict):
    format: NotRequired[Literal['ndjson', 'csv']]


class BeginSsoParametersQuery(TypedDict):
    return_to: NotRequired[str]


class GetBatchAnalysesParametersQuery(TypedDict):
    include_source_uri: NotRequired[bool]


class GetBatchStatusParametersQuery(TypedDict):
    include_videos: NotRequired[bool]


class ListBatchesParametersQuery(TypedDict):
    scope: NotRequired[Literal['user', 'org']]
    status: NotRequired[Literal['processing', 'completed', 'failed', 'cancelled']]
    limit: NotRequired[int]
    cursor: NotRequired[str]


class ListCamerasParametersQuery(TypedDict):
    folder_id: NotRequired[str]
    limit: NotRequired[int]
    cursor: NotRequired[str]


class GetCameraSnapshotParametersQuery(TypedDict):
    token: str
    by: NotRequired[str]


class CreateGcsIntegrationParametersQuery(TypedDict):
    verify: NotRequired[bool]


class CreateHuggingFaceIntegrationParametersQuery(TypedDict):
    verify: NotRequired[bool]


class CreateS3IntegrationParametersQuery(TypedDict):
    verify: NotRequired[bool]


class CreateRoleIntegrationParametersQuery(TypedDict):
    verify: NotRequired[bool]


class ChangeIntegrationParametersQuery(TypedDict):
    verify: NotRequired[bool]


class GetComparisonParametersQuery(TypedDict):
    baseline_query: NotRequired[str]


class DownloadDatasetParametersQuery(TypedDict):
    approval: NotRequired[Literal['pending', 'approved', 'rejected', 'unsure']]
    val_share: NotRequired[float]
    test_share: NotRequired[float]
    seed: NotRequired[str]


class GetDatasetFileParametersQuery(TypedDict):
    token: str
    by: NotRequired[str]
    approval: NotRequired[Literal['pending', 'approved', 'rejected', 'unsure']]
    val_share: NotRequired[float]
    test_share: NotRequired[float]
    seed: NotRequired[str]


class GetDatasetVersionFileParametersQuery(TypedDict):
    token: str
    by: NotRequired[str]


class ListEventsParametersQuery(TypedDict):
    q: NotRequired[str]
    folder_id: NotRequired[str]
    video_id: NotRequired[str]
    batch_id: NotRequired[str]
    incident_id: NotRequired[str]
    label: NotRequired[str]
    type: NotRequired[str]
    severity: NotRequired[Literal['low', 'medium', 'high']]
    min_confidence: NotRequired[float]
    approval: NotRequired[Literal['pending', 'approved', 'rejected', 'unsure']]
    added: NotRequired[bool]
    disputed: NotRequired[bool]
    to_review: NotRequired[bool]
    assigned: NotRequired[bool]
    created_after: NotRequired[str]
    created_before: NotRequired[str]
    recorded_after: NotRequired[str]
    recorded_before: NotRequired[str]
    time_of_day: NotRequired[str]
    weekday: NotRequired[str]
    time_zone: NotRequired[str]
    sort: NotRequired[Literal['-created_at', '-confidence', 'confidence']]
    per: NotRequired[Literal['event', 'incident']]
    facets: NotRequired[bool]
    statistics: NotRequired[bool]
    limit: NotRequired[int]
    cursor: NotRequired[str]


class GetEvidencePictureParametersQuery(TypedDict):
    token: str


class ListExportsParametersQuery(TypedDict):
    limit: NotRequired[int]
    cursor: NotRequired[str]


class GetDatasetExportFileParametersQuery(TypedDict):
    token: str
    by: NotRequired[str]


class GetDatasetExportManifestParametersQuery(TypedDict):
    token: str
    by: NotRequired[str]


class GetExportFileParametersQuery(TypedDict):
    token: str
    by: NotRequired[str]


class ListFoldersParametersQuery(TypedDict):
    scope: NotRequired[Literal['user', 'org']]
    limit: NotRequired[int]
    cursor: NotRequired[str]


class GetFolderParametersQuery(TypedDict):
    name: str
    scope: NotRequired[Literal['user', 'org']]


class DeleteFolderParametersQuery(TypedDict):
    videos: NotRequired[Literal['move_to_root', 'delete']]


class ListImportJobsParametersQuery(TypedDict):
    limit: NotRequired[int]
    cursor: NotRequired[str]


class ListImportJobVideosParametersQuery(TypedDict):
    limit: NotRequired[int]
    cursor: NotRequired[str]
    offset: NotRequired[int]


class ListInvitationsParametersQuery(TypedDict):
    limit: NotRequired[int]
    cursor: NotRequired[str]


class ListKeysParametersQuery(TypedDict):
    limit: NotRequired[int]
    cursor: NotRequired[str]


class ListRecentLiveEventsParametersQuery(TypedDict):
    limit: NotRequired[int]


class ListLiveSessionsParametersQuery(TypedDict):
    scope: NotRequired[Literal['personal', 'org']]
    stream_id: NotRequired[str]
    video_id: NotRequired[str]
    camera_id: NotRequired[str]
    open: NotRequired[bool]
    limit: NotRequired[int]
    cursor: NotRequired[str]


class GetLiveEvidenceParametersQuery(TypedDict):
    token: str
    by: NotRequired[str]


class GetLiveManifestParametersQuery(TypedDict):
    token: str
    by: NotRequired[str]
    start_s: NotRequired[float]
    preview: NotRequired[bool]


class GetLivePlaylistParametersQuery(TypedDict):
    token: str
    by: NotRequired[str]
    start_s: NotRequired[float]
    preview: NotRequired[bool]
    field_HLS_msn: NotRequired[int]
    field_HLS_part: NotRequired[int]


class GetLivePartParametersQuery(TypedDict):
    token: str
    by: NotRequired[str]


class FollowLiveSessionParametersQuery(TypedDict):
    last_id: NotRequired[str]


class SignLiveManifestParametersQuery(TypedDict):
    expires_in: NotRequired[int]
    start_s: NotRequired[float]
    preview: NotRequired[bool]


class ShowMailRecipientParametersQuery(TypedDict):
    address: str
    token: str


class AnswerMailRecipientParametersQuery(TypedDict):
    address: str
    token: str


class GetStudioTaxonomyParametersQuery(TypedDict):
    wait_s: NotRequired[float]


class ListMcapIngestsParametersQuery(TypedDict):
    limit: NotRequired[int]
    cursor: NotRequired[str]


class UploadMcapFileParametersQuery(TypedDict):
    token: str
    by: NotRequired[str]


class PlayVideoParametersQuery(TypedDict):
    token: str
    by: NotRequired[str]


class GetCaptionsSrtParametersQuery(TypedDict):
    token: str
    by: NotRequired[str]


class GetCaptionsParametersQuery(TypedDict):
    token: str
    by: NotRequired[str]


class GetClipParametersQuery(TypedDict):
    token: str
    by: NotRequired[str]
    start: float
    end: float


class GetFrameParametersQuery(TypedDict):
    token: str
    by: NotRequired[str]
    t: NotRequired[float]


class GetPlaylistParametersQuery(TypedDict):
    token: str
    by: NotRequired[str]


class GetSegmentParametersQuery(TypedDict):
    token: str
    by: NotRequired[str]


class GetPosterParametersQuery(TypedDict):
    token: str
    by: NotRequired[str]


class GetStoryboardPictureParametersQuery(TypedDict):
    token: str
    by: NotRequired[str]


class GetStoryboardParametersQuery(TypedDict):
    token: str
    by: NotRequired[str]


class ListMembersParametersQuery(TypedDict):
    limit: NotRequired[int]
    cursor: NotRequired[str]


class ListViewSetsParametersQuery(TypedDict):
    video_id: NotRequired[str]
    limit: NotRequired[int]
    cursor: NotRequired[str]


class ListVideosParametersQuery(TypedDict):
    folder: NotRequired[str]
    scope: NotRequired[Literal['user', 'org', 'sample']]
    limit: NotRequired[int]
    cursor: NotRequired[str]
    firebase_collection_name: NotRequired[str]
    folder_collection: NotRequired[str]


class ListObservationsParametersQuery(TypedDict):
    limit: NotRequired[int]
    cursor: NotRequired[str]


class ListPassagesParametersQuery(TypedDict):
    q: NotRequired[str]
    source: NotRequired[Literal['transcript', 'text']]
    folder_id: NotRequired[str]
    video_id: NotRequired[str]
    limit: NotRequired[int]
    cursor: NotRequired[str]


class DrawReviewSamplesParametersQuery(TypedDict):
    query: NotRequired[str]
    folder_id: NotRequired[str]
    batch_id: NotRequired[str]
    count: NotRequired[int]
    length_s: NotRequired[int]


class GetReviewScoresParametersQuery(TypedDict):
    query: NotRequired[str]
    folder_id: NotRequired[str]
    batch_id: NotRequired[str]


class FollowQueryParametersQuery(TypedDict):
    last_id: NotRequired[str]


class ListSavedQuestionRunsParametersQuery(TypedDict):
    limit: NotRequired[int]
    cursor: NotRequired[str]


class RunSearchParametersQuery(TypedDict):
    folder_collection: NotRequired[str]


class ProvideModelFileParametersQuery(TypedDict):
    sha256: NotRequired[str]


class DeleteVideoParametersQuery(TypedDict):
    erase: NotRequired[bool]
    reason: NotRequired[str]
    firebase_collection_name: NotRequired[str]


class GetLatestAnalysisParametersQuery(TypedDict):
    firebase_collection_name: NotRequired[str]


class PutMetadataFileParametersQuery(TypedDict):
    filename: NotRequired[str]


class GetVideoStatusParametersQuery(TypedDict):
    firebase_collection_name: NotRequired[str]


class PutSubtitlesParametersQuery(TypedDict):
    filename: NotRequired[str]
    language: NotRequired[str]


class SearchVideosParametersQuery(TypedDict):
    folder_id: NotRequired[str]
    folder: NotRequired[str]
    scope: NotRequired[Literal['user', 'org']]
    status: NotRequired[Literal['processing', 'uploaded', 'uploading_failed']]
    name: NotRequired[str]
    tag: NotRequired[str]
    source: NotRequired[str]
    camera_id: NotRequired[str]
    created_after: NotRequired[str]
    created_before: NotRequired[str]
    recorded_after: NotRequired[str]
    recorded_before: NotRequired[str]
    time_of_day: NotRequired[str]
    weekday: NotRequired[str]
    time_zone: NotRequired[str]
    deleted: NotRequired[bool]
    queried: NotRequired[bool]
    held: NotRequired[bool]
    min_duration_s: NotRequired[float]
    max_duration_s: NotRequired[float]
    include: NotRequired[str]
    sort: NotRequired[Literal['-created_at', 'created_at', 'name', '-name', 'duration_s', '-duration_s', 'recorded_at', '-recorded_at']]
    limit: NotRequired[int]
    cursor: NotRequired[str]


class CountVideosParametersQuery(TypedDict):
    folder_id: NotRequired[str]
    folder: NotRequired[str]
    scope: NotRequired[Literal['user', 'org']]
    status: NotRequired[Literal['processing', 'uploaded', 'uploading_failed']]
    name: NotRequired[str]
    tag: NotRequired[str]
    source: NotRequired[str]
    camera_id: NotRequired[str]
    created_after: NotRequired[str]
    created_before: NotRequired[str]
    recorded_after: NotRequired[str]
    recorded_before: NotRequired[str]
    time_of_day: NotRequired[str]
    weekday: NotRequired[str]
    time_zone: NotRequired[str]
    deleted: NotRequired[bool]
    queried: NotRequired[bool]
    held: NotRequired[bool]
    min_duration_s: NotRequired[float]
    max_duration_s: NotRequired[float]


class ListAnalysesParametersQuery(TypedDict):
    limit: NotRequired[int]
    cursor: NotRequired[str]


class GetAnalysisParametersQuery(TypedDict):
    firebase_collection_name: NotRequired[str]


class GetAnalysisStatusParametersQuery(TypedDict):
    collection: NotRequired[str]


class GetVideoIndexParametersQuery(TypedDict):
    mode: NotRequired[Literal['driving', 'construction', 'robotics']]


class GetVideoIndexVttParametersQuery(TypedDict):
    mode: NotRequired[Literal['driving', 'construction', 'robotics']]


GetObservationsParametersQuery = TypedDict(
    'GetObservationsParametersQuery',
    {
        'fields': NotRequired[str],
        'from': NotRequired[float],
        'to': NotRequired[float],
        'points': NotRequired[int],
        'format': NotRequired[Literal['json', 'csv']],
    },
)


GetTelemetryParametersQuery = TypedDict(
    'GetTelemetryParametersQuery',
    {
        'fields': NotRequired[str],
        'from': NotRequired[float],
        'to': NotRequired[float],
        'points': NotRequired[int],
        'format': NotRequired[Literal['json', 'csv']],
    },
)


GetTracksParametersQuery = TypedDict(
    'GetTracksParametersQuery',
    {
        'from': NotRequired[float],
        'to': NotRequired[float],
        'classes': NotRequired[str],
        'rate': NotRequired[float],
    },
)


class ListWebhookDeliveriesParametersQuery(TypedDict):
    status: NotRequired[Literal['pending', 'delivered', 'failed']]
    limit: NotRequired[int]
    cursor: NotRequired[str]


class ListZonesParametersQuery(TypedDict):
    video_id: NotRequired[str]
    folder_id: NotRequired[str]
    camera_id: NotRequired[str]


class CallMcpParametersQuery(TypedDict):
    write: NotRequired[bool]


class AlertList(TypedDict):
    """A page of alerts."""

    alerts: list[Alert]
    """Alerts about videos that you may read, newest first."""
    unread: int
    """Number of alerts that you have not seen, of questions that you have not muted; at most 100."""
    mutes: list[AlertMute]
    """Saved questions that you have muted, by name."""
    has_more: bool
    """True if more alerts follow."""
    next_cursor: str | None
    """Value of `cursor` for the next page."""


class AnalysisEvent(TypedDict):
    """An event in its stored form."""

    event_id: str
    """Unique and stable."""
    incident_id: NotRequired[str]
    """Identifier of the incident: the same for all events that show the same incident in a video, whatever question, mode, model or version reported them. Absent until it is computed."""
    type: str
    """Kind of event: `object`, `motion`, `light`, `cut`, `sound`, …"""
    time: str
    """Start, as `t=` and seconds from the first frame with three decimals: `t=12.340`."""
    end_time: str
    """End, in the same form."""
    description: str
    """Short description of the event."""
    severity: str
    """`low`, `medium` or `high`."""
    aiAnalysis: str
    """Reason for the event, with the measurements that support it."""
    caveats: list[str]
    """What was not checked, and other reasons to doubt the event. Those that decide what it is lower its confidence."""
    approval: str
    """Review state: `pending` until reviewers have decided, then `approved`, `rejected` or `unsure`."""
    review: NotRequired[EventReview]
    edgeCaseValidated: str
    """`true`: older clients drop the events of agents without it."""
    verification: NotRequired[AnalysisEventVerification]
    """Result of showing frames of the event to a vision-language model again; absent if none was queried."""
    start_s: float
    """Start in seconds from the first frame: the presentation time of a frame."""
    end_s: float
    """End in seconds from the first frame."""
    start_at: NotRequired[str]
    """Time at which the start was recorded, ISO 8601, UTC; absent if it is unknown. It follows the clock of the video, which can be set."""
    end_at: NotRequired[str]
    """Time at which the end was recorded."""
    structured_output: NotRequired[dict[str, Any]]
    """Values of the fields of `output_schema`; absent if a required field has none."""
    structured_output_label: NotRequired[str]
    """Label of the schema."""
    structured_output_version: NotRequired[int]
    """Version of the schema."""
    structured_output_errors: NotRequired[list[AnalysisEventStructuredOutputError]]
    """Fields without a value."""
    data: AnalysisEventData


class AnalysisStatus(TypedDict):
    """Status of an analysis."""

    status: Literal['PROCESSING', 'COMPLETED', 'FAILED']
    """`PROCESSING` until the analysis has ended; then `COMPLETED` or `FAILED`."""
    analysis_id: str
    """Identifier of the analysis."""
    progress: float
    """Progress in percent; it never decreases."""
    video_id: str
    """Identifier of the video."""
    batch_id: str | None
    """Batch of the analysis; null if it has none."""
    stage: str | None
    """`waiting`, `planning`, `observing`, `looking_closer` (fast mode processes every frame of the video or of its most promising ranges), `finding` or `looking` (a vision-language model is queried); null once it has ended."""
    chunks_completed: int
    """1 once it has ended, else 0."""
    chunks_total: int
    """Always 1."""
    created_at: str
    """Creation time, ISO 8601, UTC."""
    completed_at: str | None
    """Time when it ended, ISO 8601, UTC."""
    answer: str
    """The answer as text; empty until the analysis has ended."""
    error: NotRequired[str]
    """Error code of a failed analysis."""
    message: NotRequired[str]
    """Error message of a failed analysis."""
    events: list[AnalysisEvent]
    """Events; empty until the analysis is completed."""


class AuditFeed(TypedDict):
    """A page of the audit log in the order of its chain."""

    events: list[ChainedAuditEvent]
    """Entries, oldest first."""
    has_more: bool
    """True if more entries follow already."""
    next_cursor: str
    """Value of `cursor` for what follows, now or later."""


class Batch(TypedDict):
    """State of a batch."""

    batch_id: str
    """Identifier of the batch."""
    status: str
    """`processing`; then `completed` if any analysis succeeded, else `failed`; or `cancelled`."""
    aggregated_progress: BatchAggregatedProgress
    event_count: int
    """Number of events of its analyses; at most 10,000 are counted."""
    answer: str | None
    """For a prompt about several videos that asks for the first or last event: which of all videos it is, by their clocks; also why no video of the library was searched. Null: none, or it has not ended."""
    answer_event_id: str | None
    """The event of `answer`."""
    selection: NotRequired[LibraryCount]
    videos: list[BatchVideo]
    """Videos in the order of the request."""
    config: dict[str, Any]
    """The query: `prompt`, `mode`, `analysis_kind`, and fields that older clients read."""
    query: str
    """The prompt."""
    mode: str
    """`thinking` or `fast`."""
    stream_id: str
    """Stream of its events."""
    metadata: dict[str, Any]
    """Metadata that users added."""
    review_status: str | None
    """Always null: batches are not reviewed."""
    review_status_updated_at: str | None
    """Always null."""
    created_at: str
    """Creation time, ISO 8601, UTC."""
    completed_at: str | None
    """End of the last analysis, ISO 8601, UTC."""


class BatchList(TypedDict):
    """A page of batches."""

    batches: list[Batch]
    """Batches, newest first; their `videos` are empty."""
    has_more: bool
    """True if there are older ones."""
    next_cursor: str | None
    """Value of `cursor` for the next page."""


class Camera(TypedDict):
    """A camera."""

    camera_id: str
    """Identifier of the camera, and the `stream_id` of its sessions."""
    name: str
    """Name of the camera."""
    source: Literal['pull', 'push']
    """`pull`: the service connects to the camera; `push`: an encoder publishes to the service."""
    source_url: str
    """URL of the source, without credentials; `push://` and its id for a camera that pushes."""
    push: CameraPush | None
    """A camera that pushes: where to, and what arrives. Null for other cameras."""
    has_credentials: bool
    """True if the URL contains credentials, which are stored encrypted and never returned."""
    folder_id: str | None
    """Folder of the camera and of its recordings."""
    folder_name: str | None
    """Name of the folder."""
    scope: Literal['user', 'org']
    """`user`: visible to its owner and to admins; `org`: visible to everyone in the organization."""
    enabled: bool
    """True: recorded as long as its source can be reached; false: off."""
    state: Literal['off', 'off_by_schedule', 'starting', 'live', 'offline', 'stopping']
    """`off`: not recorded; `off_by_schedule`: on, but not at this time of the week; `starting`: no frame has arrived yet; `live`: frames arrive; `offline`: no frames arrive, and the service tries again; `stopping`: off, and the last recording is being finished."""
    mode: Literal['analyze', 'record', 'off']
    """What its settings and its schedule want now: record and analyze, only record, or neither."""
    next_change_at: str | None
    """Next time at which its schedule changes `mode`; null if it does not."""
    time_zone: str | None
    """Time zone of the place: an IANA name, or an offset such as `+01:00`. Recordings have it, and the schedule is in it. Null: unknown, and UTC for the schedule."""
    schedule: list[CameraScheduleEntry] | None
    """Weekly times in the time zone of the camera at which it is recorded while it is on. Where intervals overlap, the questions are answered. Null: always recorded and analyzed."""
    muted_until: str | None
    """Until then, events of the camera raise no alerts. Null: not muted."""
    retention: CameraRetention | None
    """Which recordings of a camera are deleted: those that ended `days` ago, and the oldest while all together have more than `bytes`. They can be restored for a while, and a restored recording stays."""
    recording: Literal['continuous', 'events']
    """`continuous`: all is recorded; `events`: all is received and analyzed, and only ranges around events stay."""
    pre_roll_s: float
    """Seconds that are retained before an event, where `recording` is `events`."""
    post_roll_s: float
    """Seconds that are retained after an event, where `recording` is `events`."""
    questions: list[CameraQuestion]
    """Saved questions that its sessions answer, oldest first."""
    error: str | None
    """Error code, while it is offline."""
    message: str | None
    """The same error as a sentence."""
    offline_since: str | None
    """Time of the last frame before it went offline, or of the first failed attempt."""
    retry_at: str | None
    """Time of the next attempt; null while the service tries, or if none is due."""
    session_id: str | None
    """Its newest live session, which runs unless the camera is off or offline."""
    video_id: str | None
    """Video that the recording of that session becomes."""
    started_at: str | None
    """Time of the first frame of that session."""
    event_count: int
    """Number of events of that session so far."""
    session_recording: Literal['continuous', 'events'] | None
    """How that session is recorded: without questions, `continuous` whatever `recording` is."""
    duration_s: float
    """Seconds that were received in that session."""
    retained_s: float
    """Of these, the seconds that are retained around events; 0 for a continuous recording."""
    discarded_s: float
    """Of these, the seconds that are not retained. The rest is not decided yet."""
    last_frame_at: str | None
    """Time of its newest recorded frame."""
    bitrate: float | None
    """Bits per second of about the last minute; null unless it is live."""
    interruption_count: int
    """Interruptions of its sessions in the last 24 hours after which recording continued."""
    lost_s: float
    """Length of these interruptions together, in seconds."""
    fault: CameraFault | None
    """What is wrong with the camera now, while it is on."""
    recent_faults: list[CameraRecentFault]
    """The newest 20 faults, newest first."""
    snapshot_url: str | None
    """Signed URL of an image that needs no key, valid for an hour: its newest frame while it is recorded, or the image of the last connection test."""
    created_by: str
    """The user who added it."""
    created_by_display_name: str
    """Name of that user."""
    created_at: str
    """Creation time, ISO 8601, UTC."""
    changed_at: str
    """Time of the latest change of its settings."""


class CameraChange(TypedDict):
    """Settings to change; others stay as they are. Null removes a time zone, a schedule, a retention and `muted_until`. A new `source_url` replaces its credentials, too."""

    name: NotRequired[str | None]
    """Name of the camera."""
    source_url: NotRequired[str | None]
    """URL of the stream: HLS, MJPEG or a growing file by `http` or `https`, or `rtsp`, `rtsps`, `rtmp`, `rtmps`, `srt`. It may contain a user name and a password, which are stored encrypted and never returned."""
    folder_id: NotRequired[str | None]
    """Folder of its next recordings; empty: none."""
    enabled: NotRequired[bool | None]
    """True: recorded as long as its source can be reached; false: off."""
    time_zone: NotRequired[str | None]
    """Time zone of the place: an IANA name, or an offset such as `+01:00`. Recordings have it, and the schedule is in it. Null: unknown, and UTC for the schedule."""
    schedule: NotRequired[list[CameraScheduleEntry] | None]
    """Weekly times in the time zone of the camera at which it is recorded while it is on. Where intervals overlap, the questions are answered. Null: always recorded and analyzed."""
    muted_until: NotRequired[str | None]
    """Until then, events of the camera raise no alerts. Null: not muted."""
    retention: NotRequired[CameraRetention | None]
    """Which recordings of a camera are deleted: those that ended `days` ago, and the oldest while all together have more than `bytes`. They can be restored for a while, and a restored recording stays."""
    recording: NotRequired[Literal['continuous', 'events'] | None]
    """`continuous`: all is recorded; `events`: all is received and analyzed, and only ranges around events stay."""
    pre_roll_s: NotRequired[float | None]
    """Seconds that are retained before an event, where `recording` is `events`."""
    post_roll_s: NotRequired[float | None]
    """Seconds that are retained after an event, where `recording` is `events`."""
    saved_question_ids: NotRequired[list[CameraChangeSavedQuestionId] | None]
    """Saved questions that are answered while the camera is recorded. They raise alerts by their rules, and do not run again on its recordings."""


class CameraList(TypedDict):
    """A page of cameras."""

    cameras: list[Camera]
    """Cameras, newest first."""
    has_more: bool
    """True if more cameras follow."""
    next_cursor: str | None
    """Value of `cursor` for the next page."""


class ComparisonEvent(TypedDict):
    change: Literal['appeared', 'disappeared']
    """`appeared`: only the changed query found it; `disappeared`: only the earlier one."""
    judgment: Literal['right', 'wrong', 'undecided']
    """What reviewers decided about it, or about an event at the same time."""
    event: EventSummary


class Comparison(TypedDict):
    """Precision, recall and overlap of a changed query and of the earlier one on the same videos."""

    batch_id: str
    """Batch of the changed query."""
    status: str
    """Status of the batch; figures are those of the videos that are completed."""
    query: str
    """The changed prompt."""
    baseline_query: str
    """The earlier prompt."""
    mode: Literal['thinking', 'fast']
    """Mode of the batch."""
    videos: int
    """Videos of the batch."""
    compared_videos: int
    """Videos with a completed analysis of both."""
    failed_videos: int
    """Videos on which the changed query failed."""
    baseline: ComparisonBaseline
    """Quality of the earlier answers."""
    candidate: ComparisonCandidate
    """Quality of the changed answers."""
    unchanged: int
    """Events that both found."""
    appeared: int
    """Events that only the changed query found."""
    disappeared: int
    """Events that only the earlier one found."""
    events: list[ComparisonEvent]
    """Events that appeared or disappeared, by video and time; the first 500."""


class ConfirmedSecondFactor(TypedDict):
    """The second factor is required from now on."""

    session: SignedInSession
    recovery_codes: list[str]
    """Codes that each replace a code of the app once. They are shown only in this response."""


class Dataset(TypedDict):
    """A curated dataset."""

    id: str
    """Identifier of the dataset."""
    name: str
    """Name of the dataset."""
    search_description: str
    """What the dataset is for."""
    status: str
    """`processing`: a batch has not ended; `ready`: it can be downloaded; `error`: a batch was deleted, and the rest can be downloaded."""
    scope: str
    """`user`: personal; `org`: shared with the organization."""
    analysis_type: str
    """A label of existing clients: `ask`, `agent` or `unanalyzed`."""
    batch_ids: list[str]
    """Batches in the order in which they were added."""
    video_ids: list[str]
    """Videos without analyses."""
    clips: NotRequired[list[DatasetClip]]
    """Its clips, by video and start; not in lists and in downloads."""
    totals: DatasetTotals
    """What the dataset has now."""
    failed_batches: list[DatasetFailedBatch]
    """Batches that cannot be read."""
    processing_progress: DatasetProcessingProgress
    """Progress of its batches."""
    created_at: str
    """Creation time, ISO 8601, UTC."""
    updated_at: str
    """Time of the last change of the dataset itself, ISO 8601, UTC."""


class DatasetFile(TypedDict):
    """A dataset with its results."""

    dataset_metadata: Dataset
    splits: NotRequired[DatasetFileSplits]
    """How the videos are split; only if it was requested."""
    batches: list[DatasetFileBatch]
    """Batches that exist."""
    unanalyzed_videos: list[DatasetFileUnanalyzedVideo]
    """Videos without analyses, by folder."""
    clips: list[DatasetFileClip]
    """Clips, by video, start and end."""


DatasetList: TypeAlias = list[Dataset]
"""Datasets, newest first."""


class DatasetVersionFile(TypedDict):
    """A version of a dataset with its results as they were."""

    version: DatasetVersionFileVersion
    """The version."""
    dataset_metadata: Dataset
    splits: NotRequired[DatasetVersionFileSplits]
    """How the videos are split; only if it was requested."""
    batches: list[DatasetVersionFileBatch]
    """Batches that exist."""
    unanalyzed_videos: list[DatasetVersionFileUnanalyzedVideo]
    """Videos without analyses, by folder."""
    clips: NotRequired[list[DatasetVersionFileClip]]
    """Clips, by video, start and end."""


class DirectUpload(TypedDict):
    """State of a direct upload."""

    upload_id: str
    """Identifier of the upload."""
    video_id: str
    """The same id: the video exists from now on, as `processing`."""
    size_bytes: int
    """Size of the whole file in bytes."""
    part_bytes: int
    """Size of each part except the last, which is the remainder."""
    part_count: int
    """Number of parts."""
    arrived: list[DirectUploadArrivedItem]
    """Parts that storage has received."""
    part_urls: list[PartUrl]
    """At creation: URLs of the first 100 parts. Request URLs of other parts, or new ones, separately."""
    expires_at: str
    """Expiry of the upload; an incomplete one is then removed. ISO 8601, UTC."""


class EventPage(TypedDict):
    """A page of events."""

    events: list[EventSummary]
    """Events in the requested order."""
    facets: EventFacets | None
    """Numbers of the events that match all filters, by field: the 50 most frequent values each, most events first. Events of videos without a folder are in no folder. Videos that are being deleted together with their folder may be counted for some seconds."""
    statistics: EventStatistics | None
    """Numbers of the events that match all filters by when they were recorded, in local time of each video or of `time_zone`."""
    has_more: bool
    """True if more events follow."""
    next_cursor: str | None
    """Value of `cursor` for the next page."""


class ImportRow(TypedDict):
    """A row: an object, or a set with the fields of its front view."""

    video_id: str
    """Id of the video; for a recording, id of its ingest (`/api/mcap/{ingest_id}`)."""
    kind: str
    """`video` or `recording` (MCAP). A recording is `UPLOADED` once stored; it is then converted to videos."""
    status: str
    """`PROCESSING`, then `UPLOADED` or `UPLOADING_FAILED`. The status of a set covers all its views."""
    skipped: Literal['already imported'] | None
    """`already imported` if an earlier import has this object in the same version; `video_id` is then its video. Else null."""
    import_source_uri: str
    """URI of the object: `s3://bucket/key`."""
    error: str | None
    """Error code if the import of the object failed."""
    message: str | None
    """Explanation of `error`."""
    size_bytes: int | None
    """Size of the object in bytes, once known."""
    video_ids: NotRequired[list[str]]
    """Of a recording: the videos that it became so far."""
    views: NotRequired[dict[str, ImportView]]
    """Views of a set, by role."""


class ImportRowList(TypedDict):
    """A page of the rows of an import job."""

    import_job_id: str
    """Id of the import job: `ij_` and 12 hexadecimal digits."""
    videos: list[ImportRow]
    """A page of rows, in the order in which the objects were named or listed."""
    total: int
    """Number of rows of the job so far."""
    video_count: int
    """Number of rows on this page."""
    has_more: bool
    """True if there are more rows now."""
    next_cursor: str | None
    """Pass it as `cursor` to get the next page; null at the end."""
    limit: int
    """Page size."""
    cursor: str | None
    """The cursor of the request."""


class IndexStatus(TypedDict):
    """Results so far."""

    results: dict[str, VideoIndex]
    """Results by the id of the video. Videos that are still being captioned are absent."""


class IndexTargets(TypedDict):
    """Videos that would be captioned."""

    view_targets: dict[str, str]
    """Video that is captioned, by the id of the requested one: the primary view of its set, or itself."""
    results: dict[str, VideoIndex]
    """Results by the id of the video. Videos that are still being captioned are absent."""


class IntegrationChanges(TypedDict):
    """Settings to change. Omitted settings stay; null clears `prefix`, `region`, `endpoint_url` and `addressing`. Credentials are replaced as a whole."""

    name: NotRequired[str | None]
    """Display name."""
    scope: NotRequired[Literal['user', 'org'] | None]
    """Who may use the integration: `org` (everyone in the organization, the default) or `user` (only you)."""
    bucket: NotRequired[str | None]
    """Name of the bucket; for Hugging Face, `namespace/name`."""
    prefix: NotRequired[str | None]
    """Default prefix of previews and imports."""
    region: NotRequired[str | None]
    """Region of the bucket, such as `eu-central-1`."""
    endpoint_url: NotRequired[str | None]
    """URL of a compatible server, such as MinIO or R2. Default: the server of the provider. Private addresses require that the operator allows them."""
    addressing: NotRequired[Literal['path', 'virtual'] | None]
    """Position of the bucket name in URLs: `path` (`endpoint/bucket/key`) or `virtual` (`bucket.endpoint/key`). Default: `path` with an `endpoint_url`, else `virtual`."""
    role_arn: NotRequired[str | None]
    """Role to assume. Its trust policy must be the one that the setup returns."""
    service_account: NotRequired[ServiceAccountKey]
    access_key_id: NotRequired[str]
    """Access key id."""
    secret_access_key: NotRequired[str]
    """Secret access key."""
    session_token: NotRequired[str | None]
    """Session token of temporary keys."""
    token: NotRequired[str]
    """Hugging Face token (`hf_…`) with read access."""


class LiveSessionList(TypedDict):
    """A page of live sessions."""

    sessions: list[LiveSessionSummary]
    """Sessions, newest first."""
    has_more: bool
    """True if more sessions follow."""
    next_cursor: str | None
    """Value of `cursor` for the next page."""


class NewGcsIntegration(TypedDict):
    """A bucket of Google Cloud Storage."""

    name: str
    """Display name."""
    type: NotRequired[Literal['gcs'] | None]
    """Optional; always `gcs`."""
    scope: NotRequired[Literal['user', 'org'] | None]
    """Who may use the integration: `org` (everyone in the organization, the default) or `user` (only you)."""
    service_account: ServiceAccountKey
    bucket: str
    """Name of the bucket; for Hugging Face, `namespace/name`."""
    prefix: NotRequired[str | None]
    """Default prefix of previews and imports."""
    endpoint_url: NotRequired[str | None]
    """URL of a compatible server, such as MinIO or R2. Default: the server of the provider. Private addresses require that the operator allows them."""


class ObservationRunList(TypedDict):
    """A page of observation runs."""

    runs: list[ObservationRunSummary]
    """Runs that you may read, newest first."""
    has_more: bool
    """True if there are older ones."""
    next_cursor: str | None
    """Value of `cursor` for the next page."""


class PassagePage(TypedDict):
    """A page of passages."""

    passages: list[VideoPassage]
    """Passages of the newest videos first, in order of their start."""
    has_more: bool
    """True if more passages follow."""
    next_cursor: str | None
    """Value of `cursor` for the next page."""


class SavedQuestion(TypedDict):
    """A question that runs by itself on new videos."""

    saved_question_id: str
    """Identifier of the saved question."""
    name: str
    """Name of the question."""
    query: str
    """The prompt."""
    mode: Literal['fast', 'thinking']
    """`fast`: a sparse pass where that is sufficient; `thinking`: all frames."""
    min_confidence: float
    """Least confidence of an event, 0 to 1."""
    verify: Literal['auto', 'always', 'never']
    """Which events a configured vision-language model verifies: those in doubt, up to 20 of all, or none."""
    folder_id: str | None
    """Folder of its videos; null: shared videos and those of the owner."""
    folder_name: str | None
    """Name of the folder; null without one, or if it was deleted."""
    time_zone: str | None
    """Time zone of days and times of day in the prompt and in `recorded`: an IANA name, or an offset such as `+01:00`. Null: that of each video."""
    recorded: SavedQuestionRecorded | None
    """Run only on videos that were recorded then; one without a known time of recording matches no filter. It replaces all of these filters; `{}`: none."""
    scope: Literal['user', 'org']
    """`user`: personal, as its folder; `org`: the organization sees it."""
    owner_id: str
    """User on whose behalf it runs."""
    enabled: bool
    """False: paused."""
    snoozed_until: str | None
    """No event is announced until then; null: not snoozed."""
    state: Literal['active', 'paused', 'snoozed', 'folder_deleted', 'owner_left']
    """Whether it runs and announces events, or why not."""
    webhook_ids: list[str] | None
    """Webhooks that receive its alerts and digests; null: all webhooks that want alerts."""
    rule: SavedQuestionRule
    """Which events are announced."""
    reading: SavedQuestionReading | None
    """How the words of a saved question are understood, in its runs and by this version."""
    last_alert_at: str | None
    """Time of the latest alert; null before the first."""
    created_at: str
    """Creation time, ISO 8601, UTC."""


class SavedQuestionList(TypedDict):
    """All saved questions."""

    saved_questions: list[SavedQuestion]
    """Questions that you may read, oldest first."""


class StartedIndex(TypedDict):
    """A started run."""

    results: dict[str, VideoIndex]
    """Results by the id of the video. Videos that are still being captioned are absent."""
    run_id: NotRequired[str | None]
    """Identifier of the run; null if all results are there."""
    batch_id: NotRequired[str | None]
    """The batch that was started; null if none was."""


class VideoList(TypedDict):
    """A page of videos."""

    videos: list[VideoSummary]
    """Videos, newest first."""
    has_more: bool
    """True if more videos follow."""
    next_cursor: str | None
    """Value of `cursor` for the next page."""


class Zone(TypedDict):
    """A named polygon or line in the frame, which prompts call by its name."""

    zone_id: str
    """Identifier of the zone."""
    name: str
    """Name of the zone in prompts."""
    kind: Literal['polygon', 'line']
    """`polygon`: objects are in it, enter and leave it; `line`: they cross it."""
    points: list[ZonePoint]
    """Corners of the polygon, or the two ends of the line."""
    video_id: str | None
    """The video that it belongs to; null for other zones."""
    folder_id: str | None
    """The folder that it belongs to; null for other zones."""
    camera_id: str | None
    """The camera that it belongs to; null for other zones."""
    note: str | None
    """Purpose of the zone."""
    created_by: str
    """User who created it."""
    created_at: str
    """Creation time, ISO 8601, UTC."""
    changed_at: str
    """Time of the latest change."""


class ZoneChange(TypedDict):
    """Changes to a zone; omitted fields stay as they are. An empty `note` removes it."""

    name: NotRequired[str | None]
    """Name of the zone in prompts ("enters zone door"), unique for the video, folder or camera whatever the case: words of letters and digits."""
    points: NotRequired[list[ZonePoint] | None]
    """Two points are a line: seen from the first to the second, its inner side is on the right. Three to 32 are the corners of a polygon in order, whose sides do not cross."""
    note: NotRequired[str | None]
    """Purpose of the zone."""


class ZoneList(TypedDict):
    """Zones of a video, folder or camera."""

    zones: list[Zone]
    """Zones by name. Of those that hold for a video, one of the video replaces one of its camera with the same name, which replaces one of its folder."""


class AnalysisDocumentAnalysis(TypedDict):
    """The result of the analysis."""

    status: Literal['PROCESSING', 'COMPLETED', 'FAILED']
    """`PROCESSING` until the analysis has ended; then `COMPLETED` or `FAILED`."""
    analysis_id: str
    """Identifier of the analysis."""
    batch_id: str | None
    """Batch of the analysis; null if it has none."""
    query: str
    """The prompt."""
    mode: str
    """`thinking` or `fast`."""
    answer: str
    """The answer as text. For prompts that are no question it equals the summary."""
    interpretation: NotRequired[str]
    """How the prompt was understood, in one sentence: what was understood, and what was not. Missing while the analysis runs."""
    suggestions: NotRequired[list[str]]
    """Prompts in similar words that can be searched, where this one was refused for its wording; at most three. Missing if there are none."""
    summary: str
    """Summary of the events, and of the parts of the prompt that could not be searched for."""
    events: list[AnalysisEvent]
    """Events in the stored form; empty while the analysis runs."""
    candidates: NotRequired[list[AnalysisEvent]]
    """Possible events with less than `min_confidence`, in the stored form. They count in no answer, search or stream. Missing in documents of earlier versions."""
    min_confidence: NotRequired[float]
    """Least confidence of an event in this analysis, 0 to 1."""
    coverage: list[Coverage]
    """Coverage of each part of the prompt: the observers that searched for it, or the reason why none could."""
    citations: NotRequired[list[AnalysisDocumentAnalysisCitation]]
    """Sources of the sentences that a vision-language model wrote; absent without them."""
    language_model: NotRequired[AnalysisDocumentAnalysisLanguageModel]
    """Use of the language model that read the prompt, with the control prompts that it was checked with; absent without one. Videos of one batch share a reading: one document has its tokens, the others have it as a cached call."""
    vision: NotRequired[AnalysisDocumentAnalysisVision]
    """Use of the vision-language model; absent if none was queried."""
    plan: Plan | None
    """The plan of the analysis, which can be sent with another query; null if there is none."""
    engine_version: NotRequired[str]
    """Version of the engine. The same plan, video and version give the same result."""
    created_at: str
    """Creation time, ISO 8601, UTC."""
    completed_at: NotRequired[str]
    """Time when it ended, ISO 8601, UTC."""
    error: NotRequired[str]
    """Error code of a failed analysis."""
    message: NotRequired[str]
    """Error message of a failed analysis."""
    stage: NotRequired[str]
    """Stage of a running analysis."""
    progress: NotRequired[float]
    """Progress of a running analysis in percent."""


class AnalysisDocument(TypedDict):
    """An analysis document."""

    video_id: str
    """Identifier of the video."""
    analysis_id: str
    """Identifier of the analysis."""
    analysis: AnalysisDocumentAnalysis
    """The result of the analysis."""
    metadata: dict[str, Any]
    """The video at the time of the analysis: `filename`, `duration_s` (seconds), `width` and `height` (pixels), `frame_rate` (frames per second), `size_bytes`, `import_source_uri`, `created_at`; and `visual_analysis`, where older clients read the status."""
    events: list[ReadableEvent]
    """Events in the readable form."""
    candidates: NotRequired[list[ReadableEvent]]
    """Possible events with less than `min_confidence`, in the readable form."""
