/**
 * The filter of system calls of media processes, as a program of the Berkeley packet filter. What nobody needs fails
 * with EPERM instead of ending the process, since libraries try some of it and continue without it.
 */

type Architecture = { audit: number; prctl: number; seccomp: number; calls: Record<string, number> };

/** Numbers that all architectures share. */
const COMMON = {
  pidfd_send_signal: 424,
  io_uring_setup: 425,
  io_uring_enter: 426,
  io_uring_register: 427,
  open_tree: 428,
  move_mount: 429,
  fsopen: 430,
  fsconfig: 431,
  fsmount: 432,
  fspick: 433,
  pidfd_open: 434,
  clone3: 435,
  pidfd_getfd: 438,
  process_madvise: 440,
  mount_setattr: 442,
  quotactl_fd: 443,
  fchmodat2: 452,
};

const ARCHITECTURES: Partial<Record<NodeJS.Architecture, Architecture>> = {
  x64: {
    audit: 0xc000003e,
    prctl: 157,
    seccomp: 317,
    calls: {
      ...COMMON,
      shmget: 29,
      shmat: 30,
      shmctl: 31,
      socket: 41,
      socketpair: 53,
      clone: 56,
      fork: 57,
      vfork: 58,
      kill: 62,
      semget: 64,
      semop: 65,
      semctl: 66,
      msgget: 68,
      msgsnd: 69,
      msgrcv: 70,
      msgctl: 71,
      chmod: 90,
      fchmod: 91,
      chown: 92,
      fchown: 93,
      lchown: 94,
      ptrace: 101,
      syslog: 103,
      rt_sigqueueinfo: 129,
      utime: 132,
      personality: 135,
      vhangup: 153,
      pivot_root: 155,
      adjtimex: 159,
      setrlimit: 160,
      chroot: 161,
      acct: 163,
      settimeofday: 164,
      mount: 165,
      umount2: 166,
      swapon: 167,
      swapoff: 168,
      reboot: 169,
      sethostname: 170,
      setdomainname: 171,
      iopl: 172,
      ioperm: 173,
      init_module: 175,
      delete_module: 176,
      quotactl: 179,
      setxattr: 188,
      lsetxattr: 189,
      fsetxattr: 190,
      removexattr: 197,
      lremovexattr: 198,
      fremovexattr: 199,
      tkill: 200,
      semtimedop: 220,
      clock_settime: 227,
      tgkill: 234,
      utimes: 235,
      mq_open: 240,
      kexec_load: 246,
      add_key: 248,
      request_key: 249,
      keyctl: 250,
      fchownat: 260,
      futimesat: 261,
      fchmodat: 268,
      unshare: 272,
      utimensat: 280,
      rt_tgsigqueueinfo: 297,
      perf_event_open: 298,
      prlimit64: 302,
      name_to_handle_at: 303,
      open_by_handle_at: 304,
      clock_adjtime: 305,
      setns: 308,
      process_vm_readv: 310,
      process_vm_writev: 311,
      kcmp: 312,
      finit_module: 313,
      kexec_file_load: 320,
      bpf: 321,
      execveat: 322,
      userfaultfd: 323,
    },
  },
  arm64: {
    audit: 0xc00000b7,
    prctl: 167,
    seccomp: 277,
    calls: {
      ...COMMON,
      setxattr: 5,
      lsetxattr: 6,
      fsetxattr: 7,
      removexattr: 14,
      lremovexattr: 15,
      fremovexattr: 16,
      umount2: 39,
      mount: 40,
      pivot_root: 41,
      chroot: 51,
      fchmod: 52,
      fchmodat: 53,
      fchownat: 54,
      fchown: 55,
      vhangup: 58,
      quotactl: 60,
      utimensat: 88,
      acct: 89,
      personality: 92,
      unshare: 97,
      kexec_load: 104,
      init_module: 105,
      delete_module: 106,
      clock_settime: 112,
      syslog: 116,
      ptrace: 117,
      kill: 129,
      tkill: 130,
      tgkill: 131,
      rt_sigqueueinfo: 138,
      reboot: 142,
      sethostname: 161,
      setdomainname: 162,
      setrlimit: 164,
      settimeofday: 170,
      adjtimex: 171,
      mq_open: 180,
      msgget: 186,
      msgctl: 187,
      msgrcv: 188,
      msgsnd: 189,
      semget: 190,
      semctl: 191,
      semtimedop: 192,
      semop: 193,
      shmget: 194,
      shmctl: 195,
      shmat: 196,
      socket: 198,
      socketpair: 199,
      add_key: 217,
      request_key: 218,
      keyctl: 219,
      clone: 220,
      swapon: 224,
      swapoff: 225,
      rt_tgsigqueueinfo: 240,
      perf_event_open: 241,
      prlimit64: 261,
      name_to_handle_at: 264,
      open_by_handle_at: 265,
      clock_adjtime: 266,
      setns: 268,
      process_vm_readv: 270,
      process_vm_writev: 271,
      kcmp: 272,
      finit_module: 273,
      bpf: 280,
      execveat: 281,
      userfaultfd: 282,
      kexec_file_load: 294,
    },
  },
};

/** Calls that are allowed for some arguments only. All others of the tables are refused. */
const CONDITIONAL = new Set(['clone', 'clone3', 'kill', 'tgkill', 'prlimit64', 'socket']);

const EPERM = 1;
const ENOSYS = 38;
const CLONE_THREAD = 0x10000;
const AF_INET = 2;
const AF_INET6 = 10;
/** Stands for the id of the process, see `confine.pl`. */
const SELF = 0x73656c66;

const LOAD = 0x20;
const EQUAL = 0x15;
const AT_LEAST = 0x35;
const ANY_BIT = 0x45;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
const ERROR = 0x00050000;
const KILL_PROCESS = 0x80000000;

const NUMBER_AT = 0;
const ARCHITECTURE_AT = 4;
/** Lower half of an argument; the upper one follows. */
const argumentAt = (index: number) => 16 + 8 * index;

type Instruction = [code: number, ifTrue: number, ifFalse: number, value: number];

/** Numbers of system calls that start a confined process; null on an architecture without a filter. */
export function startCalls(arch: NodeJS.Architecture = process.arch): { prctl: number; seccomp: number } | null {
  return ARCHITECTURES[arch] ?? null;
}

/** Calls that the filter refuses whatever their arguments are, with their numbers. */
export const refusedCalls = (arch: NodeJS.Architecture = process.arch): [name: string, number: number][] =>
  Object.entries(ARCHITECTURES[arch]?.calls ?? {}).filter(([name]) => !CONDITIONAL.has(name));

/** Builds the filter for this architecture. With `network`, the process may open TCP and UDP sockets. */
export function buildFilter({ network }: { network: boolean }, arch: NodeJS.Architecture = process.arch): Buffer {
  const { audit, calls } = ARCHITECTURES[arch]!;
  const refuse = (error: number): Instruction => [RETURN, 0, 0, ERROR | error];
  const allow: Instruction = [RETURN, 0, 0, ALLOW];
  /** Instructions for one call; the accumulator holds its number before and, if they do not return, after them. */
  const forCall = (name: string, body: Instruction[]): Instruction[] =>
    calls[name] === undefined ? [] : [[EQUAL, 0, body.length, calls[name]], ...body];
  const ownProcessOnly: Instruction[] = [[LOAD, 0, 0, argumentAt(0)], [EQUAL, 0, 1, SELF], allow, refuse(EPERM)];
  const program: Instruction[] = [
    [LOAD, 0, 0, ARCHITECTURE_AT],
    [EQUAL, 1, 0, audit],
    [RETURN, 0, 0, KILL_PROCESS],
    [LOAD, 0, 0, NUMBER_AT],
    // Calls of the x32 interface have other numbers.
    ...(arch === 'x64' ? ([[AT_LEAST, 0, 1, 0x40000000], refuse(ENOSYS)] as Instruction[]) : []),
    ...refusedCalls(arch).flatMap(([name]) => forCall(name, [refuse(EPERM)])),
    // Threads, but no processes. The C library uses `clone` where `clone3` does not exist.
    ...forCall('clone3', [refuse(ENOSYS)]),
    ...forCall('clone', [[LOAD, 0, 0, argumentAt(0)], [ANY_BIT, 0, 1, CLONE_THREAD], allow, refuse(EPERM)]),
    ...forCall('kill', ownProcessOnly),
    ...forCall('tgkill', ownProcessOnly),
    // Limits can be read, not changed: the third argument is null.
    ...forCall('prlimit64', [
      [LOAD, 0, 0, argumentAt(2)],
      [EQUAL, 0, 3, 0],
      [LOAD, 0, 0, argumentAt(2) + 4],
      [EQUAL, 0, 1, 0],
      allow,
      refuse(EPERM),
    ]),
    // Never of the kind that reaches a database or another service of this machine by its path.
    ...forCall(
      'socket',
      network
        ? [[LOAD, 0, 0, argumentAt(0)], [EQUAL, 1, 0, AF_INET], [EQUAL, 0, 1, AF_INET6], allow, refuse(EPERM)]
        : [refuse(EPERM)],
    ),
    allow,
  ];
  const bytes = Buffer.alloc(program.length * 8);
  program.forEach(([code, ifTrue, ifFalse, value], i) => {
    bytes.writeUInt16LE(code, i * 8);
    bytes.writeUInt8(ifTrue, i * 8 + 2);
    bytes.writeUInt8(ifFalse, i * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, i * 8 + 4);
  });
  return bytes;
}
