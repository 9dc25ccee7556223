import type { Command } from 'commander';
import type { CliSession } from '../../session.ts';
import { clock, table } from '../../terminal.ts';
import type { Run } from '../../types.ts';
import { addRecordingOptions, describeRetained, type RecordingFlags, toRecording } from './recording.ts';

type StartFlags = { name?: string; stream?: string; query?: string } & RecordingFlags;
type Event = { label: string; t_start: string; t_end: string; ongoing: boolean; confidence: number };

export function liveCommands(program: Command, run: Run): void {
  const live = program.command('live').description('record and analyze livestreams');
  const starting = live
    .command('start')
    .description('start a session')
    .argument('<address>', 'URL of the stream')
    .option('--name <name>', 'name of the session (default: host and path of its URL)')
    .option('--stream <stream_id>', 'stream that the session belongs to')
    .option('--query <prompt>', 'what to look for during the session');
  addRecordingOptions(starting).action(run(start));
  live
    .command('list', { isDefault: true })
    .description('list sessions, newest first')
    .option('--stream <stream_id>', 'only sessions of this stream')
    .action(run(list));
  const withSession = (command: Command) => command.argument('<stream_id>').argument('<session_id>');
  withSession(live.command('show').description('show the status of a session'))
    .option('--follow', 'print events as they arrive, until the session ends')
    .action(run(show));
  withSession(live.command('end').description('end a session')).action(
    run(async ({ sightline, print }, stream_id: string, session_id: string) => {
      const { api } = await sightline();
      const { data } = await api.POST('/api/live/end-session', { body: { stream_id, session_id } });
      print(data, () => (data!.status === 'ended' ? 'The session is ending.' : 'The session has ended already.'));
    }),
  );
  live
    .command('ask')
    .description('change the prompt of a session')
    .argument('<session_id>')
    .argument('<prompt>')
    .option('--add', 'add the prompt to the current one')
    .action(run(ask));
  live
    .command('manifest')
    .description('print a URL that plays the session without a key until it expires')
    .argument('<session_id>')
    .action(
      run(async ({ sightline, print }, session_id: string) => {
        const { api } = await sightline();
        const params = { path: { session_id } };
        const { data } = await api.POST('/api/live/session/{session_id}/signed-manifest', { params });
        print(data, () => data!.url);
      }),
    );
}

async function start({ sightline, print }: CliSession, source_url: string, flags: StartFlags) {
  const { name, stream, query } = flags;
  const { api } = await sightline();
  const { data } = await api.POST('/api/live/start-session', {
    body: {
      source_url,
      name: name ?? hostOf(source_url),
      stream_id: stream,
      rapid_review_query: query,
      ...toRecording(flags),
    },
  });
  print(data, () => `${data!.stream_id} ${data!.session_id}`);
}

/** Host of a URL, because the URL may contain a password. */
const hostOf = (address: string) => URL.parse(address)?.host || 'livestream';

async function ask({ sightline, print }: CliSession, session_id: string, query: string, { add }: { add?: boolean }) {
  const { api } = await sightline();
  const { data } = await api.POST('/api/live/session/{session_id}/query', {
    params: { path: { session_id } },
    body: { rapid_review_query: query, mode: add ? 'add' : undefined },
  });
  print(data, () => `The query is now: ${data!.rapid_review_query}\n${data!.interpretation}`);
}

async function list({ sightline, print }: CliSession, { stream }: { stream?: string }): Promise<void> {
  const { api } = await sightline();
  const { data } = await api.GET('/api/live/live-sessions', { params: { query: { stream_id: stream } } });
  const rows = data!.sessions.map((session) => [
    session.stream_id,
    session.session_id,
    session.name,
    session.status,
    clock(session.duration_s ?? 0),
    String(session.event_count),
  ]);
  print(data, () => table(['stream', 'session', 'name', 'status', 'length', 'events'], rows, 'There are no sessions.'));
}

async function show(session: CliSession, stream_id: string, session_id: string, { follow }: { follow?: boolean }) {
  const { json, print } = session;
  const sightline = await session.sightline();
  if (follow) {
    for await (const event of sightline.followLive(session_id)) {
      const { finding, interpretation } = event.data as { finding?: Event; interpretation?: string };
      if (json || finding || interpretation) print(event, () => (finding ? lineOf(finding) : interpretation!));
    }
  }
  const params = { path: { stream_id, session_id } };
  const { data } = await sightline.api.GET('/api/live/live-sessions/{stream_id}/{session_id}', { params });
  const { status, duration_s, message, events, interpretation, recording } = data!;
  print(data, () => {
    const lines = follow ? [] : (events as unknown as Event[]).map(lineOf);
    const end = `${session_id}: ${status}, ${clock(duration_s ?? 0)}${message ? `: ${message}` : ''}`;
    const retained = recording === 'events' ? [describeRetained(data!)] : [];
    return [...(interpretation && !follow ? [interpretation] : []), ...lines, end, ...retained].join('\n');
  });
  if (status === 'FAILED') process.exitCode = 1;
}

/** An event is printed at its start and again at its end. */
const lineOf = ({ t_start, t_end, ongoing, label, confidence }: Event) =>
  `${t_start} ${ongoing ? 'and on' : `to ${t_end}`}  ${label} (${confidence.toFixed(2)})`;
