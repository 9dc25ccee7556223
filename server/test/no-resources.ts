import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

// Unit tests start no process and open no port, so that one file starts in a second and all of them in a minute.
const forbid = (what: string) => () => {
  throw new Error(`A unit test ${what}. Name its file x.service.test.ts.`);
};

for (const name of ['spawn', 'spawnSync', 'fork', 'exec', 'execSync', 'execFile', 'execFileSync'] as const)
  Object.assign(childProcess, { [name]: forbid('starts a process') });
net.Server.prototype.listen = forbid('opens a port');
net.Socket.prototype.connect = forbid('connects');
syncBuiltinESMExports();
