"""Calls every method of the published Python SDK against a running service, as its users do, and prints one line of JSON for each case.

Arguments: the service's URL, a key, another key that may only read, a clip in which the picture gets dark and there is a cut, a URL of a clip
that the service may fetch, and JSON: a recording, and what opens the buckets of `harness/clouds.ts`. Only `base_url` and `api_key` are set; nothing of the SDK is changed.
"""

import inspect
import json
import logging
import os
import sys
import tempfile
import time
import urllib.request
import warnings

import nomadicml
from nomadicml import NomadicML
from nomadicml.exceptions import APIError, AuthenticationError, NomadicMLError, ValidationError, VideoUploadError
from nomadicml.types import *  # noqa: F403
from nomadicml.video import AnalysisType
from reporting import case, covered, expect, refused, report

warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)
os.environ["NOMADICML_DASHBOARD_BASE_URL"] = "http://console.invalid"

URL, KEY, READER, CLIP, CLIP_URL = sys.argv[1:6]
ELSEWHERE = json.loads(sys.argv[6])
client = NomadicML(api_key=KEY, base_url=URL)
video = client.video
NEWER = hasattr(client, "livestream")  # asks by prompt and knows livestreams
NEWEST = hasattr(client, "studio")  # knows datasets, indexes and exports


def uploaded(answer):
    expect(answer["status"] == "uploaded" and answer["video_id"], answer)


def dark(answer):
    """An answer about one video that found what is in the clip."""
    expect(answer["status"] == "completed" and len(answer["events"]) == 1, answer)
    event = answer["events"][0]
    expect(event["t_start"] == "00:06" and "dark" in event["label"] and event["confidence"] > 0.5, answer)


def each_dark(answer):
    expect(answer["batch_metadata"]["batch_id"], answer)
    for result in answer["results"]:
        dark(result)


# Authentication and folders.
case("verify_auth", "the key", client.verify_auth, lambda a: expect(a["valid"] and a["user_id"] and "read" in a["scope"], a))
refused("verify_auth", "an unknown key", NomadicML(api_key="sk_" + "x" * 45, base_url=URL).verify_auth, AuthenticationError)
case("video.get_user_id", "of the key", video.get_user_id, lambda a: expect(a, a))
case("create_folder", "a personal one", lambda: client.create_folder("fleet", description="drives"), lambda a: expect(a["id"], a))
refused("create_folder", "the same name again", lambda: client.create_folder("fleet"), APIError, 409)
case("create_folder", "one of the organization", lambda: client.create_folder("shared", scope="org"), lambda a: expect(a["scope"] == "org", a))
case("create_or_get_folder", "one that is there", lambda: client.create_or_get_folder("fleet"), lambda a: expect(a["name"] == "fleet", a))
case("get_folder", "by its name", lambda: client.get_folder("fleet"), lambda a: expect(a["description"] == "drives", a))
refused("get_folder", "one that is not there", lambda: client.get_folder("nowhere"), APIError, 404)
refused(
    "create_folder", "with a key that may only read", lambda: NomadicML(api_key=READER, base_url=URL).create_folder("x"), APIError, 403
)

# Uploads.
first = case("upload", "a file into a folder", lambda: client.upload(CLIP, folder="fleet"), uploaded)
second = case("upload", "a file under another name", lambda: client.upload(CLIP, name="second.mp4"), uploaded)
case("upload", "without waiting", lambda: client.upload(CLIP, wait_for_uploaded=False), lambda a: expect(a["video_id"], a))
case("upload", "a list of files", lambda: client.upload([CLIP, CLIP], folder="fleet"), lambda a: [uploaded(each) for each in a])
case("upload", "a URL", lambda: client.upload(CLIP_URL), uploaded)
sidecar = json.dumps([{"timestamp": t, "lat": 52.5 + t / 1e4, "lon": 13.4, "speed": 20.0} for t in range(16)]).encode()
case("upload", "with metadata", lambda: client.upload(CLIP, metadata_file=sidecar), uploaded)
with tempfile.NamedTemporaryFile(suffix=".mp4") as broken:
    broken.write(b"not a video at all")
    broken.flush()
    refused("upload", "a file that is no video", lambda: client.upload(broken.name), APIError, 400)
refused("upload", "a file that is not there", lambda: client.upload("/nowhere.mp4"), FileNotFoundError)
video_id = first["video_id"]
pair = [video_id, second["video_id"]]
case("my_videos", "all", client.my_videos, lambda a: expect(len(a) >= 5 and a[0]["duration_s"] > 0, a))
case("my_videos", "of a folder", lambda: client.my_videos(folder="fleet"), lambda a: expect({v["folder_name"] for v in a} == {"fleet"}, a))
case("video.get_video_status", "of a video", lambda: video.get_video_status(video_id), lambda a: expect(a["status"] == "uploaded", a))

# Analysis by prompt.
if NEWER:
    case("analyze", "a prompt, one video", lambda: client.analyze(video_id, "the picture gets dark"), dark)
    case("analyze", "a prompt, fast", lambda: client.analyze(video_id, "the picture gets dark", mode="fast"), dark)
    case("analyze", "a prompt, many videos", lambda: client.analyze(pair, "the picture gets dark"), each_dark)
    case("analyze", "a prompt, a folder", lambda: client.analyze(folder="fleet", prompt="the picture gets dark"), each_dark)
    case(
        "analyze", "a prompt, without waiting",
        lambda: client.analyze(video_id, "a cut", wait_for_completion=False), lambda a: expect(a, a),
    )
    refused("analyze", "a prompt, a video that is not there", lambda: client.analyze("0" * 32, "a car"), APIError, 404)

# Analysis as older generations ask.
ask = dict(analysis_type=AnalysisType.ASK, custom_event="the picture gets dark", custom_category="security")
asked = case("analyze", "ASK, one video, with pictures", lambda: client.analyze(video_id, is_thumbnail=True, **ask), dark)
batch = case("analyze", "ASK, many videos", lambda: client.analyze(pair, **ask), each_dark)
for kind in (AnalysisType.GENERAL_AGENT, AnalysisType.LANE_CHANGE, AnalysisType.TURN, AnalysisType.RELATIVE_MOTION, AnalysisType.DRIVING_VIOLATIONS):
    if NEWEST and kind in (AnalysisType.LANE_CHANGE, AnalysisType.DRIVING_VIOLATIONS):
        refused("analyze", f"{kind.name}, one video", lambda: client.analyze(video_id, analysis_type=kind), ValueError)
        continue
    completed = lambda a: expect(a["status"] == "completed" and isinstance(a["events"], list), a)
    case("analyze", f"{kind.name}, one video", lambda: client.analyze(video_id, analysis_type=kind), completed)
    case("analyze", f"{kind.name}, many videos", lambda: client.analyze(pair, analysis_type=kind), lambda a: [completed(r) for r in a["results"]])
refused("analyze", "CUSTOM_AGENT", lambda: client.analyze(pair, analysis_type=AnalysisType.CUSTOM_AGENT, custom_agent_id="a"), APIError, 501)
if hasattr(AnalysisType, "ACTION_SEGMENTATION"):
    refused("analyze", "ACTION_SEGMENTATION", lambda: client.analyze(pair, analysis_type=AnalysisType.ACTION_SEGMENTATION), APIError, 501)
case("video.analyze_video", "what happens", lambda: video.analyze_video(video_id), lambda a: expect(a["analysis_id"], a))
edge = case(
    "video.analyze_video_edge", "an agent", lambda: video.analyze_video_edge(video_id, AnalysisType.GENERAL_AGENT), lambda a: expect(a["analysis_id"], a)
)
case(
    "video.wait_for_analysis", "by its id",
    lambda: video.wait_for_analysis(video_id, analysis_id=edge["analysis_id"]), lambda a: expect(a["analysis"]["status"] == "COMPLETED", a),
)
case("video.get_video_analysis", "the newest", lambda: video.get_video_analysis(video_id), lambda a: expect(a["analysis_id"], a))
case("video.get_video_analysis", "by its id", lambda: video.get_video_analysis(video_id, asked["analysis_id"]), lambda a: expect(a["events"], a))
case(
    "video.wait_for_analyses", "without an analysis id: times out, because a video's status reports its upload only",
    lambda: video.wait_for_analyses([video_id], timeout=0), lambda a: expect(isinstance(a[video_id], TimeoutError), a),
)
case("video.get_video_analyses", "of several videos", lambda: video.get_video_analyses(pair), lambda a: expect(len(a) == 2, a))
case("video.get_detected_events", "of a video", lambda: video.get_detected_events(video_id), lambda a: expect(isinstance(a, list), a))
case("get_visuals", "of an analysis", lambda: client.get_visuals(video_id, asked["analysis_id"]), lambda a: expect(len(a) == 1, a))
case("get_visual", "of an event", lambda: client.get_visual(video_id, asked["analysis_id"], 0), lambda a: expect(a.startswith(URL), a))

# Batches.
batch_id = batch["batch_metadata"]["batch_id"]
case("get_batch_analysis", "as objects", lambda: client.get_batch_analysis(batch_id), each_dark)
case("get_batch_analysis", "of pending events", lambda: client.get_batch_analysis(batch_id, filter="pending"), each_dark)
case("get_batch_analysis", "of approved events", lambda: client.get_batch_analysis(batch_id, filter=["approved"]), lambda a: expect(not any(r["events"] for r in a["results"]), a))


def call(method, path, body=None):
    headers = {"content-type": "application/json", "x-api-key": KEY}
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.urlopen(urllib.request.Request(URL + path, data, headers, method=method)) as answer:
        return json.load(answer)


def events(number):
    """A result of a batch with so many events."""
    return lambda answer: expect(sum(len(result["events"]) for result in answer["results"]) == number, answer)


# A person approves the event of one video and rejects that of the other.
for analysis, approval in zip(call("GET", f"/api/batch/{batch_id}/status?include_videos=true")["videos"], ["approved", "rejected"]):
    call("PATCH", f"/api/events/{analysis['analysis_id']}-0", {"approval": approval})
case("get_batch_analysis", "of events that were approved", lambda: client.get_batch_analysis(batch_id, filter="approved"), events(1))
case("get_batch_analysis", "of events that were rejected", lambda: client.get_batch_analysis(batch_id, filter=["rejected"]), events(1))
case("get_batch_analysis", "of events that were not reviewed", lambda: client.get_batch_analysis(batch_id, filter="pending"), events(0))
if NEWER:
    case("get_batch_analysis", "as CSV", lambda: client.get_batch_analysis(batch_id, as_csv=True), lambda a: expect(len(a.splitlines()) == 3, a))
    case(
        "visualize", "a batch", lambda: client.visualize(batch_id=batch_id, display=False),
        lambda a: expect("/api/media/" in str(a), str(a)[:500]),
    )
refused("get_batch_analysis", "one that is not there", lambda: client.get_batch_analysis("0" * 32), APIError, 404)
case(
    "add_batch_metadata", "names and values", lambda: client.add_batch_metadata(batch_id, {"round": 2, "site": "north"}),
    lambda a: expect(a["metadata"] == {"round": 2, "site": "north"}, a),
)
case("geovisualizer", "a batch", lambda: client.geovisualizer(batch_id), lambda a: expect(isinstance(a, dict), a))
case(
    "search", "events of a folder", lambda: client.search(query="when it gets dark", folder_name="fleet"),
    lambda a: expect(a["matches"] and a["matches"][0]["video_id"] == video_id and a["matches"][0].get("event_id", "x"), a),
)
case("analyze_multiview", "two views", lambda: client.analyze_multiview({"front": [pair[0]], "rear": [pair[1]]}, **ask), lambda a: expect(a, a))

# Buckets.
integrations = client.cloud_integrations
keys = {"access_key_id": "AKIATEST", "secret_access_key": "not to be told"}


def saved(answer):
    expect(answer["id"] and answer["bucket"] and answer["is_owner"] and "not to be told" not in json.dumps(answer), answer)


def came(answer):
    """A cloud upload brings its video: older generations wait for it, newer ones hand out a job to look at."""
    if not NEWER:
        return uploaded(answer)
    expect(answer["status"] == "importing", answer)
    job = finished(answer["import_job_id"])
    expect(job["total"] == 1 and job["status"] == "completed", job)


def finished(job_id):
    while (job := client.get_import_job(job_id))["status"] == "importing":
        time.sleep(0.2)
    return job


case("cloud_integrations.add", "S3", lambda: integrations.add(type="s3", name="Fleet", bucket="fleet-recordings", region="us-east-1", credentials=keys), saved)
gcs = case("cloud_integrations.add", "Google Cloud Storage", lambda: integrations.add(type="gcs", name="Fleet", bucket="fleet-recordings", credentials=ELSEWHERE["account"]), saved)
refused("cloud_integrations.add", "a bucket that is not there", lambda: integrations.add(type="s3", name="x", bucket="nowhere", region="us-east-1", credentials=keys), APIError, 400)
refused("cloud_integrations.add", "S3 without a region", lambda: integrations.add(type="s3", name="x", bucket="fleet-recordings", credentials=keys), ValidationError)
case("cloud_integrations.list", "all", integrations.list, lambda a: expect({i["type"] for i in a} == {"s3", "gcs"}, a))
case("cloud_integrations.list", "of one type", lambda: integrations.list(type="gcs"), lambda a: expect([i["id"] for i in a] == [gcs["id"]], a))
case("upload", "from S3", lambda: client.upload("s3://fleet-recordings/drives/a.mp4", folder="fleet"), came)
case("upload", "from Google Cloud Storage", lambda: client.upload("gs://fleet-recordings/drives/a.mp4"), came)
elsewhere = lambda: client.upload("s3://elsewhere/a.mp4")
refused("upload", "from a bucket that nobody saved", elsewhere, *((APIError, 400) if NEWER else (ValidationError,)))
case("upload", "several views", lambda: client.upload({"front": CLIP, "rear": CLIP}), uploaded)
if NEWER:
    case("cloud_integrations.add_hf_bucket", "with a token", lambda: integrations.add_hf_bucket(name="Open", bucket="namespace/name", token=ELSEWHERE["hf_token"]), saved)
    case("upload", "from Hugging Face", lambda: client.upload("hf://buckets/namespace/name/drives/a.mp4"), came)
    sets = [{"front": "s3://fleet-recordings/drives/a.mp4", "rear": "s3://fleet-recordings/drives/b.mp4"}]
    case("upload", "sets of views from S3", lambda: client.upload(sets), came)
    job = client.upload(["s3://fleet-recordings/drives/a.mp4", "s3://fleet-recordings/drives/text.mp4"])["import_job_id"]
    case("get_import_job", "one of whose objects is no video", lambda: finished(job), lambda a: expect(a["job_id"] == job and int(a["total"]) == 2, a))
    case(
        "get_import_job_videos", "each with its outcome", lambda: client.get_import_job_videos(job),
        lambda a: expect({v["status"] for v in a["videos"]} == {"UPLOADED", "UPLOADING_FAILED"} and not a["has_more"] and a["video_count"] == 2, a),
    )
    case("get_import_job_uploaded_video_ids", "", lambda: client.get_import_job_uploaded_video_ids(job), lambda a: expect(a, a))
    refused("get_import_job", "one that is not there", lambda: client.get_import_job("ij_000000000000"), APIError, 404)
    case(
        "cloud_integrations.get_s3_storage_transfer_setup", "", integrations.get_s3_storage_transfer_setup,
        lambda a: expect(a["google_service_account_subject_id"] and a["aws_trust_policy_template"]["Statement"], a),
    )
    role = "arn:aws:iam::123456789012:role/sightline-reader"
    case("cloud_integrations.add_s3_storage_transfer", "a role", lambda: integrations.add_s3_storage_transfer(name="Partner", bucket="fleet-recordings", role_arn=role), saved)
else:
    refused("upload", "from S3, a file that is not a video", lambda: client.upload("s3://fleet-recordings/drives/text.mp4"), VideoUploadError)

# Recordings.
if NEWER:
    FRONT, REAR = "/camera/front/image", "/camera/rear/image"

    def filmed(answer):
        expect(answer["status"] == "completed" and len(answer["video_ids"]) == 2, answer)
        expect(set(answer["videos_by_channel"]) == {FRONT, REAR}, answer)
        expect(answer["videos_by_role"]["front"] == answer["video_id"] == answer["videos_by_channel"][FRONT], answer)

    recording = case("upload", "a recording", lambda: client.upload(ELSEWHERE["recording"], folder="fleet"), filmed)
    ingest = recording["mcap_ingest_id"]
    case("get_mcap_ingest", "", lambda: client.get_mcap_ingest(ingest), filmed)
    case("wait_for_mcap_ingest", "", lambda: client.wait_for_mcap_ingest(ingest), filmed)
    case(
        "stitch_mcap", "other roles", lambda: client.stitch_mcap(ingest, front_channel=REAR, channel_roles={FRONT: "rear"}, channel_labels={REAR: "Windscreen"}),
        lambda a: expect(a["primary_view_id"] == a["views"]["front"] == recording["videos_by_channel"][REAR], a),
    )
    refused("stitch_mcap", "a channel that is not there", lambda: client.stitch_mcap(ingest, front_channel="/nowhere"), APIError, 400)
    with tempfile.NamedTemporaryFile(suffix=".mcap") as broken:
        broken.write(b"not a recording at all")
        broken.flush()
        refused("upload", "a file that is not a recording", lambda: client.upload(broken.name), VideoUploadError)
    brought = case("upload", "a recording from S3", lambda: client.upload("s3://fleet-recordings/drives/drive.mcap"), lambda a: expect(a["mcap_import_job_id"], a))
    job = brought["mcap_import_job_id"]
    case("wait_for_mcap_import_job", "", lambda: client.wait_for_mcap_import_job(job, poll_interval=1), lambda a: expect(a["status"] == "completed" and len(a["video_ids"]) == 2, a))
    case("get_mcap_import_job", "", lambda: client.get_mcap_import_job(job), lambda a: expect(a["mcap_import_job_id"] == job, a))
    refused("get_mcap_import_job", "one that is not there", lambda: client.get_mcap_import_job("0" * 32), APIError, 404)

# Livestreams.
if NEWER:
    live = client.livestream
    CAMERA = ELSEWHERE["camera"]
    case("livestream.attach_stream", "", lambda: live.attach_stream("gate", "Gate", CAMERA), lambda a: expect(a == {"ok": True}, a))
    begun = case(
        "livestream.start_session", "with a prompt", lambda: live.start_session(CAMERA, "Gate", rapid_review_query="the picture gets dark", stream_id="gate"),
        lambda a: expect(a["session_id"] and a["stream_id"] == "gate", a),
    )
    session = begun["session_id"]
    refused("livestream.start_session", "an address of no stream", lambda: live.start_session("ftp://camera.example/", "x"), APIError, 400)
    case(
        "livestream.iter_events", "as they come", lambda: next(live.iter_events("gate", session, poll_interval=1, timeout=120)),
        lambda a: expect(a["event_id"] and "dark" in a["label"] and a["confidence"] > 0.5, a),
    )
    case("livestream.get_sessions", "one's own", live.get_sessions, lambda a: expect([s["session_id"] for s in a] == [session], a))
    case("livestream.get_sessions", "of the organization", lambda: live.get_sessions(scope="org"), lambda a: expect(isinstance(a, list), a))
    case("livestream.get_session", "that goes on", lambda: live.get_session("gate", session), lambda a: expect(a["status"] == "ACTIVE" and a["chunk_count"] > 0 and a["events"], a))
    case(
        "livestream.get_signed_manifest", "which plays", lambda: live.get_signed_manifest(session),
        lambda a: expect(urllib.request.urlopen(a["url"]).read().startswith(b"#EXTM3U"), a),
    )
    case("livestream.end_session", "", lambda: live.end_session("gate", session), lambda a: expect(a == {"status": "ended"}, a))
    case("livestream.monitor_session", "to its end", lambda: live.monitor_session("gate", session, poll_interval=1), lambda a: expect(a["status"] == "FINISHED", a))
    case(
        "livestream.iter_events", "of a session that is over", lambda: list(live.iter_events("gate", session, poll_interval=1)),
        lambda a: expect(a and len({event["event_id"] for event in a}) == len(a), a),
    )
    case("livestream.end_session", "again", lambda: live.end_session("gate", session), lambda a: expect(a == {"status": "already_ended"}, a))
    refused("livestream.get_session", "one that is not there", lambda: live.get_session("gate", "0" * 32), APIError, 404)

if NEWEST:
    import drive_newest

    drive_newest.drive(client=client, case=case, refused=refused, expect=expect, clip=CLIP, pair=pair, batch=batch, settings=ELSEWHERE)

# What is outside this service.
for name, call in {
    "create_agent": lambda: client.create_agent(name="a", batch_ids=[batch_id]),
    "update_agent": lambda: client.update_agent(agent_id="a", batch_ids=[batch_id]),
    "list_agents": client.list_agents,
    "generate_structured_odd": lambda: client.generate_structured_odd(video_id=video_id),
}.items():
    refused(name, "", call, APIError, 501)

# What the SDK itself has given up.
refused("video.apply_search", "", lambda: video.apply_search(video_id, "a car"), NomadicMLError)
refused("video.upload_and_analyze", "", lambda: video.upload_and_analyze(CLIP), NotImplementedError)

case("delete_video", "a video", lambda: client.delete_video(second["video_id"]), lambda a: expect(a["status"] == "deleted", a))
refused("delete_video", "the same again", lambda: client.delete_video(second["video_id"]), APIError, 404)


def methods():
    """Names of all public methods: those of the client, and those of its parts that the client does not hand through."""
    for name in sorted(dir(client)):
        part = getattr(client, name)
        if name.startswith("_"):
            continue
        if inspect.ismethod(part):
            yield name
        elif type(part).__module__.startswith("nomadic") and name != "videos":
            for inner in sorted(dir(part)):
                if not inner.startswith("_") and inspect.ismethod(getattr(part, inner)):
                    if name != "video" or not hasattr(client, inner):
                        yield f"{name}.{inner}"


for name in methods():
    if name not in covered:
        report(name, "", "untried")
