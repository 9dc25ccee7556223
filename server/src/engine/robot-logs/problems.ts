import { defineProblems } from '#platform/problem';

export const problems = {
  recording_unreadable: { status: 400, sentence: 'The file is not an MCAP recording.' },
  recording_empty: { status: 400, sentence: 'The recording holds no messages that could be read.' },
  recording_over_limit: {
    status: 400,
    sentence: 'The recording is refused: reading it takes more than its size allows.',
  },
  dataset_unreadable: { status: 400, sentence: 'The directory is not a dataset of LeRobot that can be read.' },
  channel_unreadable: { status: 400, sentence: 'No image of this channel could be read.' },
} as const;

export const recordingProblem = defineProblems(problems);
