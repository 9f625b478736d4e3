/** Rules of the console without a browser: the cause of a failure, and times as people write them. */
import { describe, expect, it } from 'vitest';
import { causeOf } from '../../shared/deliveries/cause.ts';
import { readTime, writtenTime } from '../../web/console/written-time.ts';

describe('the cause of a failed attempt', () => {
  it.each([
    ['401', 'status', 'credentials'],
    ['403', 'status', 'credentials'],
    ['404', 'status', 'address'],
    ['410', 'status', 'gone'],
    ['429', 'status', 'pause'],
    ['301', 'status', 'redirect'],
    ['422', 'status', 'refused'],
    ['503', 'status', 'server'],
    [null, 'dns', 'dns'],
    [null, 'tls', 'tls'],
    [null, 'tls_wrong_host', 'tls_wrong_host'],
    [null, 'timeout', 'timeout'],
    [null, 'blocked', 'forbidden'],
    [null, 'something new', 'other'],
  ] as const)('of status %s and error %s is %s', (status, error, cause) => {
    expect(causeOf(status, error)).toBe(cause);
  });
});

describe('a time', () => {
  it('is read as it was written, to the minute', () => {
    const at = new Date(2026, 0, 31, 9, 30).getTime();
    expect(writtenTime(at)).toBe('2026-01-31 09:30');
    expect(readTime(writtenTime(at))).toBe(new Date(at).toISOString());
  });

  it('can be a date alone, and have a T as in links', () => {
    expect(readTime('2026-01-31')).toBe(new Date(2026, 0, 31).toISOString());
    expect(readTime(' 2026-1-31T9:30 ')).toBe(new Date(2026, 0, 31, 9, 30).toISOString());
  });

  it.each(['', '31.01.2026', '01/31/2026', '2026-02-31', '2026-01-31 24:00', '2026-01-31 09:60', '2026-13-01'])(
    'is not read from `%s`',
    (text) => {
      expect(readTime(text)).toBeUndefined();
    },
  );
});
