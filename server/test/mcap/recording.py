"""Writes a recording with the format's Python library, for tests that must not read only what our own tools write.

Usage: recording.py TARGET PICTURE COMPRESSION. Two seconds of: /front, ROS 2, 10 a second; /rear, FlatBuffers, 5 a second, a quarter of a second
later and with a gap from 1.0 to 1.6 s; /left, protobuf, 20 a second; /imu, which feels braking from 0.5 to 1.5 s.
"""
import sys
from pathlib import Path

import flatbuffers
import foxglove_schemas_flatbuffer
from foxglove_schemas_flatbuffer import CompressedImage, Time
from foxglove_schemas_protobuf.CompressedImage_pb2 import CompressedImage as ProtobufImage
from mcap.writer import CompressionType
from mcap.writer import Writer as Plain
from mcap_protobuf.schema import register_schema
from mcap_ros2._dynamic import serialize_dynamic

target, picture, compression = Path(sys.argv[1]), Path(sys.argv[2]).read_bytes(), CompressionType[sys.argv[3]]
BEGIN = 1_750_000_000 * 10**9
RULE = "=" * 80
STAMPED = f"{RULE}\nMSG: std_msgs/Header\nbuiltin_interfaces/Time stamp\nstring frame_id\n"
IMAGE = f"std_msgs/Header header\nstring format\nuint8[] data\n{STAMPED}"
IMU = (
    "std_msgs/Header header\ngeometry_msgs/Vector3 angular_velocity\ngeometry_msgs/Vector3 linear_acceleration\n"
    f"{STAMPED}{RULE}\nMSG: geometry_msgs/Vector3\nfloat64 x\nfloat64 y\nfloat64 z\n"
)


def at(seconds):
    ns = BEGIN + round(seconds * 1e9)
    return ns, {"stamp": {"sec": ns // 10**9, "nanosec": ns % 10**9}, "frame_id": "camera"}


def flatbuffer(ns):
    builder = flatbuffers.Builder(0)
    data = builder.CreateByteVector(picture)
    form = builder.CreateString("jpeg")
    CompressedImage.Start(builder)
    CompressedImage.AddTimestamp(builder, Time.CreateTime(builder, ns // 10**9, ns % 10**9))
    CompressedImage.AddData(builder, data)
    CompressedImage.AddFormat(builder, form)
    builder.Finish(CompressedImage.End(builder))
    return bytes(builder.Output())


def messages():
    for i in range(20):
        yield i / 10, "front"
    for i in range(10):
        if not 1.0 < 0.25 + i / 5 < 1.6:
            yield 0.25 + i / 5, "rear"
    for i in range(40):
        yield i / 20, "left"
    for i in range(200):
        yield i / 100, "imu"


with target.open("wb") as file:
    plain = Plain(file, compression=compression, chunk_size=50_000)
    plain.start(profile="ros2", library="python")
    encode = {
        "image": serialize_dynamic("sensor_msgs/msg/CompressedImage", IMAGE)["sensor_msgs/msg/CompressedImage"],
        "imu": serialize_dynamic("sensor_msgs/msg/Imu", IMU)["sensor_msgs/msg/Imu"],
    }
    bfbs = (Path(foxglove_schemas_flatbuffer.__file__).parent / "CompressedImage.bfbs").read_bytes()
    schemas = {
        "front": ("cdr", plain.register_schema("sensor_msgs/msg/CompressedImage", "ros2msg", IMAGE.encode())),
        "rear": ("flatbuffer", plain.register_schema("foxglove.CompressedImage", "flatbuffer", bfbs)),
        "left": ("protobuf", register_schema(plain, ProtobufImage)),
        "imu": ("cdr", plain.register_schema("sensor_msgs/msg/Imu", "ros2msg", IMU.encode())),
    }
    channels = {name: plain.register_channel(f"/{name}", encoding, schema) for name, (encoding, schema) in schemas.items()}
    for seconds, name in sorted(messages()):
        ns, header = at(seconds)
        if name == "front":
            data = encode["image"]({"header": header, "format": "jpeg", "data": picture})
        elif name == "rear":
            data = flatbuffer(ns)
        elif name == "left":
            image = ProtobufImage(data=picture, format="jpeg")
            image.timestamp.FromNanoseconds(ns)
            data = image.SerializeToString()
        else:
            felt = {"x": -6.0 if 0.5 <= seconds < 1.5 else 0.0, "y": 0.0, "z": 9.8}
            turning = {"x": 0.0, "y": 0.0, "z": 0.0}
            data = encode["imu"]({"header": header, "angular_velocity": turning, "linear_acceleration": felt})
        plain.add_message(channels[name], log_time=ns, publish_time=ns, data=data)
    plain.finish()
