"""Reads a dataset with LeRobot's own library, and prints what it found as one line of JSON.

Argument: the ZIP archive. Debian's PyTorch is older than the one that LeRobot requires, so that what LeRobot uses of
newer ones for logging and for decoding is replaced: frames are decoded with PyAV, with LeRobot's tolerance.
"""

import json
import sys
import tempfile
import types
import zipfile

accelerate = types.ModuleType("accelerate")
accelerate.Accelerator = object
sys.modules["accelerate"] = accelerate

import av
import torch
from lerobot.datasets import lerobot_dataset
from lerobot.datasets.compute_stats import aggregate_stats


def decode(path, timestamps, tolerance_s, backend=None):
    with av.open(str(path)) as container:
        frames = [(frame.time, frame.to_ndarray(format="rgb24")) for frame in container.decode(video=0)]
    found = []
    for timestamp in timestamps:
        time, pixels = min(frames, key=lambda frame: abs(frame[0] - timestamp))
        assert abs(time - timestamp) < tolerance_s, (time, timestamp)
        found.append(torch.from_numpy(pixels).permute(2, 0, 1) / 255)
    return torch.stack(found)


lerobot_dataset.decode_video_frames = decode

with zipfile.ZipFile(sys.argv[1]) as archive, tempfile.TemporaryDirectory() as folder:
    assert archive.testzip() is None
    archive.extractall(folder)
    dataset = lerobot_dataset.LeRobotDataset("local/events", root=folder)
    [camera] = dataset.meta.camera_keys
    means = []
    for index in range(len(dataset)):
        item = dataset[index]
        assert item["index"] == index and item[camera].shape == tuple(dataset.meta.shapes[camera][at] for at in (2, 0, 1))
        means.append(item[camera].mean(dim=(1, 2)))
    stats = dataset.meta.stats
    # Statistics of the same shapes as LeRobot computes, so that datasets can be merged.
    aggregate_stats([stats, stats])
    columns = ["episode_index", "tasks", "length", "dataset_from_index", "dataset_to_index", "event_id", "start_s"]
    print(
        json.dumps(
            {
                "fps": dataset.fps,
                "frames": len(dataset),
                "shape": list(dataset.meta.shapes[camera]),
                "episodes": [[episode[name] for name in columns] for episode in dataset.meta.episodes],
                "tasks": list(dataset.meta.tasks.index),
                "task": [dataset[episode["dataset_from_index"]]["task"] for episode in dataset.meta.episodes],
                "times": [dataset[index]["timestamp"].item() for index in (0, 1, len(dataset) - 1)],
                "stats": {name: {kind: value.tolist() for kind, value in each.items()} for name, each in stats.items()},
                "mean": torch.stack(means).mean(dim=0).tolist(),
                "starts": [means[episode["dataset_from_index"]].tolist() for episode in dataset.meta.episodes],
            }
        )
    )
