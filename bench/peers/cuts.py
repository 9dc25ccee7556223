"""PySceneDetect with its defaults over the videos named as arguments: one line of JSON each, with times in seconds and what each detector cost."""
import json
import sys
import time

from scenedetect import AdaptiveDetector, ContentDetector, SceneManager, ThresholdDetector, open_video

DETECTORS = {
    "adaptive": [AdaptiveDetector],
    "content": [ContentDetector],
    "adaptive and threshold": [AdaptiveDetector, ThresholdDetector],
}


def cuts(path, detectors):
    manager = SceneManager()
    for detector in detectors:
        manager.add_detector(detector())
    wall, cpu = time.monotonic(), time.process_time()
    manager.detect_scenes(open_video(path))
    cost = {"wallS": time.monotonic() - wall, "cpuS": time.process_time() - cpu}
    starts = [start.seconds for start, _ in manager.get_scene_list()]
    return {"timesS": starts[1:], **cost}


for video in sys.argv[1:]:
    print(json.dumps({name: cuts(video, detectors) for name, detectors in DETECTORS.items()}), flush=True)
