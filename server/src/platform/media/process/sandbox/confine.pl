# Confines this process, and then becomes the given program: Landlock for files, TCP ports, abstract sockets and signals,
# and a filter of system calls. Perl, because every Debian and Ubuntu has it and Node cannot make system calls.
# Arguments: r:PATH (read) x:PATH (read and execute) w:PATH (read and write) network prctl:N seccomp:N filter:HEX -- PROGRAM …
use strict;
use warnings;

my (@rules, $network, %number, $filter);
while (defined(my $arg = shift @ARGV)) {
  last if $arg eq '--';
  if ($arg =~ /^([rxw]):(.+)$/s) { push @rules, [$1, $2] }
  elsif ($arg =~ /^(prctl|seccomp):(\d+)$/) { $number{$1} = $2 }
  elsif ($arg =~ /^filter:([0-9a-f]+)$/) { $filter = pack 'H*', $1 }
  elsif ($arg eq 'network') { $network = 1 }
  else { die "unknown argument $arg\n" }
}

my ($CREATE_RULESET, $ADD_RULE, $RESTRICT_SELF) = (444, 445, 446);
my $abi = syscall $CREATE_RULESET, 0, 0, 1;
die "Landlock is not available: $!\n" if $abi < 1;

# All rights to files that this version of Landlock knows: 13 of the first, then REFER, TRUNCATE and IOCTL_DEV.
my $files = (1 << 13) - 1;
$files |= 1 << 13 if $abi >= 2;
$files |= 1 << 14 if $abi >= 3;
$files |= 1 << 15 if $abi >= 5;
my $attributes = pack 'Q', $files;
# No port may be bound, and none connected to unless the task needs the network.
$attributes .= pack 'Q', $network ? 1 : 3 if $abi >= 4;
# No abstract sockets and no signals to processes outside.
$attributes .= pack 'Q', 3 if $abi >= 6;
my $ruleset = syscall $CREATE_RULESET, $attributes, length $attributes, 0;
die "Landlock: $!\n" if $ruleset < 0;

my $read = 1 << 2 | 1 << 3;
my %rights = (
  r => $read,
  x => $read | 1,
  # Write, remove, create folders and files, move between folders, truncate. No devices, sockets, pipes or links.
  w => $read | 1 << 1 | 1 << 4 | 1 << 5 | 1 << 7 | 1 << 8 | 1 << 13 | 1 << 14,
);
my $of_a_file = 1 | 1 << 1 | 1 << 2 | 1 << 14;
for my $each (@rules) {
  my ($kind, $path) = @$each;
  my $O_PATH = 0x200000;
  my $handle;
  if (!sysopen($handle, $path, $O_PATH)) {
    # Not every system has all folders of the list, but the process has its own, by relative paths.
    next if $path =~ m{^/};
    die "$path: $!\n";
  }
  my $allowed = $rights{$kind} & $files;
  $allowed &= $of_a_file unless -d $path;
  my $rule = pack 'Ql', $allowed, fileno $handle;
  syscall($ADD_RULE, $ruleset, 1, $rule, 0) == 0 or die "Landlock, $path: $!\n";
  close $handle;
}

my $NO_NEW_PRIVILEGES = 38;
syscall($number{prctl}, $NO_NEW_PRIVILEGES, 1, 0, 0, 0) == 0 or die "prctl: $!\n";
syscall($RESTRICT_SELF, $ruleset, 0) == 0 or die "Landlock: $!\n";

# Instructions of eight bytes. The value "self" stands for the id of this process, which the program keeps.
my $instructions = '';
for my $instruction (unpack '(a8)*', $filter) {
  my ($code, $jumps, $value) = unpack 'SSL', $instruction;
  $instructions .= pack 'SSL', $code, $jumps, $value == 0x73656c66 ? $$ : $value;
}
my $program = pack 'Sx6P', length($instructions) / 8, $instructions;
my $SET_FILTER = 1;
syscall($number{seccomp}, $SET_FILTER, 0, $program) == 0 or die "seccomp: $!\n";

exec { $ARGV[0] } @ARGV or die "$ARGV[0]: $!\n";
