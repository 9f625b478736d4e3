/** Rules of the console without a browser: the cause of a failure, the form of options, and times as people write them. */
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { causeOf } from '../../shared/deliveries/cause.ts';
import { filterProblem } from '../../shared/formats/filter.ts';
import { formatSchema, formatTypes, withSecrets } from '../../shared/formats/format.ts';
import { optionsChanges } from '../../shared/webhooks/options.ts';
import * as options from '../../web/console/api/options.ts';
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

describe('the form of options', () => {
  const stored: options.Options = {
    description: 'For the desk',
    headers: { 'X-Team': null },
    format: { type: 'github', token: null } as unknown as options.Options['format'],
    filter: { post: { current: { title: [{ prefix: 'News' }] } } },
    left_out: 3,
  };

  it('has every format with its settings and secrets', () => {
    expect(options.formatTypes).toEqual(formatTypes);
    for (const type of options.formatTypes) {
      const settings = options.settingsOf[type];
      const missing = v.safeParse(formatSchema, { type }).issues?.map((issue) => v.getDotPath(issue)) ?? [];
      expect(settings.map(({ name }) => name)).toEqual(missing);
      const secrets = settings.filter(({ kind }) => kind === 'secret').map(({ name }) => name);
      expect(secrets).toEqual(withSecrets({ type }, undefined).missing);
    }
  });

  it('keeps what is stored, and never has a secret that was not typed', () => {
    const { left_out: _, ...sent } = stored;
    expect(options.optionsOf(options.draftOf(stored))).toEqual(sent);
    const draft = options.draftOf(stored);
    expect(options.optionsOf({ ...draft, settings: { token: 'github_pat_2' } })).toMatchObject({
      format: { type: 'github', token: 'github_pat_2' },
    });
    expect(v.safeParse(optionsChanges, options.optionsOf(options.newDraft)).success).toBe(true);
  });

  it('names what is no JSON yet', () => {
    expect(options.mistakeIn(options.newDraft)).toBeUndefined();
    expect(options.mistakeIn({ ...options.newDraft, filter: '{"post":' })).toBe('filter');
    expect(options.mistakeIn({ ...options.newDraft, type: 'template' })).toBe('template');
  });

  it.each(['post.published', 'member.added', 'site.changed', 'tag.edited'])(
    'begins with a filter that %s can have',
    (event) => {
      expect(filterProblem(JSON.parse(options.exampleFilter(event)), event)).toBeUndefined();
    },
  );
});
