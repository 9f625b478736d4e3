/** Rules of the console without a browser: causes of failures, the form of options, and times as people write them. */
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { filterProblem } from '../../shared/formats/filter.ts';
import { formatSchema, formatTypes, misfitOf, withSecrets } from '../../shared/formats/format.ts';
import { namesIn } from '../../shared/foundation/event-selection.ts';
import { advice, causeOf, causes, unknownTarget } from '../../shared/webhooks/cause.ts';
import { optionsChanges } from '../../shared/webhooks/options.ts';
import * as options from '../../web/console/api/options.ts';
import { formatFor } from '../../web/console/api/service.ts';
import { curlOf } from '../../web/console/curl.ts';
import { distanceTo, lastUse } from '../../web/console/distance.ts';
import { pauseAfter } from '../../web/console/pace.ts';
import { newTyped, withFormat, withTarget } from '../../web/console/views/webhook-typed.ts';
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
  ] as const)('with status %s and error %s is: %s', (status, error, cause) => {
    expect(causeOf(status, error)).toBe(cause);
  });
});

describe('advice', () => {
  it.each(causes)('without a known target is a whole sentence for %s', (cause) => {
    const text = advice[cause](unknownTarget);
    expect(text).not.toMatch(/undefined|(?:name|at) the target (?:was|\.)|the receiver at the target was/);
    expect(text).toMatch(/\b[Tt]he target\b/);
  });

  it('about a name that was not found is not about a name called “the target”', () => {
    expect(advice.dns(unknownTarget)).toBe(
      'the target was not found in the DNS. Check the spelling and the DNS record.',
    );
  });
});

describe('a distance in time', () => {
  const now = Date.parse('2026-11-21T09:30:00.000Z');
  const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];
  it.each([
    ['seven days given two seconds ago', 7 * day - 2 * second, { count: 7, unit: 'day' }],
    ['five minutes less a second', 5 * minute - second, { count: 5, unit: 'minute' }],
    ['an hour less a second', hour - second, { count: 1, unit: 'hour' }],
    ['a moment', 400, { count: 0, unit: 'second' }],
    ['almost two minutes ago', -2 * minute + second, { count: -1, unit: 'minute' }],
    ['almost a day ago', -day + second, { count: -23, unit: 'hour' }],
    ['eight days ago', -8 * day, { count: -8, unit: 'day' }],
  ] as const)('of %s is in the unit that people use', (_, ms, expected) => {
    expect(distanceTo(now + ms, now)).toEqual(expected);
  });

  it('to a last use is never before the beginning, though it is known to the hour only', () => {
    expect(lastUse('2026-11-21T09:20:00.000Z', '2026-11-21T09:00:00.000Z')).toBe('2026-11-21T09:20:00.000Z');
    expect(lastUse('2026-11-21T09:20:00.000Z', '2026-11-21T10:00:00.000Z')).toBe('2026-11-21T10:00:00.000Z');
    expect(lastUse('2026-11-21T09:20:00.000Z', null)).toBeNull();
  });
});

describe('a time', () => {
  it('survives being written and read again, to the minute', () => {
    const at = new Date(2026, 0, 31, 9, 30).getTime();
    expect(writtenTime(at)).toBe('2026-01-31 09:30');
    expect(readTime(writtenTime(at))).toBe(new Date(at).toISOString());
  });

  it('may be only a date, or have the T of ISO 8601', () => {
    expect(readTime('2026-01-31')).toBe(new Date(2026, 0, 31).toISOString());
    expect(readTime(' 2026-1-31T9:30 ')).toBe(new Date(2026, 0, 31, 9, 30).toISOString());
  });

  it.each(['', '31.01.2026', '01/31/2026', '2026-02-31', '2026-01-31 24:00', '2026-01-31 09:60', '2026-13-01'])(
    'is refused if it is written as `%s`',
    (text) => {
      expect(readTime(text)).toBeUndefined();
    },
  );
});

describe('the target URL of a new webhook', () => {
  it.each([
    ['https://hooks.slack.com/services/T000/B000/XXXX', 'slack'],
    ['https://hooks.slack.com/triggers/T000/1/abc', 'ghost'],
    ['https://discord.com/api/webhooks/1/abc', 'discord'],
    ['https://prod-1.westeurope.logic.azure.com:443/workflows/1/triggers/manual/paths/invoke', 'teams'],
    ['https://api.netlify.com/build_hooks/5c23', 'deploy-hook'],
    ['https://api.vercel.com/v1/integrations/deploy/prj_1/abc', 'deploy-hook'],
    ['https://api.cloudflare.com/client/v4/pages/webhooks/deploy_hooks/1', 'deploy-hook'],
    ['https://api.github.com/repos/ada/blog/dispatches', 'github'],
    ['https://search.example.com/indexes/posts/documents', 'meilisearch'],
    ['https://latency-dsn.algolia.net/1/indexes/posts/batch', 'algolia'],
    ['https://hooks.slack.com.evil.example/services/T/B/X', 'ghost'],
    ['https://example.com/hook', 'ghost'],
    ['half a URL', 'ghost'],
    ['', 'ghost'],
  ])('%s calls for the format %s', (url, format) => {
    expect(formatFor(url)).toBe(format);
  });

  it('brings the events of its format, which fit it, unless they were changed', () => {
    for (const url of [
      'https://search.example.com/indexes/posts/documents',
      'https://x.algolia.net/1/indexes/a/batch',
    ]) {
      const { fields, draft } = withTarget(newTyped, url, true);
      expect(fields.event).toBe('post.published,post.published.edited,post.unpublished,post.deleted');
      for (const event of namesIn(fields.event))
        expect(misfitOf({ type: draft.type }, event, fields.target_url)).toBeUndefined();
      expect(withTarget({ fields, draft }, 'https://example.com/hook', true).fields.event).toBe('post.published');
    }
    const changed = { ...newTyped, fields: { ...newTyped.fields, event: 'page.*' } };
    expect(withTarget(changed, 'https://api.netlify.com/build_hooks/5c23', true).fields.event).toBe('page.*');
    expect(withTarget(newTyped, 'https://api.netlify.com/build_hooks/5c23', false).fields.event).toBe('post.published');
  });

  it('brings a pause for a deploy hook, unless another one was typed', () => {
    const hook = 'https://api.netlify.com/build_hooks/5c23';
    const found = withTarget(newTyped, hook, true);
    expect(found.draft.debounce.seconds).toBe('60');
    expect(withTarget(found, 'https://example.com/hook', true).draft.debounce.seconds).toBe('');
    expect(withTarget(newTyped, hook, false).draft.debounce.seconds).toBe('');
    const typed = { ...found, draft: { ...found.draft, debounce: { ...found.draft.debounce, seconds: '30' } } };
    expect(withTarget(typed, 'https://example.com/hook', true).draft.debounce.seconds).toBe('30');
  });

  it('brings no format after somebody has chosen one', () => {
    const chosen = withFormat(newTyped, 'discord', true);
    expect(withTarget(chosen, 'https://hooks.slack.com/services/T/B/X', true).draft.type).toBe('discord');
  });

  it('has the application of Algolia, until another one is typed', () => {
    const found = withTarget(newTyped, 'https://abc123-dsn.algolia.net/1/indexes/posts/batch', true);
    expect(options.settingIn(found.draft, 'application_id')).toBe('ABC123');
    const typed = { ...found, draft: options.withSetting(found.draft, 'application_id', 'MINE') };
    const moved = withTarget(typed, 'https://other.algolia.net/1/indexes/posts/batch', true);
    expect(options.settingIn(moved.draft, 'application_id')).toBe('MINE');
  });
});

describe('the form of options', () => {
  const stored: options.Options = {
    description: 'For the desk',
    headers: { 'X-Team': null },
    format: { type: 'github', token: null } as unknown as options.Options['format'],
    filter: { post: { current: { title: [{ prefix: 'News' }] } } },
    debounce: { seconds: 60, max_seconds: 900, per: 'resource' },
    throttle: { requests: 30, per: 'minute' },
    left_out: 3,
  };

  it('has the settings and secrets of every format', () => {
    expect(options.formatTypes).toEqual(formatTypes);
    for (const type of options.formatTypes) {
      const settings = options.settingsOf[type];
      const missing = v.safeParse(formatSchema, { type }).issues?.map((issue) => v.getDotPath(issue)) ?? [];
      expect(settings.map(({ name }) => name)).toEqual(missing);
      const secrets = settings.filter(({ kind }) => kind === 'secret').map(({ name }) => name);
      expect(secrets).toEqual(withSecrets({ type }, undefined).missing);
    }
  });

  it('sends back what is stored, but a secret only if it was typed', () => {
    const { left_out: _, ...sent } = stored;
    expect(options.optionsOf(options.draftOf(stored))).toEqual(sent);
    const draft = options.draftOf(stored);
    expect(options.optionsOf(options.withSetting(draft, 'token', 'github_pat_2'))).toMatchObject({
      format: { type: 'github', token: 'github_pat_2' },
    });
    expect(v.safeParse(optionsChanges, options.optionsOf(options.newDraft)).success).toBe(true);
  });

  it('knows which options have secrets that another server must not get', () => {
    const draft = options.draftOf(stored);
    expect(options.hasSecrets(draft)).toBe(true);
    expect(options.hasSecrets({ ...draft, headers: [] })).toBe(true);
    expect(options.hasSecrets({ ...draft, type: 'slack' })).toBe(true);
    expect(options.hasSecrets({ ...draft, type: 'slack', headers: [] })).toBe(false);
  });

  it('keeps what was typed for one format while another one is looked at', () => {
    const typed = options.withSetting({ ...options.newDraft, type: 'meilisearch' }, 'api_key', 'hunter2');
    const other = { ...typed, type: 'algolia' } as const;
    expect(options.settingIn(other, 'api_key')).toBe('');
    expect(options.settingIn({ ...other, type: 'meilisearch' }, 'api_key')).toBe('hunter2');
  });

  it('needs each setting and each value of a header, except for secrets that stay stored', () => {
    const draft = options.draftOf(stored);
    expect(options.missingIn(draft, true)).toEqual({ settings: [], headers: [] });
    expect(options.missingIn(draft, false)).toMatchObject({ settings: ['token'], headers: [{ name: 'X-Team' }] });
    expect(options.missingIn({ ...options.newDraft, type: 'algolia' }, false).settings).toHaveLength(2);
  });

  it('delivers a burst after ten times its pause, unless something else is typed', () => {
    const debounce = { ...options.newDraft.debounce, seconds: '60' };
    const sent = { seconds: 60, max_seconds: 600, per: 'webhook' };
    expect(options.optionsOf({ ...options.newDraft, debounce })).toMatchObject({ debounce: sent });
    expect(options.optionsOf(options.newDraft)).toMatchObject({ debounce: null, throttle: null });
  });

  it('names the field whose JSON is incomplete', () => {
    expect(options.mistakeIn(options.newDraft)).toBeUndefined();
    expect(options.mistakeIn({ ...options.newDraft, filter: '{"post":' })).toBe('filter');
    expect(options.mistakeIn({ ...options.newDraft, type: 'template' })).toBe('template');
  });

  it.each(['post.published', 'member.added', 'site.changed', 'tag.edited'])(
    'starts with an example filter that is valid for %s',
    (event) => {
      expect(filterProblem(JSON.parse(options.exampleFilter(event)), event)).toBeUndefined();
    },
  );
});

describe('a request as a command for curl', () => {
  const request = {
    method: 'POST',
    url: 'https://hooks.example.org/a?b=1&c',
    body: '{"title":"It’s Ada\'s"}',
  } as const;

  it('is quoted for a shell, and names the headers whose values nobody is shown', () => {
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': '26',
      'webhook-signature': 'v1,…',
      'X-Team': '…',
    };
    expect(curlOf({ ...request, headers })).toBe(
      [
        '# Without webhook-signature, X-Team',
        "curl -i -X POST 'https://hooks.example.org/a?b=1&c' \\",
        "  -H 'Content-Type: application/json' \\",
        `  --data-raw '{"title":"It’s Ada'\\''s"}'`,
      ].join('\n'),
    );
  });

  it('without a body sends none', () => {
    expect(curlOf({ ...request, body: '', headers: {} })).toBe("curl -i -X POST 'https://hooks.example.org/a?b=1&c'");
  });
});

describe('the pause before data is read again', () => {
  const minute = 60_000;
  const round = { everyMs: 1000, pauseMs: 1000, hasChanged: false, untouchedMs: 0, tookMs: 20 };

  it('begins short, and grows to a minute while nothing changes', () => {
    const pauses = [pauseAfter({ ...round, pauseMs: undefined })];
    for (let rounds = 0; rounds < 20; rounds++) pauses.push(pauseAfter({ ...round, pauseMs: pauses.at(-1) }));
    expect(pauses.slice(0, 3)).toEqual([1000, 1500, 2250]);
    expect(pauses.at(-1)).toBe(minute);
  });

  it('is short while something changes, but only for five minutes after the last touch', () => {
    const changing = { ...round, pauseMs: 30_000, hasChanged: true };
    expect(pauseAfter({ ...changing, untouchedMs: 4 * minute })).toBe(1000);
    expect(pauseAfter({ ...changing, untouchedMs: 5 * minute })).toBe(45_000);
  });

  it('is never shorter than four times the answer, and longer than a minute only where that is wanted', () => {
    expect(pauseAfter({ ...round, tookMs: 2000 })).toBe(8000);
    expect(pauseAfter({ ...round, pauseMs: 5 * minute, atMostMs: 5 * minute })).toBe(5 * minute);
  });
});
