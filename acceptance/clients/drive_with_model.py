"""Calls the methods of the newest SDK that need a model that sees, against a service with one, and prints one line of JSON for each case.

Arguments: the service's URL, a key, and a clip about which the model knows what `clients.world.test.ts` tells it.
"""

import json
import logging
import os
import sys
import warnings

from nomadicml import NomadicML
from nomadicml.exceptions import APIError
from nomadicml.video import AnalysisType
from reporting import case, expect, refused

warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)
os.environ["NOMADICML_DASHBOARD_BASE_URL"] = "http://console.invalid"

URL, KEY, CLIP = sys.argv[1:4]
client = NomadicML(api_key=KEY, base_url=URL)
SEGMENTS, CLASSIFY = AnalysisType.ACTION_SEGMENTATION, AnalysisType.ACTION_SEGMENTATION_CLASSIFY
ACTIONS = ["raise the lamp", "hold the lamp"]

# 20 m/s, and from 6 s on braking to a stop.
drive = [{"timestamp": t / 2, "lat": 52.5, "lon": 13.4, "speed": max(0.0, min(20.0, 20 - 4 * (t / 2 - 6)))} for t in range(33)]
first = client.upload(CLIP, metadata_file=json.dumps(drive).encode())["video_id"]
second = client.upload(CLIP, name="second.mp4")["video_id"]


def pothole(answer):
    [event] = answer["events"]
    expect(event["t_start"] in ("00:07", "00:08") and event["confidence"] >= 0.5, answer)


case("analyze", "a prompt that only a model answers", lambda: client.analyze(first, "a pothole"), pothole)
case("analyze", "a question in words", lambda: client.analyze(first, "what happens?"), lambda a: expect("lamp" in a["summary"], a))
weather = [{"name": "weather", "type": "enum", "values": ["rainy", "sunny"]}]
case(
    "analyze", "a prompt with a field that only a model fills", lambda: client.analyze(first, "a pothole", output_schema=weather),
    lambda a: expect(list(a.to_dataframe()["weather"]) == ["sunny"] and a.structured()[0]["weather"] == "sunny", a),
)
case("video.infer_schema", "no stated form", lambda: client.video.infer_schema("how do people cross the road?"), lambda a: expect(a["fields"][0]["name"] == "crossing", a))


def captioned(answer):
    texts = [caption["caption"] for caption in answer[first]["grounded_caption"]]
    expect(answer[first]["status"] == "completed" and any(text in ACTIONS for text in texts), answer)


case("index", "in prose", lambda: client.index([first], poll_interval=0.2), captioned)
case("index", "in prose, of robots", lambda: client.index([first], mode="robotics", poll_interval=0.2), captioned)


def explained(answer):
    annotations = answer["annotations"]
    decisions = [each["decision"]["longitudinal"] for each in annotations]
    expect(decisions and set(decisions) <= {"braking", "braking_hard", "stopped"} and answer["ego_meta_actions"], answer)
    for each in annotations:
        expect(5 < each["keyframe_s"] < 13 and each["chain_of_causation"] in ACTIONS, answer)
        expect(each["critical_components"] == [{"component": "pedestrian", "location": "ahead"}], answer)


case("video.get_causation_annotations", "of an indexed drive", lambda: client.video.get_causation_annotations(first), explained)


def segmented(answer, label=lambda event: event["label"]):
    expect(answer["status"] == "completed" and [label(event) for event in answer["events"]] == ACTIONS, answer)


case(
    "analyze", "ACTION_SEGMENTATION, one video", lambda: client.analyze(first, analysis_type=SEGMENTS),
    lambda a: segmented(a, lambda event: event.get("label") or event["description"]),
)
case(
    "analyze", "ACTION_SEGMENTATION, many videos", lambda: client.analyze([first, second], analysis_type=SEGMENTS),
    lambda a: [segmented(result) for result in a["results"]],
)


def classified(answer):
    segmented(answer)
    for event, name in zip(answer["events"], ACTIONS):
        expect(event["category"] == f"{name.upper()}: SUCCESS" and event["parent_category"] == name, answer)
        expect(event["event_ai_reasoning"]["text"], answer)
    expect("." in answer["events"][1]["t_start"], answer)


case("analyze", "ACTION_SEGMENTATION_CLASSIFY, one video", lambda: client.analyze(first, analysis_type=CLASSIFY), classified)
batch = case(
    "analyze", "ACTION_SEGMENTATION_CLASSIFY, many videos", lambda: client.analyze([first, second], analysis_type=CLASSIFY),
    lambda a: [classified(result) for result in a["results"]],
)
case(
    "get_batch_analysis", "of classified actions", lambda: client.get_batch_analysis(batch["batch_metadata"]["batch_id"]),
    lambda a: [classified(result) for result in a["results"]],
)
refused("analyze", "ACTION_SEGMENTATION with a segmenter", lambda: client.analyze(first, analysis_type=SEGMENTS, segmenter_id="s"), APIError, 501)
refused(
    "analyze", "ACTION_SEGMENTATION with a detector",
    lambda: client.analyze([first, second], analysis_type=SEGMENTS, detector_config={"input_mode": "frames"}), APIError, 400,
)

studio = client.studio
made = studio.create(title="lamps", batch_ids=[batch["batch_metadata"]["batch_id"]])
mood = [{"name": "mood", "type": "enum", "values": ["sad", "happy"]}]
case("studio.add_taxonomy", "a field that only a model fills", lambda: studio.add_taxonomy(made.id, mood, label="Mood").wait(show_progress=False), lambda a: expect(a.status == "done", a))
case("studio.filter", "a field that a model filled", lambda: studio.filter(made.id, filters={"mood": "happy"}), lambda a: expect(a.total == 4, a))
case("studio.search", "by a language model", lambda: studio.search(made.id, "something goes up"), lambda a: expect([e["description"] for e in a["events"]] == ACTIONS[:1] * 2, a))
case("studio.select", "by a query", lambda: studio.select(made.id).include(query="something goes up"), lambda a: expect(a.count()["events"] == 2, a))
