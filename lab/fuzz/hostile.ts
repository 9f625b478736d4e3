/** Generates hostile values, bodies, tokens, headers and paths; those that pass most checks are the most frequent. */
import fc from 'fast-check';
import { tokenWith } from '../../test/support/token.ts';

/** Strings that have broken other software before. */
const notorious = fc.constantFrom(
  '',
  ' ',
  '0',
  'null',
  'undefined',
  'true',
  '[object Object]',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '\u0000',
  '\uFEFF',
  '\u202E',
  '..',
  '../../etc/passwd',
  '%00',
  '%2e%2e%2f',
  '%',
  '%zz',
  "'; DROP TABLE webhooks; --",
  '<script>alert(1)</script>',
  `$${'{jndi:ldap://example.com/a}'}`,
  '{{7*7}}',
  '$ne',
  '#pk = :v0',
  'a@b@c',
  '"a b"@example.com',
  'a@[127.0.0.1]',
  'http://169.254.169.254/',
  'https://[::ffff:7f00:1]/',
  'https://0x7f.1/',
  'https://ﬃ.example.com/',
  'https://example.com:0/',
  'https://example.com:99999/',
  'https://.example.com/',
  'https://example.com\\@evil.example/',
  'https://exa\tmple.com/',
  'v99999999999999999999',
  '1970-01-01T00:00:00.000Z',
  '+275760-09-13T00:00:00.001Z',
  '9'.repeat(400),
  'x'.repeat(3000),
  '🎺'.repeat(200),
  'ﷺ'.repeat(200),
);

const text = fc.oneof(
  notorious,
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ maxLength: 30 }),
  fc.webUrl(),
);

const value = fc.oneof(
  { weight: 4, arbitrary: text },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(null, true, 0, -0, -1, 1e308, 2 ** 53, 1.5, [], {}, [[]], [null]) },
);

type Path = readonly (string | number)[];

/** Returns every path in a JSON value, the value itself first. */
const placesOf = (json: unknown, path: Path = []): Path[] => [
  path,
  ...(typeof json === 'object' && json !== null
    ? Object.entries(json).flatMap(([key, inner]) =>
        placesOf(inner, [...path, Array.isArray(json) ? Number(key) : key]),
      )
    : []),
];

/** Returns the value with something else at a path; `undefined` removes it. */
const changedAt = (json: unknown, [first, ...rest]: Path, change: (value: unknown) => unknown): unknown => {
  if (first === undefined) return change(json);
  if (Array.isArray(json))
    return json.flatMap((inner, at) => {
      if (at !== first) return [inner];
      const changed = changedAt(inner, rest, change);
      return changed === undefined ? [] : [changed];
    });
  const entries = Object.entries(json as object).map(([key, inner]) => [
    key,
    key === first ? changedAt(inner, rest, change) : inner,
  ]);
  // Makes `__proto__` an own key, as JSON.parse does.
  return Object.fromEntries(entries);
};

interface Mutation {
  readonly place: number;
  readonly kind: 'replace' | 'remove' | 'add' | 'double' | 'wrap';
  readonly key: string;
  readonly value: unknown;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  place: fc.nat(),
  kind: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'add', 'double', 'wrap'),
  key: fc.oneof(
    notorious,
    fc.constantFrom('id', 'event', 'target_url', 'name', 'secret', 'status', 'email', 'role_id', 'payload'),
  ),
  value,
});

const mutated = (json: unknown, { place, kind, key, value: other }: Mutation): unknown => {
  const places = placesOf(json);
  const path = places[place % places.length] ?? [];
  return changedAt(json, path, (value) => {
    switch (kind) {
      case 'replace':
        return other;
      case 'remove':
        return undefined;
      case 'add':
        return Array.isArray(value)
          ? [...value, other]
          : typeof value === 'object'
            ? { ...value, [key]: other }
            : other;
      case 'double':
        return Array.isArray(value) ? [...value, ...value] : [value, value];
      case 'wrap':
        return { [key]: value };
    }
  });
};

const idFrom = (known: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 3, arbitrary: fc.nat().map((at) => known[at % known.length] ?? 'f'.repeat(24)) },
    { weight: 1, arbitrary: fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 24, maxLength: 24 }) },
  );

/** A valid body with existing ids, and new values for unique fields. */
export const renewed = (json: unknown, ids: readonly string[], salt: number): unknown => {
  let next = salt;
  const walk = (inner: unknown): unknown => {
    if (typeof inner === 'string') {
      next += 1;
      if (/^[0-9a-f]{24}$/.test(inner)) return ids[next % ids.length] ?? inner;
      if (/^https?:/.test(inner)) return `https://example.com/${salt}`;
      return inner.includes('@') ? `${salt}@example.com` : inner;
    }
    if (Array.isArray(inner)) return inner.map(walk);
    return typeof inner === 'object' && inner !== null
      ? Object.fromEntries(Object.entries(inner).map(([key, one]) => [key, walk(one)]))
      : inner;
  };
  return walk(json);
};

/** Bodies derived from valid ones, arbitrary JSON, and text that is not JSON; undefined means no body. */
export const bodies = (
  root: string,
  good: readonly (object | string)[],
  known: readonly string[],
): fc.Arbitrary<string | undefined> => {
  const made =
    good.length === 0
      ? fc.jsonValue({ maxDepth: 2 })
      : fc.tuple(fc.constantFrom(...good), fc.nat()).map(([body, salt]) => renewed(body, known, salt));
  const structured = fc
    .tuple(made, fc.array(mutation, { maxLength: 3 }))
    .map(([body, mutations]) => mutations.reduce(mutated, body));
  const written = structured.map((body) => (typeof body === 'string' ? body : (JSON.stringify(body) ?? '')));
  return fc.oneof(
    { weight: 20, arbitrary: written },
    { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 4 }).map((json) => JSON.stringify({ [root]: json })) },
    { weight: 1, arbitrary: fc.json() },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
    // The body is truncated, or a string is inserted.
    {
      weight: 1,
      arbitrary: fc
        .tuple(written, fc.nat(), text)
        .map(([body, at, other]) => body.slice(0, at % (body.length + 1)) + other),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(written, fc.constantFrom('\\ud800', '\\udfff', '\\u0000', '\\'))
        .map(([body, other]) => body.replace(/"(?=[:,}])/, `${other}"`)),
    },
    {
      weight: 1,
      arbitrary: fc.nat({ max: 400 }).map((levels) => `{"${root}":${'[{"a":'.repeat(levels)}1${'}]'.repeat(levels)}}`),
    },
    {
      weight: 1,
      arbitrary: fc.nat({ max: 300_000 }).map((length) => JSON.stringify({ [root]: [{ name: 'x'.repeat(length) }] })),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(
        undefined,
        '',
        ' ',
        'null',
        '[]',
        '{}',
        `{"${root}":[]}`,
        `{"${root}":[{}]}`,
        `{"${root}":[[]]}`,
      ),
    },
  );
};

/** Valid tokens of these keys, and all kinds of invalid ones; undefined means no token. */
const tokens = (keys: readonly string[]): fc.Arbitrary<string | undefined> => {
  const key = fc.constantFrom(...keys);
  const claim = fc.oneof(fc.constant(undefined), value, fc.integer());
  return fc.oneof(
    { weight: 30, arbitrary: key.map((one) => tokenWith(one, {})) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          key,
          fc.dictionary(fc.constantFrom('iat', 'exp', 'nbf', 'aud', 'sub', 'iss', 'jti', '__proto__'), claim, {
            maxKeys: 3,
          }),
          fc.dictionary(fc.constantFrom('alg', 'typ', 'kid', 'crit', 'b64', 'cty', 'jwk', 'x5u', 'zip'), claim, {
            maxKeys: 2,
          }),
        )
        .map(([one, claims, header]) => tokenWith(one, { claims, header })),
    },
    // One character is changed, removed or doubled.
    {
      weight: 2,
      arbitrary: fc.tuple(key, fc.nat(), fc.constantFrom('', '.', 'A', '=', '%', ' ')).map(([one, at, other]) => {
        const token = tokenWith(one, {});
        const place = at % token.length;
        return token.slice(0, place) + other + token.slice(place + 1);
      }),
    },
    { weight: 1, arbitrary: text },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
};

const cased = (name: string): fc.Arbitrary<string> => fc.constantFrom(name, name.toLowerCase(), name.toUpperCase());

const headerValue = fc.oneof(notorious, fc.string({ maxLength: 40 })).map((inner) => inner.replace(/[\r\n]/g, ''));

/** Headers, mostly valid for a body of this type. */
export const headers = (
  keys: readonly string[],
  contentType = 'application/json',
): fc.Arbitrary<Record<string, string>> =>
  fc
    .record({
      authorization: fc.tuple(
        cased('Authorization'),
        fc.oneof({ weight: 9, arbitrary: fc.constantFrom('Ghost', 'ghost') }, { weight: 1, arbitrary: headerValue }),
        tokens(keys),
      ),
      contentType: fc.tuple(
        cased('Content-Type'),
        fc.oneof(
          { weight: 12, arbitrary: fc.constantFrom(contentType, `${contentType}; charset=utf-8`) },
          {
            weight: 1,
            arbitrary: fc.constantFrom(
              'text/plain',
              'application/json',
              'application/x-www-form-urlencoded',
              'application/json; charset=latin1',
              'application/json;;charset',
              'multipart/form-data',
            ),
          },
          { weight: 1, arbitrary: headerValue },
        ),
      ),
      others: fc.dictionary(
        fc.oneof(
          fc.constantFrom(
            'Origin',
            'Accept-Version',
            'Accept',
            'Accept-Encoding',
            'X-Forwarded-For',
            'Cookie',
            'If-Match',
            'Range',
            'Expect',
            '__proto__',
            'constructor',
          ),
          fc.string({ maxLength: 20 }),
        ),
        headerValue,
        { maxKeys: 4 },
      ),
      encoding: fc.oneof(
        { weight: 30, arbitrary: fc.constant(null) },
        { weight: 1, arbitrary: fc.tuple(cased('Content-Encoding'), fc.constantFrom('gzip', 'identity', '', 'br')) },
      ),
    })
    .map(({ authorization: [name, scheme, token], contentType, others, encoding }) =>
      Object.fromEntries([
        ...Object.entries(others),
        contentType,
        ...(encoding === null ? [] : [encoding]),
        ...(token === undefined ? [] : [[name, `${scheme} ${token}`]]),
      ]),
    );

const pathValue = (known: readonly string[]): fc.Arbitrary<string> =>
  fc.oneof({ weight: 6, arbitrary: idFrom(known) }, { weight: 1, arbitrary: text.filter((inner) => inner !== '') });

/** Values of path parameters; the two ids often belong to each other. */
export const pathValues = (
  count: number,
  known: readonly string[],
  pairs: readonly (readonly [string, string])[],
): fc.Arbitrary<readonly string[]> => {
  const any = fc.array(pathValue(known), { minLength: count, maxLength: count });
  if (count < 2) return any;
  const pair = fc.nat().chain((at) => fc.constant(pairs[at % Math.max(1, pairs.length)] ?? ['', '']));
  return fc.oneof({ weight: 2, arbitrary: pair }, { weight: 1, arbitrary: any });
};

export const queries: fc.Arbitrary<Record<string, string>> = fc.dictionary(
  fc.oneof(
    fc.constantFrom(
      'permissions',
      'limit',
      'cursor',
      'page',
      'include',
      'filter',
      'status',
      'event',
      'since',
      'until',
      'email',
      'fields',
      '__proto__',
    ),
    fc.string({ maxLength: 10 }),
  ),
  fc.oneof(
    text,
    fc.constantFrom(
      'assign',
      'all',
      '1',
      '15',
      '100',
      '-1',
      'webhooks,api_keys',
      'pending',
      'failed',
      'a@example.com',
      '2026-01-01T00:00:00.000Z',
    ),
  ),
  { maxKeys: 4 },
);

export const paths: fc.Arbitrary<string> = fc.oneof(
  fc
    .array(fc.oneof(text, fc.constantFrom('admin', 'webhooks', 'roles', 'invites', 'events', 'ghost', 'api', '')), {
      maxLength: 6,
    })
    .map((segments) => `/${segments.join('/')}`),
  fc.webPath(),
);
