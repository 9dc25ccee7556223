"""A camera that is not ours: an RTSP server of GStreamer (RFC 2326, with RTCP), which plays a clip's pictures with a tone of 440 Hz in G.711, as cameras speak, or with the clip's own AAC.

Usage: camera.py CLIP USER PASSWORD [g711|aac|none]. Shows it to who has the password at rtsp://127.0.0.1:PORT/stream, and prints PORT once it listens.
"""
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstRtsp", "1.0")
gi.require_version("GstRtspServer", "1.0")
from gi.repository import GLib, Gst, GstRtsp, GstRtspServer  # noqa: E402

clip, user, password, audio = [*sys.argv[1:], "g711"][:4]
launch = f'filesrc location="{clip}" ! qtdemux name=file file.video_0 ! queue ! h264parse config-interval=-1 ! rtph264pay name=pay0 pt=96'
launch += {
    "g711": " audiotestsrc freq=440 volume=0.5 ! audio/x-raw,rate=8000,channels=1 ! alawenc ! rtppcmapay name=pay1 pt=8",
    "aac": " file.audio_0 ! queue ! aacparse ! rtpmp4gpay name=pay1 pt=97",
    "none": "",
}[audio]
Gst.init(None)
factory = GstRtspServer.RTSPMediaFactory()
factory.set_launch(f"( {launch} )")
role = GstRtspServer.RTSPToken()
role.set_string("media.factory.role", "viewer")
permissions = GstRtspServer.RTSPPermissions()
permissions.add_permission_for_role("viewer", "media.factory.access", True)
permissions.add_permission_for_role("viewer", "media.factory.construct", True)
factory.set_permissions(permissions)
auth = GstRtspServer.RTSPAuth()
auth.set_supported_methods(GstRtsp.RTSPAuthMethod.DIGEST)
auth.add_digest(user, password, role)
server = GstRtspServer.RTSPServer()
server.set_auth(auth)
server.set_address("127.0.0.1")
server.set_service("0")
server.get_mount_points().add_factory("/stream", factory)
server.attach(None)
print(server.get_bound_port(), flush=True)
GLib.MainLoop().run()
