import { expect, test } from 'vitest';
import { eventFile, toCsv } from './event-files.ts';
import type { ExportedEvent } from './exported-events.ts';

const EVENT: ExportedEvent = {
  event_id: 'e-0',
  analysis_id: 'a',
  video_id: 'v',
  video_name: 'gate, "north".mp4',
  video_duration_s: 61.4,
  folder_id: null,
  folder_name: null,
  batch_id: null,
  query: '=HYPERLINK("http://example.com")',
  type: 'object',
  label: 'Fußgänger\nin view',
  severity: 'low',
  confidence: 0.94,
  start_s: 12.346,
  end_s: 15,
  created_at: '2026-11-21T09:30:00.000Z',
  url: 'http://localhost:8099/videos/v?t=12.346',
};

test('a CSV file has a header and one row an event; quotes, commas and line breaks are quoted', () => {
  const [header, ...rest] = toCsv([EVENT]).split('\r\n');
  expect(header).toMatch(/^\uFEFFvideo_name,folder_name,start_s,end_s,label/);
  expect(rest.join('\r\n')).toBe(
    '"gate, ""north"".mp4",,12.346,15,"Fußgänger\nin view",object,low,0.94,' +
      `"'=HYPERLINK(""http://example.com"")",2026-11-21T09:30:00.000Z,v,a,e-0,,http://localhost:8099/videos/v?t=12.346\r\n`,
  );
});

test.each(['=1+1', '+1', '-1', '@sum', '\tx'])('the text %j is no formula of a spreadsheet', (label) => {
  expect(toCsv([{ ...EVENT, label }])).toContain(`,'${label},`);
});

test('a negative number stays a number', () => {
  expect(toCsv([{ ...EVENT, start_s: -0.5 }])).toContain(',-0.5,15,');
});

test('a JSON file has the events with all their fields', async () => {
  expect(JSON.parse(await eventFile([EVENT], 'json').text())).toEqual({ events: [EVENT] });
});
