"""
Motion as network video recorders find it: OpenCV's MOG2 over small pictures, shadows off, opened by 3 by 3, and motion when one contour is large enough. Over the
videos named as arguments: one line of JSON each, with the times of frames, whether each has motion, and the cost.
"""
import json
import sys
import time

import cv2

WIDTH, HEIGHT = 320, 192
LEAST_AREA = 0.003 * WIDTH * HEIGHT
FOREGROUND = 200


def motion(path):
    video = cv2.VideoCapture(path)
    subtractor = cv2.createBackgroundSubtractorMOG2()
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (3, 3))
    times, moving = [], []
    wall, cpu = time.monotonic(), time.process_time()
    while True:
        there, frame = video.read()
        if not there:
            break
        mask = subtractor.apply(cv2.resize(frame, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA))
        _, mask = cv2.threshold(mask, FOREGROUND, 255, cv2.THRESH_BINARY)
        mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel)
        contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        times.append(video.get(cv2.CAP_PROP_POS_MSEC) / 1000)
        moving.append(any(cv2.contourArea(contour) >= LEAST_AREA for contour in contours))
    cost = {"wallS": time.monotonic() - wall, "cpuS": time.process_time() - cpu}
    return {"timesS": times, "moving": moving, **cost}


for video in sys.argv[1:]:
    print(json.dumps(motion(video)), flush=True)
