/** Generates the bodies that Ghost sends, by TryGhost/Ghost: `models/post.js` and `services/webhooks/serialize.js`. */
import fc from 'fast-check';

export interface GhostVersion {
  readonly name: string;
  readonly signsTime: boolean;
  readonly namesEvent: boolean;
}

export const ghostVersions: readonly [GhostVersion, ...GhostVersion[]] = [
  { name: 'Ghost 6.50 and later', signsTime: true, namesEvent: true },
  { name: 'Ghost 5.88 to 6.49', signsTime: true, namesEvent: false },
  { name: 'Ghost 5.0 to 5.87', signsTime: false, namesEvent: false },
];

const emoji = fc.constantFrom(
  '🌱',
  '👩‍🌾',
  '🇦🇷',
  '👍🏽',
  '𝄞',
  'é',
  'e\u0301',
  '\u200b',
  '\u2028',
  '\ufeff',
  '\u0000',
  '"',
  '\\',
  '\\ud83d',
);
const words = fc.string({
  unit: fc.oneof({ weight: 5, arbitrary: fc.constantFrom('a', ' ', 'ß', '\n') }, emoji),
  maxLength: 60,
});
/** A text whose cut at 500 code units may be anywhere in a character. */
const plaintext = fc
  .tuple(fc.integer({ min: 0, max: 505 }), words, fc.string({ unit: 'binary', maxLength: 20 }))
  .map(([length, end, more]) => `${'Sow indoors. '.repeat(40).slice(0, length)}${end}${more}`);

const html = fc.oneof(
  words.map((text) => `<p>${text}</p>`),
  words.map(
    (text) =>
      '<!--kg-gated-block:begin nonMember:false memberSegment:"status:-free" ' +
      `--><p>${text}</p><!--kg-gated-block:end-->`,
  ),
  words.map(
    (text) =>
      '<figure class="kg-card kg-gallery-card"><img ' +
      `src="https://blog.example.com/${encodeURIComponent(text.toWellFormed())}.png"></figure>`,
  ),
  fc.integer({ min: 1, max: 300 }).map((times) => '<p class="größer">“Quoted” <b>\\ud83d</b></p>\n'.repeat(times)),
);
const document = fc.oneof(
  fc.record({
    lexical: words.map((text) => JSON.stringify({ root: { children: [{ text }] } })),
    mobiledoc: fc.constant(null),
  }),
  fc.record({
    lexical: fc.constant(null),
    mobiledoc: words.map((text) => JSON.stringify({ version: '0.3.1', cards: [['html', { html: text }]] })),
  }),
);
const tags = fc.array(
  fc.record({
    name: words,
    slug: fc.constantFrom('news', 'hash-podcast'),
    visibility: fc.constantFrom('public', 'internal'),
  }),
  { maxLength: 3 },
);

type Fields = Readonly<Record<string, unknown>>;

const text: fc.Arbitrary<Fields> = fc
  .record({
    title: words,
    plaintext,
    html,
    document,
    tags,
    uuid: fc.uuid(),
    authors: fc.constant([{ name: '山田 太郎' }]),
  })
  .map(({ document: { lexical, mobiledoc }, ...fields }) => ({
    ...fields,
    lexical,
    mobiledoc,
    excerpt: fields.plaintext.substring(0, 500),
    url: 'https://blog.example.com/404/',
  }));

const draft: Fields = { status: 'draft', published_at: null };
const out: Fields = { status: 'published', published_at: '2026-11-22T06:00:00.000Z' };
const planned: Fields = { status: 'scheduled', published_at: '2026-12-01T06:00:00.000Z' };

/** What Ghost has as `current` and `previous` for each event of a post or page with these fields. */
const changesOf = (fields: Fields): readonly (readonly [change: string, current: Fields, previous: Fields])[] => [
  ['added', { ...fields, ...draft }, {}],
  ['added', { ...fields, ...out }, {}],
  ['edited', { ...fields, ...draft }, { title: 'Untitled', html: fields.html }],
  ['published', { ...fields, ...out }, { status: 'draft', published_at: null }],
  ['published', { ...fields, ...out }, {}],
  ['published.edited', { ...fields, ...out }, { html: '<p>x</p>' }],
  ['unpublished', { ...fields, ...draft }, { status: 'published' }],
  ['scheduled', { ...fields, ...planned }, { status: 'draft' }],
  ['rescheduled', { ...fields, ...planned }, { published_at: null }],
  ['unscheduled', { ...fields, ...draft }, { status: 'scheduled' }],
  ['tag.attached', { ...fields, ...draft }, { tags: [] }],
  ['tag.detached', { ...fields, ...out }, { tags: fields.tags }],
  ['deleted', {}, { ...fields, ...draft }],
  // The deletion of what is published emits two events with the same parts.
  ['deleted', {}, { ...fields, ...out }],
  ['unpublished', {}, { ...fields, ...out }],
  // Emitted while the post is deleted, and sent when its fields are gone.
  ['tag.detached', {}, { ...fields, ...draft }],
];

const ofText = fc.tuple(fc.constantFrom('post', 'page'), text, fc.nat()).map(([resource, fields, which]) => {
  const changes = changesOf(fields);
  const [change, current, previous] = changes[which % changes.length] as (typeof changes)[number];
  return { event: `${resource}.${change}`, parts: { [resource]: { current, previous } } };
});

const ofOthers = fc
  .tuple(fc.constantFrom('tag', 'member'), fc.constantFrom('added', 'edited', 'deleted'), words)
  .map(([resource, change, name]) => ({
    event: `${resource}.${change}`,
    parts: {
      [resource]:
        change === 'deleted'
          ? { current: {}, previous: { name, slug: 'hash-x' } }
          : { current: { name, note: name }, previous: change === 'added' ? {} : { name: null } },
    },
  }));

/** A body that this version of Ghost sends, with its event. */
export const siteBody = ({
  namesEvent,
}: GhostVersion): fc.Arbitrary<{ readonly event: string; readonly body: string }> =>
  fc
    .oneof({ weight: 4, arbitrary: ofText }, ofOthers, fc.constant({ event: 'site.changed', parts: {} }))
    .map(({ event, parts }) => ({ event, body: JSON.stringify(namesEvent ? { event, ...parts } : parts) }));
