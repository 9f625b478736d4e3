/** The formats of webhook requests: what each service receives for usual, hostile and arbitrary events. */
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { eventExamples } from '../../shared/events/examples.ts';
import { formatTypes, misfitOf, presentFormat, render, withSecrets } from '../../shared/formats/format.ts';
import type { Format } from '../../shared/formats/preset.ts';
import type { Rendering } from '../../shared/formats/rendering.ts';
import { shorten } from '../../shared/formats/shorten.ts';
import { renderTemplate, templateProblem } from '../../shared/formats/template.ts';
import { arbitraryBody, hostileTexts, randomOf } from '../support/hostile-payloads.ts';
import { refusalsOf, serviceRules } from '../support/service-rules.ts';

const rendering = (
  event: string,
  body: Rendering['body'] = { event, ...eventExamples[event]?.payload },
): Rendering => ({
  event,
  event_id: 'evt-1',
  event_time: '2026-11-24T09:00:00.000Z',
  body,
});
const rendered = (format: Format, one: Rendering, target = 'https://receiver.example/indexes/posts/documents') => {
  const result = render(format, target, () => one);
  if (result === undefined) throw new Error('The format leaves the request as it is.');
  return { ...result, json: result.body === '' ? undefined : JSON.parse(result.body) };
};
const post = (current: object): Rendering =>
  rendering('post.published', { event: 'post.published', post: { current, previous: {} } });

const formats: Readonly<Record<string, Format>> = {
  slack: { type: 'slack' },
  discord: { type: 'discord' },
  teams: { type: 'teams' },
  github: { type: 'github', token: 'github_pat_1' },
  'deploy-hook': { type: 'deploy-hook' },
  meilisearch: { type: 'meilisearch', api_key: 'key' },
  algolia: { type: 'algolia', application_id: 'APP', api_key: 'key' },
  template: {
    type: 'template',
    template: {
      text: '{{post.current.title}} by {{post.current.primary_author.name ?? "nobody"}}',
      post: '{{post.current}}',
    },
  },
};

/** The seeds of the property test; a failure prints its seed. */
const seeds = { first: 1, last: 400 };

it('each format is tested against the rules of its service', () => {
  expect(Object.keys(formats)).toEqual(formatTypes.filter((type) => type !== 'ghost'));
  expect(Object.keys(serviceRules)).toEqual(Object.keys(formats).filter((type) => type !== 'template'));
});

describe.each(Object.entries(formats))('the format %s', (type, format) => {
  const refuses = (json: unknown) => refusalsOf(type, json);
  it.each(Object.keys(eventExamples))('produces an acceptable request for the example of %s', (event) => {
    expect(refuses(rendered(format, rendering(event)).json)).toEqual([]);
  });

  it.each(hostileTexts.map((text) => [text.slice(0, 60), text]))(
    'stays acceptable with the hostile text %j',
    (_, text) => {
      const hostile = {
        id: text,
        title: text,
        excerpt: text,
        visibility: 'public',
        url: text,
        feature_image: text,
        status: text,
      };
      const lists = { tags: [{ name: text }], authors: [{ name: text }], primary_author: { name: text } };
      expect(refuses(rendered(format, post({ ...hostile, ...lists })).json)).toEqual([]);
      expect(refuses(rendered(format, post({ ...hostile, url: `https://blog.example/${text}` })).json)).toEqual([]);
    },
  );

  it(`produces valid JSON within the service's limits for any event (seeds ${seeds.first} to ${seeds.last})`, () => {
    for (let seed = seeds.first; seed <= seeds.last; seed++) {
      const random = randomOf(seed);
      const events = [...Object.keys(eventExamples), 'shop.order.paid', '__proto__', 'constructor.x'];
      const event = events[Math.floor(random() * events.length)] ?? '';
      const { json, headers, credentials } = rendered(format, rendering(event, arbitraryBody(random, event)));
      expect({ seed, refused: refuses(json) }).toEqual({ seed, refused: [] });
      for (const value of Object.values({ ...headers, ...credentials })) expect(value).toMatch(/^[\x20-\x7e]+$/);
    }
  });
});

describe('the request for a published post', () => {
  it('to Slack has a headline, an excerpt and a link', () => {
    expect(rendered({ type: 'slack' }, rendering('post.published')).json).toEqual({
      text: 'Post published: What to sow in winter <https://blog.example.com/what-to-sow-in-winter/|Open the page>',
      mrkdwn: false,
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: 'Post published: What to sow in winter', emoji: false } },
        { type: 'section', text: { type: 'plain_text', text: 'Sow indoors until March.', emoji: false } },
        {
          type: 'context',
          elements: [
            { type: 'mrkdwn', text: 'By Ada Miller', verbatim: true },
            { type: 'mrkdwn', text: '<https://blog.example.com/what-to-sow-in-winter/|Open the page>', verbatim: true },
          ],
        },
      ],
    });
  });

  it.each(Object.keys(eventExamples))(
    'to Slack has the link of %s in its text, too, which is all that Mattermost shows',
    (event) => {
      const { text, blocks } = rendered({ type: 'slack' }, rendering(event)).json as {
        readonly text: string;
        readonly blocks: readonly { readonly elements?: readonly { readonly text: string }[] }[];
      };
      const links = blocks.flatMap(({ elements = [] }) =>
        elements.flatMap((one) => one.text.match(/<http[^>]*>/g) ?? []),
      );
      expect(links.filter((link) => !text.includes(link))).toEqual([]);
      expect(links.length > 0).toBe(text.includes('<http'));
    },
  );

  it('to Discord has an embed that mentions nobody', () => {
    expect(rendered({ type: 'discord' }, rendering('post.published')).json).toEqual({
      embeds: [
        {
          title: 'Post published\\: What to sow in winter',
          url: 'https://blog.example.com/what-to-sow-in-winter/',
          description: 'Sow indoors until March.',
          author: { name: 'Ada Miller' },
          image: { url: 'https://blog.example.com/content/images/2026/11/seeds.jpg' },
          timestamp: '2026-11-24T09:00:00.000Z',
        },
      ],
      allowed_mentions: { parse: [] },
    });
  });

  it('to GitHub is a dispatch with the payload, authorized by the token', () => {
    const { headers, credentials, json } = rendered(
      { type: 'github', token: 'github_pat_1' },
      rendering('post.published'),
    );
    expect(headers).toMatchObject({ Accept: 'application/vnd.github+json' });
    expect(credentials).toEqual({ Authorization: 'Bearer github_pat_1' });
    expect(json).toMatchObject({
      event_type: 'post.published',
      client_payload: { event_id: 'evt-1', payload: { post: { current: { title: 'What to sow in winter' } } } },
    });
  });

  it('to GitHub has a summary if the payload is too large for a dispatch', () => {
    const { json } = rendered(
      { type: 'github', token: 't' },
      post({ id: '1', title: 'Long', html: 'x'.repeat(100_000) }),
    );
    expect(json.client_payload).toMatchObject({ summary: { resource: 'post', id: '1', title: 'Long' } });
  });

  it('to a deploy hook has no body', () => {
    expect(render({ type: 'deploy-hook' }, 'https://a.example/', () => rendering('post.published'))).toEqual({
      headers: {},
      credentials: {},
      body: '',
    });
  });

  it('to a search engine has a document without the text for members', () => {
    const secret = {
      id: 'a1',
      title: 'For members',
      visibility: 'paid',
      excerpt: 'Only for members',
      html: 'Only for members',
    };
    for (const type of ['meilisearch', 'algolia']) {
      const { body } = rendered({ type, api_key: 'k', application_id: 'A' }, post(secret));
      expect(body).toContain('For members');
      expect(body).not.toContain('Only for');
    }
  });

  it('to a search engine becomes a deletion when the post is deleted', () => {
    const deleted = rendering('post.deleted');
    const { json, url } = rendered(
      { type: 'meilisearch', api_key: 'k' },
      deleted,
      'https://s.example/a/documents/?x=1',
    );
    expect(json).toEqual(['6748a1b2c3d4e5f601234567']);
    expect(url).toBe('https://s.example/a/documents/delete-batch?x=1');
    expect(rendered({ type: 'algolia', application_id: 'A', api_key: 'k' }, deleted).json).toEqual({
      requests: [{ action: 'deleteObject', body: { objectID: '6748a1b2c3d4e5f601234567' } }],
    });
  });
});

const publicFormats = ['slack', 'discord', 'teams', 'meilisearch', 'algolia'];
const gated = (text: string, parameters = 'nonMember:false memberSegment:"status:-free" ') =>
  `<!--kg-gated-block:begin ${parameters}--><p>${text}</p><!--kg-gated-block:end-->`;

describe.each(publicFormats)('the format %s for everybody', (type) => {
  const bodyOf = (event: string, parts: object) =>
    rendered(formats[type] as Format, rendering(event, { event, [event.split('.')[0] ?? '']: parts })).body;
  const ofPost = (current: object) => bodyOf('post.published', { current, previous: {} });
  const withExcerpt = {
    id: '1',
    title: 'T',
    visibility: 'public',
    excerpt: 'Hello. SECRET',
    plaintext: 'Hello. SECRET',
  };

  it.each([
    ['for paid members', gated('SECRET')],
    ['for all members', gated('SECRET', 'nonMember:false memberSegment:"status:free,status:-free" ')],
    [
      'for free members, as newer versions write it',
      `<!-- kg-gated-block:begin nonMember:'false' memberSegment:'status:free' -->SECRET<!-- kg-gated-block:end -->`,
    ],
    ['for the newsletter only', gated('SECRET', 'nonMember:false memberSegment:"" ')],
    ['without parameters', gated('SECRET', '')],
    ['that does not end', '<!--kg-gated-block:begin nonMember:false --><p>SECRET</p>'],
    ['whose beginning does not end', '<!--kg-gated-block:begin nonMember:true <p>SECRET</p>'],
    [
      'around another one for everybody',
      `<!--kg-gated-block:begin nonMember:false -->${gated('SECRET', 'nonMember:true ')}`,
    ],
    ['between two for everybody', gated('A', 'nonMember:true ') + gated('SECRET') + gated('B', 'nonMember:true ')],
    ['in capital elements', gated('<B>SECRET</B>')],
  ])('leaves out a card %s', (_, card) => {
    const body = ofPost({ ...withExcerpt, html: `<p>Hello.</p>${card}` });
    expect(body).not.toContain('SECRET');
    expect(body).toContain('Hello.');
  });

  it('leaves out the excerpt if only the document shows that a card is for members', () => {
    const lexical = '{"root":{"children":[{"type":"html","visibility":{"web":{"nonMember":false}}}]}}';
    expect(ofPost({ ...withExcerpt, html: null, lexical })).not.toContain('SECRET');
  });

  it.each([
    ['a card for everybody', gated('Seen', 'nonMember:true memberSegment:"" ')],
    ['text after a hidden card', `${gated('SECRET')}<p>Seen</p>`],
    ['a post without cards', '<p>whatever</p>', 'Seen'],
    ['an excerpt that its author wrote', gated('SECRET'), 'SECRET', 'Seen'],
  ])('keeps %s', (_, html, excerpt = 'SECRET', custom_excerpt?: string) => {
    const body = ofPost({ ...withExcerpt, html, excerpt, custom_excerpt });
    expect(body).toContain('Seen');
    expect(body).not.toContain('SECRET');
  });

  it.each([
    'https://blog.example.com/404/',
    'https://blog.example.com/news/404/',
    'https://blog.example.com/404',
    'http://ghost:2368/hello/',
    'http://localhost:2368/hello/',
    'http://localhost.:2368/hello/',
    'http://[::1]:2368/hello/',
  ])('has no link and no picture at %s, which readers cannot open', (url) => {
    expect(ofPost({ ...withExcerpt, url, feature_image: url })).not.toMatch(/404|2368/);
  });
});

it('a search document has the id of its post, also a number', () => {
  const ids = [17, 18].map((id) => rendered(formats.algolia as Format, post({ id })).json.requests[0].body.objectID);
  expect(ids).toEqual(['17', '18']);
});

it.each([
  ['its visibility', { name: 'Merger', slug: 'merger', visibility: 'internal' }],
  ['its name', { name: '#Merger', slug: 'merger' }],
  ['its slug', { name: 'Merger', slug: 'hash-merger', visibility: 'public' }],
])('an internal tag, known by %s, is in no search index', (_, fields) => {
  const tag = { id: 'a1', ...fields };
  for (const type of ['meilisearch', 'algolia']) {
    const format = formats[type] as Format;
    const ofTag = (event: string, previous: object = {}) =>
      rendered(format, rendering(event, { event, tag: { current: tag, previous } }));
    for (const one of [ofTag('tag.added'), ofTag('tag.edited', { visibility: 'public' })])
      expect(one.json).toEqual(
        type === 'algolia' ? { requests: [{ action: 'deleteObject', body: { objectID: 'a1' } }] } : ['a1'],
      );
    const { body } = rendered(format, post({ id: 'p1', title: 'T', tags: [{ name: 'Garden', slug: 'garden' }, tag] }));
    expect(body).toContain('Garden');
    expect(body).not.toContain('erger');
  }
});

it.each([
  ['2026-11-22T06:00:00.000Z', 1_795_327_200],
  ['2026-11-22T07:00:00+01:00', 1_795_327_200],
  ['soon', null],
  [null, null],
  [7, null],
])('a search document has the time %j as seconds, too: %j', (published_at, expected) => {
  const { json } = rendered(formats.algolia as Format, post({ id: 'p1', published_at, updated_at: published_at }));
  expect(json.requests[0].body).toMatchObject({ published_at_unix: expected, updated_at_unix: expected });
});

it('an unknown event becomes a plain sentence with a link', () => {
  const order = { current: { name: 'Order 7', url: 'https://shop.example/7' }, previous: {} };
  const { json } = rendered({ type: 'slack' }, rendering('shop.order.paid', { event: 'shop.order.paid', shop: order }));
  expect(json.text).toBe('Event shop.order.paid: Order 7 <https://shop.example/7|Open the page>');
});

describe('a template', () => {
  const text = (
    template: unknown,
    current: object = { title: 'Sowing', reading_time: 3, tags: [{ name: 'Garden' }] },
  ) => rendered({ type: 'template', template }, post(current)).json;

  it('keeps the type of a value if the placeholder is the whole string', () => {
    const template = {
      minutes: '{{post.current.reading_time}}',
      tags: '{{ post.current.tags }}',
      first: '{{post.current.tags.0.name}}',
    };
    expect(text(template)).toEqual({ minutes: 3, tags: [{ name: 'Garden' }], first: 'Garden' });
  });

  it('inserts values into a longer text', () => {
    expect(text(['{{event}}: {{post.current.title}} ({{post.current.reading_time}})'])).toEqual([
      'post.published: Sowing (3)',
    ]);
  });

  it.each([
    ['null', '{{post.current.none}}', null],
    ['its default', '{{post.current.none ?? "None"}}', 'None'],
    ['a default that is a number', '{{post.current.none ?? 0}}', 0],
    ['nothing in a text', 'a{{post.current.none}}b', 'ab'],
    ['null instead of a property of JavaScript', '{{post.constructor.name}}', null],
  ])('replaces a missing value by %s', (_, template, expected) => {
    expect(text([template])).toEqual([expected]);
  });

  it.each(['01', '-', '"\\q"', '"\\u12"', '"a\nb"', '"a\tb"'])(
    'is refused with the default %s, which is not JSON',
    (bad) => {
      const template = [`{{post.current.none ?? ${bad}}}`];
      expect(templateProblem(template)).toContain('which is no placeholder');
      // A stored one, from before this rule, still makes a request.
      expect(text(template)).toEqual(template);
    },
  );

  it('renders every default that is accepted', () => {
    const character = fc.constantFrom(
      ...'"\\/qbfnrtu0189aAdD-.{}\n\u0000 '.split(''),
      '\\u00e9',
      '\\"',
      'true',
      'null',
    );
    const defaults = fc.array(character, { maxLength: 6 }).map((all) => all.join(''));
    fc.assert(
      fc.property(defaults, fc.boolean(), (inner, isText) => {
        const template = [`{{post.current.none ?? ${isText ? `"${inner}"` : inner}}}`];
        if (templateProblem(template) === undefined) expect(text(template)).toHaveLength(1);
      }),
      { numRuns: 2000 },
    );
  });

  it('can insert the excerpt that everybody may read', () => {
    const current = {
      visibility: 'public',
      html: `<p>Sow &amp; reap</p>${gated('SECRET')}`,
      excerpt: 'Sow & reap SECRET',
    };
    expect(text(['{{public_excerpt}}'], current)).toEqual(['Sow & reap']);
    expect(text(['{{public_excerpt}}'], { ...current, visibility: 'paid' })).toEqual([null]);
  });

  it.each([
    ['a value', '{{post.current.title | html}}', '&lt;b&gt; &amp; &quot;Ada&quot; &#39;s'],
    ['a value in a text', '<i>{{ post.current.title|html }}</i>', '<i>&lt;b&gt; &amp; &quot;Ada&quot; &#39;s</i>'],
    ['a default', '{{post.current.none ?? "a<b" | html}}', 'a&lt;b'],
    ['an object in a text', '{{post.current.tags | html}}!', '[{&quot;name&quot;:&quot;a&lt;&quot;}]!'],
    ['nothing for a missing value', '{{post.current.none | html}}', null],
  ])('can escape %s for HTML', (_, template, expected) => {
    expect(templateProblem([template])).toBeUndefined();
    expect(text([template], { title: `<b> & "Ada" 's`, tags: [{ name: 'a<' }] })).toEqual([expected]);
  });

  it.each(['{{post.current.title | markdown}}', '{{post.current.title |}}', '{{| html}}'])(
    'is refused with %s',
    (one) => {
      expect(templateProblem([one])).toContain('which is no placeholder');
    },
  );

  it('does not expand placeholders that come from an event', () => {
    expect(text(['{{post.current.title}} {{event}}'], { title: '{{event_id}}' })).toEqual([
      '{{event_id}} post.published',
    ]);
  });

  it('writes a large value at most once, however many placeholders it is too large for', () => {
    let nested: object = { list: Array(40_000).fill({ a: 1, b: 'x' }) };
    for (let level = 0; level < 40; level++) nested = { in: nested };
    const bytes = JSON.stringify(nested).length;
    const paths = Array.from({ length: 40 }, (_, level) => `{{post.current${'.in'.repeat(level)}}}`);
    const one = post(JSON.parse(JSON.stringify(nested)));
    const written = vi.spyOn(JSON, 'stringify');
    onTestFinished(() => written.mockRestore());
    const template = renderTemplate([...paths, ...Array(10).fill('{{post.current}}')], one);
    expect(template).toEqual(Array(50).fill(null));
    const characters = written.mock.results.map(({ value }) => `${value}`.length);
    expect(characters.reduce((sum, length) => sum + length, 0)).toBeLessThan(2 * bytes);
  });

  it.each([
    {},
    [],
    { a: [] },
    { 'é"\n': 'x"\u2028😀', b: [Number.POSITIVE_INFINITY, -0, 1.5e300, null, true, { c: '\u0007' }] },
  ])('counts as many characters for %j as it inserts', (value) => {
    const [filler, length] = ['{{post.current.filler}}', JSON.stringify(value).length];
    const fits = (spare: number) =>
      text([filler, '{{post.current.value}}'], { filler: 'x'.repeat(256 * 1024 - length + spare), value })[1] !== null;
    expect([fits(0), fits(1)]).toEqual([true, false]);
  });

  it('leaves out values beyond its size limit', () => {
    const body = rendered(
      { type: 'template', template: Array(50).fill('{{post.current}}') },
      post({ html: 'x'.repeat(100_000) }),
    ).body;
    expect(body.length).toBeLessThan(300_000);
  });
});

describe('the secrets of a format', () => {
  it('are shown as null', () => {
    const format = { type: 'algolia', application_id: 'A', api_key: 'hunter2' };
    expect(presentFormat(format)).toEqual({ ...format, api_key: null });
  });

  it('keep their values if a client sends null, unless the format changes', () => {
    const stored = { type: 'github', token: 'hunter2' };
    expect(withSecrets({ type: 'github', token: null }, stored)).toEqual({ format: stored, missing: [] });
    expect(withSecrets({ type: 'meilisearch', api_key: null }, stored).missing).toEqual(['api_key']);
  });
});

it.each([
  ['github', 'post.published', 'https://api.github.com/repos/ada', true],
  ['github', 'post.published', 'https://api.github.com/repos/ada/blog/dispatches', false],
  ['meilisearch', 'post.published', 'https://search.example/indexes/posts/documents', false],
  ['meilisearch', 'post.deleted', 'https://search.example/indexes/posts/documents/', false],
  ['meilisearch', 'post.deleted', 'https://search.example/indexes/posts/documents/delete-batch', true],
  ['meilisearch', 'member.added', 'https://search.example/indexes/posts/documents', true],
  ['algolia', 'post.edited', 'https://a.algolia.net/1/indexes/posts/batch', true],
  ['algolia', 'post.published', 'https://a.algolia.net/1/indexes/posts/batch', false],
  ['slack', 'post.published', 'https://hooks.slack.com/services/1', false],
])('the format %s for %s at %s does not fit: %s', (type, event, target, isMisfit) => {
  expect(misfitOf({ type }, event, target) !== undefined).toBe(isMisfit);
});

describe('shortening a text', () => {
  it.each([
    ['short', 10, 'short'],
    ['exactly te', 10, 'exactly te'],
    ['eleven char', 10, 'eleven ch…'],
    ['😀😀😀', 5, '😀😀…'],
    ['a\ud800', 5, 'a\ufffd'],
  ])('turns %j, with a limit of %i code units, into %j', (text, limit, expected) => {
    expect(shorten(text, limit)).toBe(expected);
  });
});
