/** Points in time, as mails and pages write them. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { languageOf, pointInTime } from '../../shared/publication/wording.ts';
import { settingsText } from '../support/settings-text.ts';

const { publication } = JSON.parse(settingsText({ stage: 'unit' }));

it.each([
  ['en', 'en-GB', '5 March 2027 at 00:07 UTC'],
  ['de', 'de-DE', '5. März 2027 um 00:07 UTC'],
] as const)('a point in time is written in %s as usual in that language', (language, locale, example) => {
  const chosen = languageOf({ ...publication, language });
  expect(pointInTime(Date.UTC(2027, 2, 5, 0, 7, 59, 999), chosen)).toBe(example);
  const usual = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  fc.assert(
    fc.property(fc.date({ min: new Date('2020-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }), (date) => {
      expect(pointInTime(date.getTime(), chosen)).toBe(`${usual.format(date)} UTC`);
    }),
  );
});
