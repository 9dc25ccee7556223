"""Reads exported files with the libraries that their users have, and prints what it found as one line of JSON.

Argument: a folder with one file for each format, whose name is that of the format.
"""

import contextlib
import csv
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from xml.sax.saxutils import quoteattr
import zipfile

FOLDER = sys.argv[1]


def read_csv(path):
    with open(path, encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def read_json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def read_jsonl(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file.read().split("\n")[:-1]]


def read_parquet(path):
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(path)
    types = {field.name: str(field.type) for field in table.schema}
    rows = table.to_pylist()
    for row in rows:
        for name in ("created_at", "start_at", "end_at"):
            row[name] = row[name].isoformat()
    return {"types": types, "rows": rows}


def read_vtt(path):
    import webvtt

    def seconds(timestamp):
        hours, minutes, rest = timestamp.split(":")
        return round(int(hours) * 3600 + int(minutes) * 60 + float(rest), 3)

    return [[seconds(cue.start), seconds(cue.end), cue.text] for cue in webvtt.read(path)]


def read_srt(path):
    import srt

    with open(path, encoding="utf-8") as file:
        return [[cue.start.total_seconds(), cue.end.total_seconds(), cue.content] for cue in srt.parse(file.read())]


def read_chapters(path):
    command = ["ffprobe", "-v", "error", "-f", "ffmetadata", "-show_chapters", "-of", "json", path]
    found = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    return [[float(each["start_time"]), float(each["end_time"]), each["tags"]["title"]] for each in found["chapters"]]


def read_cut(path, adapter, **options):
    import opentimelineio

    timeline = opentimelineio.adapters.read_from_file(path, adapter_name=adapter, **options)
    clips = []
    for clip in timeline.find_clips():
        source = clip.source_range
        start, duration = (round(time.to_seconds(), 3) for time in (source.start_time, source.duration))
        url = getattr(clip.media_reference, "target_url", None)
        clips.append([clip.name, start, duration, url, len(clip.markers)])
    return clips


def read_otio(path):
    return read_cut(path, "otio_json")


def read_edl(path):
    return read_cut(path, "cmx_3600", rate=25)


def read_fcpxml(path):
    return read_cut(path, "fcpx_xml")


def read_coco(path):
    from pycocotools.coco import COCO

    with contextlib.redirect_stdout(io.StringIO()):
        coco = COCO(path)
    annotations = coco.loadAnns(coco.getAnnIds())
    assert all(each["image_id"] in coco.imgs and each["category_id"] in coco.cats for each in annotations)
    return {
        "images": [each["file_name"] for each in coco.imgs.values()],
        "categories": [each["name"] for each in coco.cats.values()],
        "boxes": [each["bbox"] for each in annotations],
    }


def read_cvat(path):
    import datumaro
    import PIL.Image

    with tempfile.TemporaryDirectory() as folder:
        # It recognizes the format by the extension, and looks for the images in a folder beside it.
        annotations = shutil.copy(path, f"{folder}/annotations.xml")
        for image in ElementTree.parse(path).getroot().iter("image"):
            os.makedirs(os.path.dirname(f"{folder}/images/{image.get('name')}"), exist_ok=True)
            PIL.Image.new("L", (int(image.get("width")), int(image.get("height")))).save(f"{folder}/images/{image.get('name')}")
        data = datumaro.Dataset.import_from(annotations, "cvat")
    labels = [each.name for each in data.categories()[datumaro.AnnotationType.label]]
    annotations = [annotation for item in data for annotation in item.annotations]
    boxes = [each for each in annotations if each.type == datumaro.AnnotationType.bbox]
    tags = [each.attributes for each in annotations if each.type == datumaro.AnnotationType.label]
    return {
        "images": len(data),
        "labels": labels,
        "boxes": [[round(edge, 2) for edge in box.get_bbox()] for box in boxes],
        "events": [box.attributes["event"] for box in boxes],
        "tags": [[tag["label"], tag["approval"]] for tag in tags],
    }


def read_label_studio(path):
    from label_studio_sdk.label_interface import LabelInterface

    tasks = read_json(path)
    answers = [(task["annotations"] or task["predictions"])[0] for task in tasks]
    names = {name for answer in answers for name in answer["result"][0]["value"]["timelinelabels"]}
    labels = "".join(f"<Label value={quoteattr(name)}/>" for name in names)
    interface = LabelInterface(
        f'<View><Video name="video" value="$video"/><TimelineLabels name="events" toName="video">{labels}</TimelineLabels></View>'
    )
    found = []
    for task, answer in zip(tasks, answers):
        errors = interface.validate_prediction(answer, return_errors=True)
        assert not errors, errors
        [result] = answer["result"]
        [span] = result["value"]["ranges"]
        state = task["data"]["approval"] if task["annotations"] else "prediction"
        found.append([result["value"]["timelinelabels"][0], span["start"], span["end"], state])
    return found


def read_fiftyone(path):
    import eta.core.datasets as datasets

    with zipfile.ZipFile(path) as archive, tempfile.TemporaryDirectory() as folder:
        assert archive.testzip() is None
        archive.extractall(folder)
        dataset = datasets.load_dataset(f"{folder}/manifest.json")
        videos = [os.path.relpath(each, folder) for each in dataset.iter_data_paths()]
        found, boxes, metadata = [], [], None
        for labels in dataset.iter_labels():
            metadata = [labels.metadata.frame_rate, list(labels.metadata.frame_size)]
            # The fields that FiftyOne reads.
            for event in labels.events:
                attributes = {each.name: each.value for each in event.attrs}
                found.append([event.label, list(event.support.limits), event.confidence, event.tags, attributes])
            boxes += [
                [number, each.label, [round(edge, 6) for edge in each.bounding_box.to_coords()], each.attrs.get_attr_with_name("event").value]
                for number in sorted(labels.frames)
                for each in labels.frames[number].objects
            ]
    return {"videos": videos, "events": found, "boxes": boxes, "metadata": metadata}


def read_geojson(path):
    import geojson

    with open(path, encoding="utf-8") as file:
        collection = geojson.load(file)
    assert collection.is_valid, collection.errors()
    return [[each["id"], each["geometry"]["type"], each["geometry"]["coordinates"], each["properties"]["start_at"]] for each in collection["features"]]


def read_mcap(path):
    from mcap.reader import make_reader

    with open(path, "rb") as file:
        reader = make_reader(file, validate_crcs=True)
        assert reader.get_summary().statistics.message_count > 0
        return [
            [schema.name, channel.topic, message.log_time / 1e9, json.loads(message.data)]
            for schema, channel, message in reader.iter_messages()
        ]


def probe(path):
    command = ["ffprobe", "-v", "error", "-show_format", "-show_streams", "-of", "json", path]
    return json.loads(subprocess.run(command, check=True, capture_output=True).stdout)


def read_zip(path):
    import PIL.Image

    with zipfile.ZipFile(path) as archive, tempfile.TemporaryDirectory() as folder:
        assert archive.testzip() is None
        archive.extractall(folder)
        names = sorted(archive.namelist())
        clips = [float(probe(f"{folder}/{name}")["format"]["duration"]) for name in names if name.startswith("clips/")]
        images = [PIL.Image.open(f"{folder}/{name}").size for name in names if name.startswith("evidence/")]
        assert len(read_csv(f"{folder}/events.csv")) == len(clips)
        return {"names": names, "clips": clips, "images": images, "events": len(read_json(f"{folder}/events.json")["events"])}


def read_recap(path):
    [stream] = probe(path)["streams"]
    # The bar below the frames, in the middle of each of the three clips.
    captions = set()
    for seconds in (1, 4, 7):
        crop = ["-vf", "crop=1280:72:0:648", "-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "gray", "-"]
        found = subprocess.run(["ffmpeg", "-v", "error", "-ss", str(seconds), "-i", path, *crop], check=True, capture_output=True)
        pixels = bytes(255 if value > 100 else 0 for value in found.stdout)
        assert sum(pixels) > 255 * 500, "there is no text"
        captions.add(pixels)
    return {
        "codec": stream["codec_name"],
        "size": [stream["width"], stream["height"]],
        "seconds": float(stream["duration"]),
        "captions": len(captions),
    }


print(json.dumps({name: globals()[f"read_{name}"](os.path.join(FOLDER, name)) for name in sorted(os.listdir(FOLDER))}))
