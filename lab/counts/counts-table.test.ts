/** The table that `counts` prints. */
import { expect, it } from 'vitest';
import { startCounting } from '../../infra/emulator/proxy/count.ts';
import { countsTable } from './counts-table.ts';

it('the table has a line for each function and a line for their sum', () => {
  const functions = { create: 'webhooks/create', publish: 'events/publish' };
  const counter = startCounting({ functions, queues: {} });
  counter.invoked('create', { ms: 500, ok: true }, 512);
  counter.invoked('publish', { ms: 1500, ok: false }, 512);
  const lines = countsTable(counter.read()).split('\n');
  const cells = (line: string) => line.split(/\s{2,}/).slice(0, 5);
  expect(lines.map((line) => cells(line).join('|'))).toEqual([
    expect.stringMatching(/^Since /),
    '',
    'function|runs|failed|ms|GB s',
    'events/publish|1|1|1500|0.75',
    'webhooks/create|1|0|500|0.25',
    'together|2|1|2000|1.00',
  ]);
});
