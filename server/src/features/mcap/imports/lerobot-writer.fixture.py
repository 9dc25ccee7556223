"""Writes datasets of LeRobot: `v3` by its own library, and `v2` in the layout of version 2.1 from the same frames.

Usage: lerobot-writer.fixture.py FOLDER. Episode e has 20 + 5 * e frames at 10 per second. In frame i, the joint `elbow`
is e + i / 10, its action half of that, and the speed i. Debian's PyTorch is older than the one that LeRobot requires, so
that what LeRobot uses of newer ones for logging is replaced.
"""

import json
import subprocess
import sys
import types
from pathlib import Path

accelerate = types.ModuleType("accelerate")
accelerate.Accelerator = object
sys.modules["accelerate"] = accelerate

import numpy as np
import pyarrow.parquet as pq
from lerobot.datasets.lerobot_dataset import LeRobotDataset

FPS = 10
CAMERAS = ["observation.images.front", "observation.images.wrist"]
folder = Path(sys.argv[1])

features = {
    **{camera: {"dtype": "video", "shape": (96, 128, 3), "names": ["height", "width", "channels"]} for camera in CAMERAS},
    "observation.state": {"dtype": "float32", "shape": (2,), "names": ["elbow", "gripper"]},
    "action": {"dtype": "float32", "shape": (2,), "names": ["elbow", "gripper"]},
    "observation.speed": {"dtype": "float32", "shape": (1,), "names": None},
}
dataset = LeRobotDataset.create("test/arm", FPS, features, root=folder / "v3", robot_type="arm", use_videos=True)
lengths = [20, 25, 30]
for episode, length in enumerate(lengths):
    for i in range(length):
        image = np.full((96, 128, 3), 40 + 60 * episode, dtype=np.uint8)
        image[:, : 4 * i] = 250
        state = np.array([episode + i / 10, 1], dtype=np.float32)
        dataset.add_frame(
            {
                **{camera: image for camera in CAMERAS},
                "observation.state": state,
                "action": state / 2,
                "observation.speed": np.array([i], dtype=np.float32),
                "task": f"task {episode}",
            }
        )
    dataset.save_episode()
dataset.finalize()

# Version 2.1: one file for each episode and camera.
old = folder / "v2"
(old / "meta").mkdir(parents=True)
info = json.loads((folder / "v3/meta/info.json").read_text())
info |= {
    "codebase_version": "v2.1",
    "data_path": "data/chunk-{episode_chunk:03d}/episode_{episode_index:06d}.parquet",
    "video_path": "videos/chunk-{episode_chunk:03d}/{video_key}/episode_{episode_index:06d}.mp4",
}
(old / "meta/info.json").write_text(json.dumps(info))
lines = [{"episode_index": e, "tasks": [f"task {e}"], "length": n} for e, n in enumerate(lengths)]
(old / "meta/episodes.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
table = pq.read_table(next((folder / "v3/data").rglob("*.parquet")))
(old / "data/chunk-000").mkdir(parents=True)
for episode, length in enumerate(lengths):
    start = sum(lengths[:episode])
    pq.write_table(table.slice(start, length), old / f"data/chunk-000/episode_{episode:06d}.parquet", compression="zstd")
    for camera in CAMERAS:
        target = old / f"videos/chunk-000/{camera}/episode_{episode:06d}.mp4"
        target.parent.mkdir(parents=True, exist_ok=True)
        source = next((folder / "v3/videos" / camera).rglob("*.mp4"))
        cut = ["-ss", str(start / FPS), "-i", str(source), "-frames:v", str(length), "-c:v", "libx264", str(target)]
        subprocess.run(["ffmpeg", "-v", "error", *cut], check=True)
