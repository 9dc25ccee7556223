import { defineProblems } from '../problem.ts';

// All are 400: what is wrong lies with the address that was given, and existing clients lose the message of a 5xx.
export const NET_PROBLEMS = {
  fetch_url_invalid: { status: 400, sentence: 'This is not a URL that can be fetched: give a full http or https URL.' },
  fetch_address_refused: {
    status: 400,
    sentence: 'The URL leads to an address that is not public, which this service does not fetch from.',
  },
  fetch_host_unknown: { status: 400, sentence: 'The host of the URL is not known to the name service.' },
  fetch_unreachable: { status: 400, sentence: 'The server that the URL names cannot be reached.' },
  fetch_certificate_invalid: { status: 400, sentence: "The server's TLS certificate is not valid." },
  fetch_timeout: { status: 400, sentence: 'The server that the URL names did not answer in time.' },
  fetch_interrupted: { status: 400, sentence: 'The connection broke off before the whole file had arrived.' },
  fetch_too_slow: { status: 400, sentence: 'The server that the URL names sends the file too slowly.' },
  fetch_refused: { status: 400, sentence: 'The server that the URL names refused to send the file.' },
  fetch_unavailable: { status: 400, sentence: 'The server that the URL names cannot send the file now.' },
  fetch_too_many_redirects: { status: 400, sentence: 'The URL redirects more than five times.' },
} as const;

export const problems = defineProblems(NET_PROBLEMS);
