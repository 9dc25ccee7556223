import { createGuardedFetch, downloadPinnedFile } from './index.ts';

// A process that downloads a file, to be killed: it reports its first progress.
const net = createGuardedFetch({ allowedNetworks: ['127.0.0.0/8'] });
let reported = false;
await downloadPinnedFile(net, JSON.parse(process.argv[2]!), {
  onProgress: () => {
    if (!reported) process.send!('receiving');
    reported = true;
  },
});
