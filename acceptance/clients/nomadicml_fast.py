"""Uploads a video with the published Python SDK and analyzes it in fast mode, as users do. Prints the answer as JSON.

Arguments: the service's URL, a key, the path of a video, a prompt.
"""

import json
import logging
import sys
import warnings

from nomadicml import NomadicML

warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)

URL, KEY, PATH, PROMPT = sys.argv[1:5]
client = NomadicML(api_key=KEY, base_url=URL)
video_id = client.upload(PATH)["video_id"]
print(json.dumps(client.analyze(video_id, PROMPT, mode="fast"), default=str))
