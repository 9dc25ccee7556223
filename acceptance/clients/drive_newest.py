"""Cases of methods that only the newest generation of the SDK has. `nomadicml_drive.py` calls `drive`."""

import json
import os
import tempfile

from nomadicml.exceptions import APIError, NomadicAIError
from nomadicml.video import AnalysisType


def drive(*, client, case, refused, expect, clip, pair, batch, settings):
    """Runs all cases with the reporting functions of the caller. `pair` are two videos, `batch` a result of both."""
    segmenters(client, case, refused)
    curated(client, case, refused, expect, pair, batch)
    dataset_exports(client, case, refused, expect, pair, batch)
    explored(client, case, refused, expect, pair, batch)
    datasets(client, case, refused, expect, pair, batch)
    imports(client, case, refused, expect, settings)
    structured(client, case, refused, expect, pair)
    index(client, case, expect, clip, pair)
    case(
        "analyze_multiview", "a prompt", lambda: client.analyze_multiview({"front": [pair[0]], "rear": [pair[1]]}, "the picture gets dark"),
        lambda a: expect(a, a),
    )
    refused("video.get_causation_annotations", "without telemetry", lambda: client.video.get_causation_annotations(pair[0]), APIError, 404)


def imports(client, case, refused, expect, settings):
    case(
        "cloud_integrations.get_gcs_storage_transfer_setup", "", client.cloud_integrations.get_gcs_storage_transfer_setup,
        lambda a: expect(a["google_service_account_email"] == settings["account"]["client_email"] and a["roles"], a),
    )
    def converted(started):
        job = client.wait_for_import_job(started["import_job_id"], poll_interval=0.2)
        expect(job["status"] == "completed" and job["summary"] == {"completed": 1, "failed": 0}, job)
        row = client.get_import_job_videos(job["id"])["videos"][0]
        names = [client.video.get_video_status(video_id)["video_name"] for video_id in row["video_ids"]]
        expect(row["video_id"] == started["video_id"] and len(names) == 2 and names[0].startswith("Morning drive"), names)
        measured.extend(row["video_ids"])

    measured = []

    # No integration is saved for this bucket: it granted the service account of the service access.
    directory = "gs://shared-recordings/drives/1/"
    case("upload", "a recording by directory", lambda: client.upload(directory, source_format="mcap", name="Morning drive", folder="monday"), converted)
    def turned(a):
        elbow = a["tracks"]["joint_states"]["joints_rad"]["elbow"]
        expect(a["source"] == "measured" and len(elbow) == len(a["t_sec"]) and abs(elbow[-1] - a["t_sec"][-1]) < 0.1, a)

    def exported(a):
        expect(a["num_episodes"] == 1 and a["state_names"] == ["joint_states.joints_rad.elbow"] and not a["skipped_segments"], a)

    case("get_trajectory_artifact", "measured joints", lambda: client.get_trajectory_artifact(measured[0]), turned)
    segment = {"t_start": "00:00", "t_end": "00:01", "label": "reach"}
    case(
        "export_lerobot_dataset", "with measured joints",
        lambda: client.export_lerobot_dataset(results={"results": [{"video_id": measured[0], "events": [segment]}]}, output_dir=tempfile.mkdtemp()),
        exported,
    )
    case("upload", "the same directory again", lambda: client.upload([directory], source_format="mcap"), lambda a: expect(a["status"] == "completed" and a["skipped"] == 1, a))
    def learned(started):
        job = client.wait_for_import_job(started["import_job_id"], poll_interval=0.2)
        expect(job["status"] == "completed", job)
        [video_id] = client.get_import_job_videos(job["id"])["videos"][0]["video_ids"]
        elbow = client.get_trajectory_artifact(video_id)["tracks"]["observation_elbow"]["joints_rad"]["elbow"]
        expect(client.video.get_video_status(video_id)["video_name"] == "Arm episode 0 front" and abs(elbow[20] - 2) < 0.01, elbow)

    case("upload", "a dataset of LeRobot by directory", lambda: client.upload("gs://shared-recordings/robots/arm/", source_format="lerobot", name="Arm"), learned)
    refused("upload", "recordings by directory, in another format", lambda: client.upload(directory, source_format="zendar_parquet"), APIError, 400)
    job = client.upload(["s3://fleet-recordings/drives/b.mp4", "s3://fleet-recordings/drives/text.mp4"])["import_job_id"]
    case("wait_for_import_job", "", lambda: client.wait_for_import_job(job, poll_interval=0.2), lambda a: expect(a["status"] == "partial" and a["terminal"], a))
    rows = {row["status"]: row["video_id"] for row in client.get_import_job_videos(job)["videos"]}
    case(
        "retry_import_job", "a failed row", lambda: client.retry_import_job(job, video_ids=[rows["UPLOADING_FAILED"]]),
        lambda a: expect(a["status"] == "importing", a),
    )
    client.wait_for_import_job(job, poll_interval=0.2)
    refused("retry_import_job", "a row that did not fail", lambda: client.retry_import_job(job, video_ids=[rows["UPLOADED"]]), APIError, 409)


def segmenters(client, case, refused):
    data = os.path.join(tempfile.mkdtemp(), "run.npz")
    with open(data, "wb") as file:
        file.write(b"PK" * 100_000)
    train = dict(name="a", domain="manipulation")
    refused("train_segmenter", "on folders", lambda: client.train_segmenter(folder_ids=["a"], **train), APIError, 501)
    refused("train_segmenter", "on own data", lambda: client.train_segmenter(external_data=data, **train), APIError, 501)
    refused("get_segmenter_status", "", lambda: client.get_segmenter_status("a"), APIError, 501)
    refused("segmenter.train", "on folders", lambda: client.segmenter.train(folder_ids=["a"], **train), APIError, 501)
    refused("segmenter.get_status", "", lambda: client.segmenter.get_status("a"), APIError, 501)


def structured(client, case, refused, expect, pair):
    schema = [
        {"name": "when", "type": "time_range", "repeated": False},
        {"name": "duration_s", "type": "number"},
        {"name": "severity", "type": "enum", "values": ["low", "medium", "high"]},
        {"name": "weather", "type": "text", "required": False},
    ]

    def filled(answer):
        [row] = answer.to_dataframe().to_dict("records")
        expect(row["when"].startswith("00:06") and row["duration_s"] > 1 and row["event_severity"] and row["weather"] is None, row)
        [event] = answer.events()
        expect("SIGHTLINE_VISION_URL" in json.dumps(event["structured_output_errors"]), event)

    case("analyze", "a prompt with own fields", lambda: client.analyze(pair[0], "the picture gets dark", output_schema=schema), filled)
    required = [{"name": "weather", "type": "text"}]
    case(
        "analyze", "a prompt with a field that only a model fills", lambda: client.analyze(pair[0], "the picture gets dark", output_schema=required),
        lambda a: expect(a.structured() == [] and list(a.to_dataframe()["weather"]) == [None], a),
    )
    ask = dict(analysis_type=AnalysisType.ASK, custom_event="the picture gets dark", custom_category="security")
    asked = case(
        "analyze", "ASK with own fields", lambda: client.analyze(pair, output_schema=schema, **ask),
        lambda a: expect(len(a.structured()) == 2 and a.structured()[0]["severity"], a),
    )
    case(
        "get_batch_analysis", "with own fields", lambda: client.get_batch_analysis(asked.batch_id),
        lambda a: expect(list(a.to_dataframe()["duration_s"]) == [row["duration_s"] for row in asked.structured()], a),
    )
    case("video.infer_schema", "a stated form", lambda: client.video.infer_schema("a car. VERDICT: yes/no"), lambda a: expect(a["fields"][0]["values"] == ["yes", "no"], a))
    case("video.infer_schema", "no stated form", lambda: client.video.infer_schema("a car"), lambda a: expect(a is None, a))


def curated(client, case, refused, expect, pair, batch):
    """Curated datasets. `batch` has an event in each video of `pair`, one approved and one rejected."""
    sets = client.datasets
    batch_id = batch["batch_metadata"]["batch_id"]
    schema = [{"name": "duration_s", "type": "number"}]
    typed = client.analyze(pair, "the picture gets dark", output_schema=schema)

    def one(answer):
        expect(answer.is_ready and answer.batch_ids == [batch_id] and answer.event_counts["total"] == 2 and answer.totals["video_count"] == 2, answer)

    def both(answer):
        expect(answer.totals == {"batch_count": 2, "video_count": 5, "clip_count": 0, "event_counts": dict(total=4, approved=1, rejected=1, unsure=0, pending=2)}, answer)

    def downloaded(answer):
        frame = answer.to_dataframe()
        expect(list(frame["batch_id"]) == [batch_id] * 2 + [typed.batch_id] * 2 and set(frame["video_id"]) == set(pair), frame)
        expect([row["duration_s"] for row in answer.structured()] == list(frame["duration_s"])[2:] and frame["event_id"].is_unique, frame)
        expect(answer.unanalyzed_videos[0]["videos"][0]["video_id"] == pair[0], answer)

    made = case("datasets.create_from_batch", "a result", lambda: sets.create_from_batch(batch, name="dark"), one)
    case("datasets.create_from_batch", "an id", lambda: sets.create_from_batch(batch_id, name="dark", description="a"), one)
    case("datasets.create_from_batch", "videos alone", lambda: sets.create_from_batch(None, name="raw", video_ids=pair), lambda a: expect(a.totals["video_count"] == 2, a))
    many = case("datasets.create_from_batches", "", lambda: sets.create_from_batches([batch_id, typed], name="both", video_ids=pair[:1]), both)
    case("datasets.list", "own", sets.list, lambda a: expect([d.name for d in a] == ["both", "raw", "dark", "dark"], a))
    case("datasets.list", "shared", lambda: sets.list(scope="org"), lambda a: expect(a == [], a))
    case("datasets.get", "", lambda: sets.get(made.id), one)
    case("datasets.wait", "", lambda: sets.wait(made.id, poll_interval=0.2), one)
    case("datasets.update", "a name", lambda: sets.update(made.id, name="darker"), lambda a: expect(a.name == "darker" and a.is_ready, a))
    case("datasets.update", "batches and videos", lambda: sets.update(made.id, add_batches=typed, add_video_ids=pair[:1], wait=True), both)
    case("datasets.update", "refresh", lambda: sets.update(made.id, remove_batches=typed, remove_video_ids=pair[:1], refresh=True, wait=True), one)
    case("datasets.download_url", "", lambda: sets.download_url(many.id), lambda a: expect(a.startswith("http"), a))
    case("datasets.download", "rows of all batches", lambda: sets.download(many.id, os.path.join(tempfile.mkdtemp(), "set.json")), downloaded)
    client._make_request(method="PATCH", endpoint=f"/api/events/{typed.events()[0]['event_id']}", json_data={"approval": "unsure"})
    case("datasets.get", "after a review", lambda: sets.get(many.id), lambda a: expect(a.event_counts["unsure"] == 1 and a.event_counts["pending"] == 1, a))
    case("datasets.download", "after a review", lambda: sets.download(many.id), lambda a: expect(list(a.to_dataframe()["approval"]).count("unsure") == 1, a))
    refused("datasets.get", "an unknown dataset", lambda: sets.get("a"), APIError, 404)


def dataset_exports(client, case, refused, expect, pair, batch):
    """Selected videos with the events of each as MCAP, checked by the client against the manifest."""
    found = [(event["event_id"], result["video_id"]) for result in batch["results"] for event in result["events"]][:2]
    wanted, own = [event for event, _ in found], list(dict.fromkeys(video for _, video in found))
    made = case("create_dataset_export", "selected events", lambda: client.create_dataset_export(own, wanted), lambda a: expect(a["export_id"] and a["status"] in {"queued", "building", "completed"}, a))
    done = case("wait_for_dataset_export", "", lambda: client.wait_for_dataset_export(made["export_id"], poll_interval=0.2, show_progress=False), lambda a: expect(a["status"] == "completed" and a["event_count"] == len(wanted), a))
    case("get_dataset_export", "", lambda: client.get_dataset_export(made["export_id"]), lambda a: expect(a["progress"]["built"] == len(own), a))
    case("refresh_dataset_export_urls", "", lambda: client.refresh_dataset_export_urls(made["export_id"]), lambda a: expect(a["manifest_url"], a))

    def written(answer):
        roles = sorted(row["role"] for row in answer["files"])
        expect(roles == ["annotations"] * len(own) + ["source"] * len(own), answer)
        expect(all(row["bytes"] > 0 for row in answer["files"]), answer)

    case("download_dataset_export", "", lambda: client.download_dataset_export(done["export_id"], tempfile.mkdtemp(), wait=False), written)
    everything = case("create_dataset_export", "all events of the videos", lambda: client.create_dataset_export(pair, []), lambda a: expect(a["export_id"], a))
    case("wait_for_dataset_export", "all events of the videos", lambda: client.wait_for_dataset_export(everything["export_id"], poll_interval=0.2, show_progress=False), lambda a: expect(a["event_count"] >= len(wanted), a))
    refused("create_dataset_export", "an unknown event", lambda: client.create_dataset_export(pair, ["a"]), APIError, 404)
    refused("get_dataset_export", "one that is not there", lambda: client.get_dataset_export("a"), APIError, 404)


def explored(client, case, refused, expect, pair, batch):
    """A dataset that is explored: by the fields of its queries, by words, and by fields that are added."""
    studio = client.studio
    schema = {"label": "Lamp", "fields": [{"name": "is_dark", "type": "boolean", "description": "the picture is dark", "required": False}, {"name": "seconds", "type": "number", "required": False}]}
    lamps = client.analyze(pair, "the picture gets dark", output_schema=schema)
    made = case("studio.create", "a batch", lambda: studio.create(title="lamps", batch_ids=[lamps.batch_id], description="a", vertical="tests"), lambda a: expect(a.video_count == 2 and a.taxonomies[0]["schema"]["label"] == "Lamp", a))
    case("studio.create_from_batch", "a result", lambda: studio.create_from_batch(batch, title="plain"), lambda a: expect(a.taxonomies == [] and a.title == "plain", a))
    case("studio.create_from_batches", "", lambda: studio.create_from_batches([batch, lamps], title="both"), lambda a: expect(len(a["buckets"]) == 2, a))
    case("studio.get", "", lambda: studio.get(made.id), lambda a: expect(a == made, a))
    case("studio.list", "", studio.list, lambda a: expect([each.title for each in a][:3] == ["both", "plain", "lamps"], a))
    case("studio.taxonomy_schema", "", lambda: studio.taxonomy_schema(made.id), lambda a: expect([f["name"] for f in a["fields"]][-2:] == ["is_dark", "seconds"], a))
    dark = case("studio.filter", "a value", lambda: studio.filter(made.id, filters={"is_dark": True}, page_size=1), lambda a: expect(len(list(a)) == a.total > 1, a))
    case("studio.filter", "a comparison", lambda: studio.filter(made.id, where={"or": [{"seconds": ">= 0"}, {"is_dark": [True, False]}]}), lambda a: expect(a.total >= dark.total, a))
    refused("studio.filter", "an unknown field", lambda: studio.filter(made.id, filters={"weather": "rain"}), APIError, 400)
    case("studio.search", "", lambda: studio.search(made.id, "the picture gets dark"), lambda a: expect(a["index_status"] == "ready" and a.first(1)[0].relevance == "Strong match", a))
    case("studio.search", "that is filtered", lambda: studio.search(made.id, "the picture gets dark").filter(filters={"seconds": "< 0"}), lambda a: expect(a.total == 0, a))
    case("studio.facet_rows", "", lambda: studio.facet_rows(made.id), lambda a: expect(a.available and a.field_names == ["is_dark"] and len(a["rows"]) == len(a["event_refs"]), a))
    case("studio.coverage", "", lambda: studio.coverage(made.id), lambda a: expect(int(a["events"].sum()) >= dark.total and "true" in list(a["is_dark"]), a))
    fields = [{"name": "long", "type": "boolean", "description": "the picture is dark"}, {"name": "length", "type": "enum", "values": ["dark", "no"], "description": "the picture is dark"}]
    case("studio.add_taxonomy", "fixed values", lambda: studio.add_taxonomy(made.id, fields[:1], label="Long").wait(show_progress=False), lambda a: expect(a.status == "done" and a.completed_fields == ["long"], a))
    case("studio.add_taxonomy", "numbers", lambda: studio.add_taxonomy(made.id, [{"name": "duration", "type": "number"}], label="Length").wait(show_progress=False), lambda a: expect(a.status == "done", a))
    case("studio.filter", "a field that was added", lambda: studio.filter(made.id, filters={"long": True, "duration": "> 0"}), lambda a: expect(a.total > 0, a))
    refused("studio.add_taxonomy", "a field that only a model fills", lambda: studio.add_taxonomy(made.id, [{"name": "mood", "type": "enum", "values": ["happy", "sad"]}], label="Mood").wait(show_progress=False), NomadicAIError)
    refused("studio.add_taxonomy", "the same again", lambda: studio.add_taxonomy(made.id, fields[:1], label="Long"), APIError, 409)
    chosen = case("studio.select", "by a filter", lambda: studio.select(made.id).include(filters={"is_dark": True}).exclude(video_ids=pair[1:]), lambda a: expect(a.video_ids == pair[:1] and a.count()["events"] > 0, a))
    case("studio.select", "and export", lambda: chosen.export().wait(poll_interval=0.2, show_progress=False), lambda a: expect(a.status == "completed", a))
    refused("studio.select", "by a query, which needs a language model", lambda: studio.select(made.id).include(query="the picture gets dark"), NomadicAIError)
    refused("studio.get", "an unknown dataset", lambda: studio.get("a"), APIError, 404)


def datasets(client, case, refused, expect, pair, batch):
    batch_id = batch["batch_metadata"]["batch_id"]
    refused("get_trajectory_artifact", "nothing was measured", lambda: client.get_trajectory_artifact(pair[0]), APIError, 404)
    case(
        "export_lerobot_dataset", "without trajectories",
        lambda: client.export_lerobot_dataset(batch_id, output_dir=tempfile.mkdtemp(), trajectory_tool=None, fps=5),
        lambda a: expect(a, a),
    )


def index(client, case, expect, clip, pair):
    def captioned(result):
        captions = result["grounded_caption"]
        expect(result["status"] == "completed" and captions[0]["t_start"] == 0 and result["warnings"], result)
        expect(any("dark" in caption["caption"] for caption in captions), result)

    first = case("index", "one video", lambda: client.index(pair[:1], poll_interval=0.2), lambda a: captioned(a[pair[0]]))
    case("index", "many videos, one of them again", lambda: client.index(pair, poll_interval=0.2), lambda a: expect(a[pair[0]] == first[pair[0]] and captioned(a[pair[1]]) is None, a))
    case("index", "a video that is not there", lambda: client.index(["0" * 32]), lambda a: expect(a["0" * 32]["status"] == "failed", a))
    case("index", "another mode", lambda: client.index(pair[:1], mode="robotics"), lambda a: expect("vision-language model" in a[pair[0]]["error"], a))
    many = [*pair, *(f"{i:032x}" for i in range(1, 201))]
    case("index", "over 200 videos", lambda: client.index(many, poll_interval=0.2), lambda a: expect(len(a) == 202 and captioned(a[pair[0]]) is None, a))
    case("upload", "and index", lambda: client.upload(clip, index_data=True), lambda a: captioned(a["index_result"]))
