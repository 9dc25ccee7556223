import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { unpackDebian } from '../sounds/debian.ts';

/** A recording with the words that are spoken in it. */
export type SpokenClip = { path: string; words: string; kind: 'recorded' | 'synthetic' };

/** Telephone prompts of Asterisk, 8 kHz, by one voice (CC BY-SA 3.0), labeled by hand. */
const PROMPTS: Record<string, string> = {
  'agent-pass': 'Please enter your password followed by the pound key.',
  'agent-user': 'Agent login. Please enter your agent number followed by the pound key.',
  'all-circuits-busy-now': 'All circuits are busy now.',
  'cannot-complete-as-dialed': 'Your call cannot be completed as dialed.',
  'check-number-dial-again': 'Please check the number and dial again.',
  'conf-getpin': 'Please enter the conference pin number.',
  'conf-invalid': 'That is not a valid conference number. Please try again.',
  'conf-kicked': 'You have been kicked from this conference.',
  'conf-onlyperson': 'You are currently the only person in this conference.',
  'conf-waitforleader': 'The conference will begin when the leader arrives.',
  'demo-abouttotry':
    'I am about to attempt an Inter Asterisk Exchange connection to a demonstration server located at Digium. In order for this to work, you must already be connected to the Internet. Please wait a moment while I attempt to make the connection.',
  'demo-echotest':
    'You are about to enter an echo test. In this mode everything you say will be repeated back to you just as soon as it is received. The purpose of this test is to give you an audible sense of the latency between you and the machine that is running the echo test application. You may end the test by hanging up or by pressing the pound key.',
  'demo-nogo':
    "I'm afraid I was unable to create a connection to the Digium demonstration Asterisk server. You may find some helpful debugging information on the Asterisk console.",
  'dir-nomore': 'There are no more compatible entries in the directory.',
  'one-moment-please': 'One moment please.',
  'privacy-prompt': 'Please enter your phone number, starting with the area code.',
  'queue-thankyou': 'Thank you for your patience.',
  'queue-youarenext': 'Your call is now first in line and will be answered by the next available representative.',
  'something-terribly-wrong': 'Something is terribly wrong.',
  'tt-weasels': 'Weasels have eaten our phone system.',
  'vm-intro': 'Please leave your message after the tone. When done, hang up or press the pound key.',
  'vm-invalidpassword': 'That is not a valid password. Please try again.',
  'vm-mailboxfull': "Sorry, but the user's mailbox can't accept more messages.",
  'vm-passchanged': 'Your passwords have been changed.',
};
const NARRATION =
  "This is the optical and science segment of the Webb Space Telescope in one of the largest clean rooms in the world at NASA's Goddard Space Flight Center in Greenbelt, Maryland.";

/** Sentences as people say them at work and on the road, spoken by two voices of flite. */
const SENTENCES = [
  'Please stop the forklift, there is a person behind you.',
  'Watch out, the truck is backing up.',
  'Can somebody help me with these boxes?',
  'Turn left at the next traffic light.',
  'The red car did not stop at the crossing.',
  'We need to close the gate before the delivery arrives.',
  'Put the bottle on the table and open the drawer.',
  'Good morning, where is the safety meeting?',
];
const VOICES = ['slt', 'rms'];

/** All clips that this machine has or can make. `shared`: folder of footage. */
export function listClips(shared: string): SpokenClip[] {
  const prompts = unpackDebian('asterisk-core-sounds-en-wav');
  const folder = prompts && join(prompts, 'usr/share/asterisk/sounds/en_US_f_Allison');
  const recorded = [
    { path: join(shared, 'tricky/torchcodec_nasa_13013.mp4'), words: NARRATION },
    ...Object.entries(PROMPTS).map(([name, words]) => ({ path: join(folder ?? '', `${name}.wav`), words })),
  ].filter(({ path }) => existsSync(path));
  return [
    ...recorded.map((clip): SpokenClip => ({ ...clip, kind: 'recorded' })),
    ...SENTENCES.flatMap((words) => VOICES.flatMap((voice) => synthesize(words, voice) ?? [])),
  ];
}

/** Null where flite is not installed. */
function synthesize(words: string, voice: string): SpokenClip | null {
  const folder = join(tmpdir(), 'sightline-bench-speech');
  const path = join(folder, `${voice} ${words.replaceAll(/\W+/g, '-')}.wav`);
  mkdirSync(folder, { recursive: true });
  try {
    if (!existsSync(path)) execFileSync('flite', ['-voice', voice, '-t', words, '-o', path], { stdio: 'ignore' });
    return { path, words, kind: 'synthetic' };
  } catch {
    return null;
  }
}
