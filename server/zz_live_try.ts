import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createLog } from '#platform/log';
import { createMedia } from '#platform/media/index';
const media = await createMedia({ engine: 'node-av', processes: 1, ffmpegPath: 'ffmpeg', maxSeconds: 86400, log: createLog('warn') });
const [what] = process.argv.slice(2);
const lavfi = ['-f','lavfi','-i','testsrc2=size=640x360:rate=25','-f','lavfi','-i','sine'];
const kinds: Record<string,string[]> = {
 ts: ['-re',...lavfi,'-t','7','-c:v','libx264','-preset','ultrafast','-g','25','-bf','2','-c:a','aac','-f','mpegts','-'],
 fmp4: ['-re',...lavfi,'-t','7','-c:v','libx264','-preset','ultrafast','-g','25','-c:a','aac','-movflags','frag_keyframe+empty_moov','-f','mp4','-'],
 flv: ['-re',...lavfi,'-t','7','-c:v','libx264','-preset','ultrafast','-g','25','-c:a','aac','-f','flv','-'],
 hevc: ['-re',...lavfi,'-t','5','-c:v','libx265','-preset','ultrafast','-x265-params','keyint=25:log-level=none','-c:a','aac','-f','mpegts','-'],
 mjpeg: ['-re',...lavfi,'-t','5','-map','0:v','-c:v','mjpeg','-f','mpjpeg','-'],
 audio: ['-re',...lavfi,'-t','9','-map','1:a','-c:a','aac','-f','mpegts','-'],
};
const ff = spawn('ffmpeg', ['-v','error',...kinds[what!]!], { stdio: ['ignore','pipe','inherit'] });
let init: Buffer|undefined; const parts: Buffer[] = []; const t0 = Date.now();
try {
await media.capture({ source: { kind: 'bytes', body: ff.stdout, ...(what==='mjpeg'?{format:'mpjpeg'}:{}), options: what==='mjpeg'?{use_wallclock_as_timestamps:'1'}:{} }, startS: 0, leadS: null, segmentS: 2, clockMs: null, stallS: 5 },
 { signal: new AbortController().signal, stop: new AbortController().signal, onSegment: async (s) => {
   console.log(Date.now()-t0, s.startS.toFixed(3), s.durationS.toFixed(3), Math.round(s.capturedMs-t0), s.data.length, s.epoch && { ...s.epoch, init: s.epoch.init.length });
   if (s.epoch) init ??= Buffer.from(s.epoch.init); parts.push(Buffer.from(s.data));
 } });
} catch (e) { console.log('ERR', (e as Error).message, (e as {code?:string}).code); }
if (init) { await writeFile('/tmp/live/out.mp4', Buffer.concat([init, ...parts])); console.log(JSON.stringify(await media.probe('/tmp/live/out.mp4'))); }
await media.close();
