/** Arbitrary and hostile content of events, from a seed: the same seed gives the same payloads. */

/** A small generator of pseudo-random numbers below 1 (mulberry32). */
export const randomOf = (seed: number): (() => number) => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

/** Text that means something to one of the services, to JSON or to a terminal. */
export const hostileTexts: readonly string[] = [
  '<!channel> <!here> <@U123ABC> <#C123ABC>',
  '@everyone @here <@&1234567890> <@1234567890>',
  '<at>Ada</at> {{DATE(2026-11-24,SHORT)}}',
  '*bold* _italic_ ~struck~ `code` ```block``` > quote # title [link](https://evil.example) ||spoiler||',
  '<https://evil.example|Click>',
  'https://evil.example/a|b>c',
  '"quotes" \\ back\\slashes \\" and \u2028 separators \u0000 \u001b[31m',
  'x'.repeat(100_000),
  '*'.repeat(5000),
  '&'.repeat(5000),
  `?${'&'.repeat(1900)}`,
  '😀'.repeat(5000),
  '👩‍👩‍👧‍👦'.repeat(500),
  'z\u0300\u0301\u0302'.repeat(1000),
  '\u202eevitcerid\u202c \u2066isolated\u2069 \u200fright',
  '\ud800 alone \udc00 \udbff',
  `${'a'.repeat(149)}\ud83d\ude00`,
  '   ',
  '',
  '{{post.current.title}}',
  '__proto__',
  'مرحبا بالعالم',
];

/** Returns an arbitrary value of JSON, of these texts and further ones. */
export const arbitrary = (random: () => number, depth = 3): unknown => {
  const one = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const text = () =>
    random() < 0.7
      ? one(hostileTexts)
      : String.fromCharCode(
          ...Array.from({ length: Math.floor(random() * 400) }, () => Math.floor(random() * 0x10000)),
        );
  const kind = random();
  if (depth === 0 || kind < 0.55) return text();
  if (kind < 0.65) return one([null, true, false, 0, -1.5, 1e21]);
  if (kind < 0.8) return Array.from({ length: Math.floor(random() * 4) }, () => arbitrary(random, depth - 1));
  return object(random, depth);
};

const fields = [
  'id',
  'title',
  'name',
  'url',
  'excerpt',
  'custom_excerpt',
  'feature_image',
  'visibility',
  'status',
  'slug',
  'tags',
  'authors',
  'primary_author',
  'published_at',
  'updated_at',
  '__proto__',
  'constructor',
];

const object = (random: () => number, depth: number): object =>
  Object.fromEntries(fields.filter(() => random() < 0.7).map((name) => [name, arbitrary(random, depth - 1)]));

/** Returns an arbitrary body for an event. */
export const arbitraryBody = (random: () => number, event: string): Readonly<Record<string, unknown>> => {
  const resource = event.split('.', 1)[0] ?? '';
  const parts =
    random() < 0.1
      ? arbitrary(random)
      : { current: random() < 0.2 ? {} : object(random, 3), previous: object(random, 2) };
  return { event, [resource]: parts };
};
