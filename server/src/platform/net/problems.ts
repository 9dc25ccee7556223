import { defineProblems } from '../problem.ts';

// 400: the URL is the cause. 502 and 504: its server is, and may work later.
export const NET_PROBLEMS = {
  fetch_url_invalid: { status: 400, sentence: 'The URL is not valid. Use a complete http or https URL.' },
  fetch_address_refused: {
    status: 400,
    sentence: 'The URL leads to an address that is not public. This service fetches from public addresses only.',
  },
  fetch_host_unknown: { status: 400, sentence: 'The host of the URL cannot be resolved.' },
  fetch_unreachable: { status: 502, sentence: 'The server of the URL cannot be reached.' },
  fetch_certificate_invalid: { status: 400, sentence: "The server's TLS certificate is not valid." },
  fetch_timeout: { status: 504, sentence: 'The server of the URL did not respond in time.' },
  fetch_interrupted: { status: 502, sentence: 'The connection broke off before the complete file was received.' },
  fetch_too_slow: { status: 504, sentence: 'The server of the URL sends the file too slowly.' },
  fetch_refused: { status: 400, sentence: 'The server of the URL refused to send the file.' },
  fetch_wrong_file: { status: 400, sentence: 'The server of the URL sent another file than the published one.' },
  fetch_unavailable: {
    status: 502,
    sentence: 'The server of the URL is temporarily unable to send the file. Try again later.',
  },
  fetch_too_many_redirects: { status: 400, sentence: 'The URL redirects more than five times.' },
} as const;

export const problems = defineProblems(NET_PROBLEMS);
