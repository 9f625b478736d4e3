/** Settings that stand in prose: a page that names the default of a setting names the one that the code has. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { day, second } from '../../shared/foundation/clock.ts';
import { longestDeliveryDays } from '../../shared/foundation/delivery-times.ts';
import type { Settings } from '../../shared/foundation/settings.ts';
import { settingsText } from '../support/settings-text.ts';

const settings: Settings = JSON.parse(settingsText());
const { deliveries } = settings;
const pageAt = (path: string): string => readFileSync(join(import.meta.dirname, '../..', path), 'utf8');

const words = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];
const word = (count: number): string => words[Math.round(count)] ?? String(Math.round(count));
/** As the guide writes waits: `20 h`, `5 min`. */
const wait = (seconds: number): string => {
  if (seconds % 3600 === 0) return `${seconds / 3600} h`;
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${seconds} s`;
};

const retries = deliveries.retryAfterSeconds.slice(1);
const retriedDays = (retries.reduce((sum, one) => sum + one, 0) * second) / day;
const schedule = `${retries.slice(0, -1).map(wait).join(', ')} and ${wait(retries.at(-1) ?? 0)}`;

it.each([
  ['README.md', `Masthead retries for ${word(retriedDays)} days`],
  ['docs/receiving.md', `retries after ${schedule}, with jitter`],
  ['docs/receiving.md', `Each delivery is retried for ${word(retriedDays)} days`],
  ['docs/receiving.md', `extend that to ${word(longestDeliveryDays)} days after the event`],
  ['docs/receiving.md', `Store the ids for ${word(longestDeliveryDays + 1)} days`],
  ['docs/receiving.md', `answer 2xx within ${word(deliveries.timeoutMs / second)} seconds`],
  ['docs/receiving.md', `After ${word(deliveries.disableAfterDays)} days, the webhook is disabled`],
  ['docs/compatibility.md', `retries for ${word(retriedDays)} days`],
  ['docs/compatibility.md', `| 2 seconds | ${deliveries.timeoutMs / second} seconds |`],
  ['docs/operations.md', `\`deliveries.keepDays\` (${deliveries.keepDays})`],
  ['docs/operations.md', `\`audit.keepDays\` (${settings.audit.keepDays})`],
  ['docs/operations.md', `\`invites.keepDays\` (${settings.invites.keepDays})`],
])('%s names the default of the code: %s', (path, sentence) => {
  expect(pageAt(path)).toContain(sentence);
});

/** The rows of the table of limits that have a setting: its path, and the text of its default. */
const limits = [
  ...pageAt('docs/security.md').matchAll(/^\|[^|]*\|([^|]*)\| `([a-z]+\.\w+)`(?:, `([a-z]+\.\w+)`)? \|$/gim),
];

it('the table of limits has a row for most settings that limit callers', () => {
  expect(limits.length).toBeGreaterThan(10);
});

it.each(limits.flatMap(([, text = '', ...paths]) => paths.flatMap((path) => (path ? [[path, text.trim()]] : []))))(
  'docs/security.md has the default of %s: %s',
  (path = '', text = '') => {
    const value = path.split('.').reduce<unknown>((found, name) => Object(found)[name], settings);
    const number = Number(value) / (path.endsWith('Ms') ? second : 1);
    expect(text).toMatch(new RegExp(`(?<![\\d,])${number.toLocaleString('en')}(?!\\d|,\\d)`));
  },
);
