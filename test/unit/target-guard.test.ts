/** The guard of addresses at registration and at every connection, tested with the corpus in target-corpus.json. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import * as v from 'valibot';
import { afterEach, describe, expect, test } from 'vitest';
import type { SendResult } from '../../shared/deliveries/sender/result.ts';
import { createSender, type Sender, type SenderOptions } from '../../shared/deliveries/sender/send.ts';
import { isAllowedAddress } from '../../shared/webhooks/target-address.ts';
import { checkTargetUrl } from '../../shared/webhooks/target-url.ts';
import { type Receiver, startReceiver } from '../support/loopback-receiver.ts';

const corpus = v.parse(
  v.strictObject({
    refusedByUrl: v.record(v.string(), v.array(v.string())),
    refusedByAddress: v.record(v.string(), v.array(v.strictObject({ name: v.string(), answers: v.array(v.string()) }))),
    redirects: v.array(v.strictObject({ status: v.number(), location: v.string() })),
    ordinary: v.array(v.string()),
  }),
  JSON.parse(readFileSync(new URL('target-corpus.json', import.meta.url), 'utf8')),
);
const hostileUrls = Object.entries(corpus.refusedByUrl).flatMap(([why, urls]) => urls.map((url) => ({ why, url })));
const hostileAnswers = Object.entries(corpus.refusedByAddress).flatMap(([why, all]) =>
  all.map((one) => ({ why, ...one })),
);

const strict = { allowHttp: false, allowRanges: [] };
const lenient = { allowHttp: true, allowRanges: ['loopback', 'private', 'uniqueLocal'] } as const;

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});
const closing = <T extends { close(): Promise<void> }>(one: T): T => {
  opened.push(one);
  return one;
};
const senderWith = (options: Partial<SenderOptions>): Sender =>
  createSender({ connectTimeoutMs: 2000, ...strict, ...options });
const sendTo = (sender: Sender, url: string): Promise<SendResult> =>
  sender.send({ url, headers: {}, body: '{}', timeoutMs: 2000 });

/** The result for every forbidden URL, whatever the address, because no connection is made. */
const blocked = {
  outcome: 'failed',
  error: 'blocked',
  durationMs: 0,
  timings: { dns_ms: null, connect_ms: null, tls_ms: null, first_byte_ms: null },
};

/** The result for a name that resolves to a forbidden address; the next DNS answer may differ. */
const forbidden = { ...blocked, error: 'forbidden' };

test('the corpus has at least 200 different hostile targets and 20 ordinary ones', () => {
  const hostile = [
    ...hostileUrls.map(({ url }) => url),
    ...hostileAnswers.map(({ name }) => name),
    ...corpus.redirects.map(({ location }) => location),
  ];
  expect(hostile.length).toBeGreaterThanOrEqual(200);
  expect(new Set(hostile).size).toBe(hostile.length);
  expect(new Set(corpus.ordinary).size).toBeGreaterThanOrEqual(20);
});

test.each([
  'https://user:hunter2@host:99999/',
  'https://user:hunter2@ho st/',
  'https://user:hunter2@host/',
  'user:hunter2@host',
  '//user:hunter2@host/',
  'https://user:hunter2@bücher.example/',
  'https:\\\\user:hunter2@host\\',
])('the refusal of %s does not repeat the password', (url) => {
  expect(checkTargetUrl(url, strict)).toMatchObject({ ok: false, message: expect.not.stringContaining('hunter2') });
});

describe('a hostile URL', () => {
  test.each(hostileUrls)('is refused when a webhook is registered ($why): $url', ({ url }) => {
    const check = checkTargetUrl(url, strict);
    expect(check).toMatchObject({ ok: false, message: expect.stringMatching(/^target_url /) });
  });

  test('is refused when a delivery is sent, without a DNS query and always with the same result', async () => {
    const asked: string[] = [];
    const resolve = (name: string): Promise<string[]> =>
      Promise.resolve([asked.push(name), '93.184.215.14'].map(String));
    const sender = senderWith({ resolve });
    for (const { url } of hostileUrls) expect({ url, ...(await sendTo(sender, url)) }).toEqual({ url, ...blocked });
    expect(asked).toEqual([]);
  });
});

describe('an ordinary URL', () => {
  test('may have a colon and an @ after the host', () => {
    expect(checkTargetUrl('https://example.com:8443/a:b@c?d:e@f', strict)).toEqual({ ok: true });
  });

  test.each(corpus.ordinary)('is allowed: %s', (url) => {
    expect(checkTargetUrl(url, strict)).toEqual({ ok: true });
  });
});

describe('a host name', () => {
  test.each(hostileAnswers)('is refused because of its addresses ($why): $answers', async ({ name, answers }) => {
    const sender = senderWith({ resolve: () => Promise.resolve(answers) });
    expect(checkTargetUrl(`https://${name}/`, strict)).toEqual({ ok: true });
    expect(await sendTo(sender, `https://${name}/`)).toEqual(forbidden);
  });

  test.each([{ answers: [] }, { answers: undefined }])(
    'causes a DNS error, not a refusal, if it has no addresses',
    async ({ answers }) => {
      const resolve = (): Promise<string[]> =>
        answers === undefined ? Promise.reject(new Error('SERVFAIL')) : Promise.resolve(answers);
      expect(await sendTo(senderWith({ resolve }), 'https://gone.example/')).toMatchObject({
        outcome: 'failed',
        error: 'dns',
      });
    },
  );
});

describe('DNS rebinding', () => {
  const loopback = { allowHttp: true, allowRanges: ['loopback'] } as const;
  /** A name whose addresses change with each query. */
  const rebinding = (...answers: readonly string[][]) => {
    let asked = 0;
    const resolve = (): Promise<string[]> => Promise.resolve(answers[asked++] ?? []);
    return { resolve, asked: () => asked };
  };
  const started = (address: string): Promise<Receiver> =>
    startReceiver((_request, response) => response.end(address), address).then(closing);

  test.each([
    ['the private DNS of an interface endpoint', ['10.0.4.17']],
    ['a private hosted zone', ['172.31.0.9']],
    ["the VPC's resolver", ['169.254.169.253']],
    ["the VPC's resolver over IPv6", ['fd00:ec2::253']],
    ['the metadata service over IPv6', ['fd00:ec2::254']],
    ['another VPC behind a transit gateway', ['100.64.1.1']],
  ])('of a public name inside a VPC reaches nothing there: %s', async (_, addresses) => {
    const { resolve } = rebinding(addresses);
    const sender = createSender({ connectTimeoutMs: 1000, allowHttp: false, allowRanges: [], resolve });
    const url = 'https://sqs.eu-central-1.amazonaws.com/';
    const result = await sender.send({ url, headers: {}, body: '{}', timeoutMs: 1000 });
    expect(result).toEqual(forbidden);
  });

  test('has no effect, because the checked address is used and the name is resolved only once', async () => {
    const receiver = await started('127.0.0.1');
    const { resolve, asked } = rebinding(['127.0.0.1'], ['169.254.169.254']);
    const result = await sendTo(senderWith({ ...loopback, resolve }), `http://rebinding.example:${receiver.port}/`);
    expect(result).toMatchObject({ outcome: 'answered', excerpt: '127.0.0.1' });
    expect(asked()).toBe(1);
  });

  test('is detected when the next connection is opened', async () => {
    const receiver = await started('127.0.0.1');
    const { resolve } = rebinding(['127.0.0.1'], ['10.0.0.1']);
    let now = 0;
    const sender = senderWith({ ...loopback, resolve, clock: () => now });
    expect(await sendTo(sender, `http://rebinding.example:${receiver.port}/`)).toMatchObject({ outcome: 'answered' });
    now = 60_000;
    expect(await sendTo(sender, `http://rebinding.example:${receiver.port}/`)).toEqual(forbidden);
  });

  test('is detected after the receiver has closed a connection', async () => {
    const receiver = await startReceiver(({ socket }, response) =>
      response.end('ok', () => setImmediate(() => socket.end())),
    );
    const { resolve } = rebinding(['127.0.0.1'], ['127.0.0.1', '192.168.0.1']);
    const sender = senderWith({ ...loopback, resolve });
    expect(await sendTo(sender, `http://rebinding.example:${receiver.port}/`)).toMatchObject({ outcome: 'answered' });
    while (receiver.open() > 0) await new Promise((next) => setImmediate(next));
    expect(await sendTo(sender, `http://rebinding.example:${receiver.port}/`)).toEqual(forbidden);
    await receiver.close();
  });

  // macOS has one loopback address.
  test.skipIf(process.platform === 'darwin')(
    'does not prevent trying several allowed addresses until one accepts',
    async () => {
      const receiver = await started('127.0.0.2');
      const { resolve } = rebinding(['127.0.0.1', '127.0.0.2']);
      const result = await sendTo(senderWith({ ...loopback, resolve }), `http://several.example:${receiver.port}/`);
      expect(result).toMatchObject({ outcome: 'answered', excerpt: '127.0.0.2' });
    },
  );
});

describe('a redirect', () => {
  test.each(corpus.redirects)(
    'to $location counts as the answer $status, and is not followed',
    async ({ status, location }) => {
      const asked: string[] = [];
      const receiver = closing(
        await startReceiver((_request, response) => response.writeHead(status, { Location: location }).end()),
      );
      const resolve = (name: string): Promise<string[]> =>
        Promise.resolve([...(asked.push(name) === 1 ? ['127.0.0.1'] : [])]);
      const sender = senderWith({ allowHttp: true, allowRanges: ['loopback'], resolve });
      expect(await sendTo(sender, `http://redirecting.example:${receiver.port}/`)).toMatchObject({
        outcome: 'answered',
        status,
      });
      expect(asked).toEqual(['redirecting.example']);
      expect(receiver.connections()).toBe(1);
    },
  );
});

describe('a range that the stage allows', () => {
  test.each([
    ['http://127.0.0.1:8080/', 'loopback'],
    ['http://2130706433/', 'loopback'],
    ['http://[::1]:8080/', 'loopback'],
    ['http://localhost:8080/', 'loopback'],
    ['http://localhost./', 'loopback'],
    ['https://10.1.2.3/', 'private'],
    ['https://172.16.0.1/', 'private'],
    ['https://192.168.0.1/', 'private'],
    ['https://[fd00::1]/', 'uniqueLocal'],
  ] as const)('allows %s only if it is %s', (url, range) => {
    expect(checkTargetUrl(url, { allowHttp: true, allowRanges: [range] })).toEqual({ ok: true });
    const others = lenient.allowRanges.filter((other) => other !== range);
    expect(checkTargetUrl(url, { allowHttp: true, allowRanges: others })).toMatchObject({ ok: false, rule: 'host' });
  });

  const never = Object.entries(corpus.refusedByUrl)
    .filter(([why]) => ['services of the platform', 'IPv4 inside IPv6'].includes(why))
    .flatMap(([, urls]) => urls);
  test.each(never)('never includes %s', (url) => {
    expect(checkTargetUrl(url, lenient)).toMatchObject({ ok: false });
  });

  test.each([
    '169.254.169.254',
    '169.254.170.2',
    'fe80::1',
    'fd00:ec2::254',
    'fd20:ce::254',
    '168.63.129.16',
    '100.100.100.200',
    '::ffff:10.0.0.1',
  ])('never includes a name that resolves to %s', async (address) => {
    const sender = senderWith({ ...lenient, resolve: () => Promise.resolve([address]) });
    expect(await sendTo(sender, 'http://metadata.example/')).toEqual(forbidden);
  });
});

describe('the reason of a refusal', () => {
  test.each([
    ['https://münchen.example/hook', 'ascii', '"https://xn--mnchen-3ya.example/hook"'],
    ['http://example.com/', 'scheme', 'use https:'],
    ['https://user:geheim@example.com/', 'userinfo', '"example.com"'],
    ['https://0x7f.1/', 'host', '"127.0.0.1"'],
    ['example.com/hook', 'url', 'https://example.com/hook'],
    ['https://example.com:0/hook', 'port', 'target_url has port 0'],
    ['https://example.com:00000/hook', 'port', 'omit it'],
    [`https://example.com/${'x'.repeat(2000)}`, 'maxLength', '2020 characters'],
    ['https:/example.com/hook', 'url', 'write "https://example.com/hook"'],
    // The second URL in the text does not replace the missing slash.
    ['https:/example.com/?next=https://example.com/', 'url', 'write "https://example.com/?next=https://example.com/"'],
  ])('for %s is the rule %s, with the message %s', (url, rule, words) => {
    expect(checkTargetUrl(url, strict)).toMatchObject({ ok: false, rule, message: expect.stringContaining(words) });
  });

  test('names both schemes if the stage allows http:, and still refuses other schemes', () => {
    expect(checkTargetUrl('ftp://example.com/', lenient)).toMatchObject({
      rule: 'scheme',
      limit: 'https: or http:',
      message: expect.stringContaining('use https: or http:'),
    });
  });

  test('quotes at most 200 characters of a URL', () => {
    const urlOf = (length: number) => 'https://example.com/ü'.padEnd(length, 'x');
    expect(checkTargetUrl(urlOf(200), strict)).toMatchObject({ message: expect.stringContaining(`"${urlOf(200)}"`) });
    expect(checkTargetUrl(urlOf(201), strict)).toMatchObject({ message: expect.stringContaining(`"${urlOf(200)}…"`) });
  });

  test('never quotes a password', () => {
    expect(JSON.stringify(checkTargetUrl('https://user:geheim@example.com/', strict))).not.toContain('geheim');
  });
});

describe('for any input', () => {
  const ipv4 = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));
  const notations: ((octets: readonly number[]) => string)[] = [
    (octets) => octets.join('.'),
    (octets) => octets.map((octet) => `0x${octet.toString(16)}`).join('.'),
    (octets) => octets.map((octet) => `0${octet.toString(8)}`).join('.'),
    (octets) => String(octets.reduce((sum, octet) => sum * 256 + octet, 0)),
    (octets) => `0x${octets.map((octet) => octet.toString(16).padStart(2, '0')).join('')}`,
    ([a = 0, b = 0, c = 0, d = 0]) => `${a}.${(b * 256 + c) * 256 + d}`,
    ([a = 0, b = 0, c = 0, d = 0]) => `${a}.${b}.${c * 256 + d}`,
  ];

  test('the guard treats an IPv4 address in all notations alike', () => {
    fc.assert(
      fc.property(ipv4, fc.constantFrom(...notations), (octets, notation) => {
        expect(checkTargetUrl(`https://${notation(octets)}/`, strict).ok).toBe(isAllowedAddress(octets.join('.'), []));
      }),
    );
  });

  test('the guard refuses an IPv4 address inside an IPv6 address', () => {
    const prefixes = ['::ffff:', '::', '64:ff9b::', '64:ff9b:1::', '::ffff:0:'];
    fc.assert(
      fc.property(ipv4, fc.constantFrom(...prefixes), (octets, prefix) => {
        expect(isAllowedAddress(`${prefix}${octets.join('.')}`, lenient.allowRanges)).toBe(
          `${prefix}${octets.join('.')}` === '::0.0.0.1',
        );
      }),
    );
  });

  test('the guard returns a result and never throws', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string({ unit: 'binary' }),
          fc.webUrl(),
          fc.string().map((text) => `https://${text}`),
        ),
        (text) => {
          expect(typeof checkTargetUrl(text, strict).ok).toBe('boolean');
        },
      ),
      { numRuns: 2000 },
    );
  });
});
