/** The sender, tested with real receivers on loopback, both correct and hostile ones. */
import type { Socket } from 'node:net';
import { setDefaultCACertificates, type TLSSocket } from 'node:tls';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  createSender,
  type Sender,
  type SenderOptions,
  type SendRequest,
} from '../../shared/deliveries/sender/send.ts';
import {
  bodyOf,
  certificate,
  onRequest,
  type Receiver,
  startDeafReceiver,
  startRawReceiver,
  startReceiver,
  startTlsReceiver,
} from '../support/loopback-receiver.ts';

setDefaultCACertificates([certificate('ca.pem')]);

const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

const closing = <T extends { close(): Promise<void> }>(one: T): T => {
  opened.push(one);
  return one;
};

const senderWith = (options: Partial<SenderOptions> = {}): Sender =>
  createSender({ connectTimeoutMs: 60_000, allowHttp: true, allowRanges: ['loopback'], ...options });

const post = (url: string, more: Partial<SendRequest> = {}): SendRequest => ({
  url,
  headers: { 'Content-Type': 'application/json' },
  body: '{"event":"site.changed"}',
  // Longer than a test may take, so that an earlier end always has another reason.
  timeoutMs: 60_000,
  ...more,
});

const urlOf = (receiver: Receiver, path = '/hook'): string => `http://127.0.0.1:${receiver.port}${path}`;

const answering = async (bytes: string | Buffer): Promise<Receiver> =>
  closing(await startRawReceiver((socket) => onRequest(socket, () => socket.write(bytes))));

/** Starts a raw receiver that writes until the other side ends. */
const writing = async (first: string, next: string): Promise<Receiver> =>
  closing(
    await startRawReceiver((socket) => {
      const writeMore = (): void => {
        while (!socket.destroyed && socket.write(next));
      };
      socket.on('drain', writeMore);
      onRequest(socket, () => {
        socket.write(first);
        writeMore();
      });
    }),
  );

const untilClosed = async (receiver: Receiver): Promise<void> => {
  while (receiver.open() > 0) await new Promise((resolve) => setImmediate(resolve));
};

describe('an answer', () => {
  test.each([
    ['text/plain; charset=ISO-8859-1', Buffer.from('Größe', 'latin1'), 'Größe'],
    ['text/html;charset="windows-1252"', Buffer.from([0x80, 0x20, 0x93]), '€ “'],
    ['text/plain; charset=Shift_JIS', Buffer.from([0x93, 0xfa]), '日'],
    ['text/plain; charset=utf-16le', Buffer.from('Größe', 'utf16le'), 'Größe'],
    ['text/plain; charset=UTF8', Buffer.from('\ufeffGröße'), 'Größe'],
    ['text/plain; charset=klingon', Buffer.from('Größe'), 'Größe'],
    ['text/plain', Buffer.from('Größe'), 'Größe'],
  ])('of the type %s is read in its charset', async (type, bytes, expected) => {
    const receiver = closing(
      await startReceiver((_request, response) => response.setHeader('Content-Type', type).end(bytes)),
    );
    expect(await senderWith().send(post(urlOf(receiver)))).toMatchObject({ excerpt: expected });
  });

  test('that has `Retry-After` twice counts with the first one', async () => {
    const receiver = closing(
      await startRawReceiver((socket) =>
        onRequest(socket, () =>
          socket.end('HTTP/1.1 503 x\r\nRetry-After: 7\r\nRetry-After: 7\r\nContent-Length: 0\r\n\r\n'),
        ),
      ),
    );
    expect(await senderWith().send(post(urlOf(receiver)))).toMatchObject({ headers: { 'retry-after': '7' } });
  });

  test('has status, relevant headers, the start of the body and its duration', async () => {
    const receiver = closing(
      await startReceiver((_request, response) => {
        response.writeHead(429, { 'Retry-After': '120', 'Webhook-Delivery': 'disable', 'X-Other': 'x' });
        response.end('later, please');
      }),
    );
    const result = await senderWith().send(post(urlOf(receiver)));
    expect(result).toEqual({
      outcome: 'answered',
      status: 429,
      headers: { 'retry-after': '120', 'webhook-delivery': 'disable' },
      excerpt: 'later, please',
      durationMs: expect.any(Number),
      timings: { dns_ms: null, connect_ms: expect.any(Number), tls_ms: null, first_byte_ms: expect.any(Number) },
    });
  });

  test('comes from a POST with the exact path, headers and bytes', async () => {
    const seen: unknown[] = [];
    const receiver = closing(
      await startReceiver(async (request, response) => {
        const { method, url, headers } = request;
        seen.push({
          method,
          url,
          type: headers['content-type'],
          length: headers['content-length'],
          body: await bodyOf(request),
        });
        response.end();
      }),
    );
    await senderWith().send(post(urlOf(receiver, '/a%20b/?x=1&y=%2F#fragment'), { body: '{"name":"Zoë"}' }));
    expect(seen).toEqual([
      { method: 'POST', url: '/a%20b/?x=1&y=%2F', type: 'application/json', length: '15', body: '{"name":"Zoë"}' },
    ]);
  });

  test.each([200, 201, 202, 204, 301, 302, 303, 304, 307, 308, 400, 401, 404, 410, 413, 429, 500, 502, 503, 599])(
    'can have the status %i',
    async (status) => {
      const receiver = closing(
        await startReceiver((_request, response) =>
          response.writeHead(status, { Location: 'http://127.0.0.1:1/' }).end(),
        ),
      );
      expect(await senderWith().send(post(urlOf(receiver)))).toMatchObject({ outcome: 'answered', status });
    },
  );

  test('is read after all interim responses', async () => {
    const receiver = await answering(
      'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\n' +
        'Content-Length: 2\r\n\r\nok',
    );
    expect(await senderWith().send(post(urlOf(receiver)))).toMatchObject({
      status: 200,
      excerpt: 'ok',
    });
  });

  test('is stored without decompressing it', async () => {
    const bomb = Buffer.from('1f8b080000000000000303000000000000000000', 'hex');
    const head = Buffer.from(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`);
    const receiver = await answering(Buffer.concat([head, bomb]));
    const result = await senderWith().send(post(urlOf(receiver)));
    expect(result).toMatchObject({ status: 200 });
    expect(result.outcome === 'answered' && Buffer.from(result.excerpt).includes(0x08)).toBe(true);
  });

  test.each([
    ['is the whole body if that is shorter than 1 KiB', 'é'.repeat(100), 'é'.repeat(100)],
    ['is the first KiB of a longer body', 'x'.repeat(5000), 'x'.repeat(1024)],
    ['is not cut inside a character', `x${'é'.repeat(1000)}`, `x${'é'.repeat(511)}`],
  ])('has an excerpt that %s', async (_title, body, excerpt) => {
    const receiver = closing(await startReceiver((_request, response) => response.end(body)));
    expect(await senderWith().send(post(urlOf(receiver)))).toMatchObject({ excerpt });
  });

  test('in many chunks becomes one excerpt', async () => {
    const receiver = closing(
      await startReceiver((_request, response) => {
        for (const piece of ['one ', 'two ', 'three']) response.write(piece);
        response.end();
      }),
    );
    expect(await senderWith().send(post(urlOf(receiver)))).toMatchObject({ excerpt: 'one two three' });
  });
});

describe('a receiver that sends too much', () => {
  test('has its status counted and its connection closed if its body is endless', async () => {
    const receiver = await writing(
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n',
      `4000\r\n${'x'.repeat(0x4000)}\r\n`,
    );
    const result = await senderWith().send(post(urlOf(receiver)));
    expect(result).toMatchObject({ outcome: 'answered', status: 200, excerpt: 'x'.repeat(1024) });
    await untilClosed(receiver);
  });

  test('has its body read only up to the limit', async () => {
    const receiver = await answering(`HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n${'x'.repeat(101)}`);
    const result = await senderWith({ maxResponseBytes: 100 }).send(post(urlOf(receiver)));
    expect(result).toMatchObject({ status: 200 });
    await untilClosed(receiver);
  });

  test.each([
    ['header', 'HTTP/1.1 200 OK\r\nX: ', 'x'.repeat(4096)],
    ['headers', 'HTTP/1.1 200 OK\r\n', 'X-Many: x\r\n'.repeat(400)],
    ['interim answers', '', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(20)],
  ])('fails with a protocol error if it sends endless %s', async (_title, first, next) => {
    const receiver = await writing(first, next);
    expect(await senderWith().send(post(urlOf(receiver)))).toMatchObject({ outcome: 'failed', error: 'protocol' });
    await untilClosed(receiver);
  });

  test('has its status counted if it sends endless trailers', async () => {
    const receiver = await writing(
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n',
      'X-Many: x\r\n'.repeat(400),
    );
    expect(await senderWith().send(post(urlOf(receiver)))).toMatchObject({
      status: 200,
      excerpt: 'ok',
    });
    await untilClosed(receiver);
  });
});

describe('a slow receiver', () => {
  const drip = (socket: Socket, text: string): void => {
    let at = 0;
    const timer = setInterval(() => {
      socket.write(text.charAt(at % text.length));
      at += 1;
    }, 5);
    socket.once('close', () => clearInterval(timer));
  };

  test('fails at the deadline if it does not answer', async () => {
    const receiver = closing(await startRawReceiver((socket) => void socket.resume()));
    expect(await senderWith().send(post(urlOf(receiver), { timeoutMs: 60 }))).toMatchObject({
      outcome: 'failed',
      error: 'timeout',
      timings: { connect_ms: expect.any(Number), first_byte_ms: null },
    });
    await untilClosed(receiver);
  });

  test('fails at the deadline if its headers arrive byte by byte', async () => {
    const receiver = closing(
      await startRawReceiver((socket) =>
        onRequest(socket, () => drip(socket, 'HTTP/1.1 200 OK\r\nX-Slow: very\r\nX-Slower: still\r\n')),
      ),
    );
    expect(await senderWith().send(post(urlOf(receiver), { timeoutMs: 80 }))).toMatchObject({ error: 'timeout' });
    await untilClosed(receiver);
  });

  test('fails at the deadline if it does not read the whole request', async () => {
    const sockets: Socket[] = [];
    const receiver = closing(await startRawReceiver((socket) => sockets.push(socket.pause())));
    const body = 'x'.repeat(16 * 1024 * 1024);
    expect(await senderWith().send(post(urlOf(receiver), { body, timeoutMs: 500 }))).toMatchObject({
      error: 'timeout',
    });
    for (const socket of sockets) socket.resume();
    await untilClosed(receiver);
  });

  test('fails in the phase connect if it does not accept the connection', async () => {
    const { port, stop } = await startDeafReceiver();
    try {
      const result = await senderWith({ connectTimeoutMs: 60 }).send(post(`http://127.0.0.1:${port}/`));
      expect(result).toMatchObject({ error: 'connect' });
    } finally {
      await stop();
    }
  });

  test('fails in the phase tls if it accepts but never shakes hands', async () => {
    const receiver = closing(await startRawReceiver((socket) => void socket.resume()));
    const result = await senderWith({ connectTimeoutMs: 300 }).send(post(`https://127.0.0.1:${receiver.port}/`));
    expect(result).toMatchObject({ error: 'tls' });
    await untilClosed(receiver);
  });

  test("fails in the current phase if the attempt's deadline comes before the connect timeout", async () => {
    const receiver = closing(await startRawReceiver((socket) => void socket.resume()));
    const result = await senderWith().send(post(`https://127.0.0.1:${receiver.port}/`, { timeoutMs: 300 }));
    expect(result).toMatchObject({ error: 'tls' });
    await untilClosed(receiver);
  });

  test('fails in the phase dns if its name server does not answer', async () => {
    const resolve = (): Promise<never> => new Promise(() => {});
    const result = await senderWith({ connectTimeoutMs: 60, resolve }).send(post('https://receiver.example/'));
    expect(result).toMatchObject({ error: 'dns' });
  });
});

describe('a receiver that closes the connection', () => {
  test('causes the error reset if it closes at once', async () => {
    const receiver = closing(await startRawReceiver((socket) => socket.destroy()));
    expect(await senderWith().send(post(urlOf(receiver)))).toMatchObject({ outcome: 'failed', error: 'reset' });
  });

  test('causes the error reset if it resets after the request', async () => {
    const receiver = closing(await startRawReceiver((socket) => onRequest(socket, () => socket.resetAndDestroy())));
    expect(await senderWith().send(post(urlOf(receiver)))).toMatchObject({ outcome: 'failed', error: 'reset' });
  });

  test('causes the error reset if it closes its side without an answer', async () => {
    const receiver = closing(await startRawReceiver((socket) => onRequest(socket, () => socket.end())));
    expect(await senderWith().send(post(urlOf(receiver)))).toMatchObject({ outcome: 'failed', error: 'reset' });
    await untilClosed(receiver);
  });

  test('causes the error reset if it closes in the middle of its headers', async () => {
    const receiver = closing(
      await startRawReceiver((socket) => onRequest(socket, () => socket.end('HTTP/1.1 200 OK\r\nX-Half: '))),
    );
    expect(await senderWith().send(post(urlOf(receiver)))).toMatchObject({ outcome: 'failed', error: 'reset' });
    await untilClosed(receiver);
  });

  test.each([
    ['closes', (socket: Socket) => socket.end()],
    ['resets', (socket: Socket) => socket.resetAndDestroy()],
  ])('has its status counted if it %s the connection in the middle of its body', async (_title, breakOff) => {
    const receiver = closing(
      await startRawReceiver((socket) =>
        onRequest(socket, () =>
          socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf', () => setTimeout(breakOff, 20, socket)),
        ),
      ),
    );
    expect(await senderWith().send(post(urlOf(receiver)))).toMatchObject({
      outcome: 'answered',
      status: 200,
    });
    await untilClosed(receiver);
  });

  test('has sent a complete answer if its body may end with the connection', async () => {
    const receiver = closing(
      await startRawReceiver((socket) => onRequest(socket, () => socket.end('HTTP/1.0 200 OK\r\n\r\nall of it'))),
    );
    expect(await senderWith().send(post(urlOf(receiver)))).toMatchObject({
      status: 200,
      excerpt: 'all of it',
    });
    await untilClosed(receiver);
  });

  test('causes the error connect if its port is closed', async () => {
    const receiver = await startReceiver(() => {});
    await receiver.close();
    expect(await senderWith().send(post(urlOf(receiver)))).toMatchObject({
      error: 'connect',
    });
  });
});

describe('a receiver that does not speak HTTP', () => {
  test.each([
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['an answer to HTTP/0.9', '<html></html>'],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok!'],
    [
      'a length and chunks',
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n',
    ],
    ['a header without a name', 'HTTP/1.1 200 OK\r\n: x\r\n\r\n'],
    ['a NUL in a header', 'HTTP/1.1 200 OK\r\nX: \0\r\n\r\n'],
  ])('causes the error protocol with %s', async (_title, bytes) => {
    const receiver = await answering(bytes);
    expect(await senderWith().send(post(urlOf(receiver)))).toMatchObject({ outcome: 'failed', error: 'protocol' });
    await untilClosed(receiver);
  });

  test.each([
    ['an unrequested 100 Continue', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['an unrequested upgrade', 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'],
  ])('causes a failure with %s', async (_title, bytes) => {
    const receiver = await answering(bytes);
    expect(await senderWith().send(post(urlOf(receiver)))).toMatchObject({ outcome: 'failed' });
    await untilClosed(receiver);
  });

  test('cannot place the answer to the next request behind the current answer', async () => {
    const receiver = await answering(
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nokHTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nforged',
    );
    const sender = senderWith();
    expect(await sender.send(post(urlOf(receiver)))).toMatchObject({ status: 200, excerpt: 'ok' });
    expect(await sender.send(post(urlOf(receiver)))).not.toMatchObject({ excerpt: 'forged' });
  });
});

describe('TLS', () => {
  const resolve = (): Promise<string[]> => Promise.resolve(['127.0.0.1']);

  test('succeeds with a certificate for the name, and its time is measured', async () => {
    const receiver = closing(await startTlsReceiver('valid', (_request, response) => response.end('ok')));
    const sender = senderWith({ resolve });
    expect(await sender.send(post(`https://receiver.example:${receiver.port}/`))).toMatchObject({
      status: 200,
      timings: { dns_ms: expect.any(Number), connect_ms: expect.any(Number), tls_ms: expect.any(Number) },
    });
    expect(await sender.send(post(`https://receiver.example:${receiver.port}/`))).toMatchObject({
      status: 200,
      timings: { dns_ms: null, connect_ms: null, tls_ms: null },
    });
    expect(receiver.connections()).toBe(1);
  });

  test('succeeds for an absolute name with a dot at the end', async () => {
    const names: unknown[] = [];
    const receiver = closing(
      await startTlsReceiver('valid', (request, response) => {
        names.push((request.socket as TLSSocket & { servername?: string }).servername);
        response.end();
      }),
    );
    expect(await senderWith({ resolve }).send(post(`https://receiver.example.:${receiver.port}/`))).toMatchObject({
      status: 200,
    });
    expect(names).toEqual(['receiver.example']);
  });

  test.each([
    ['expired', 'expired', 'receiver.example', 'tls_expired'],
    ['self-signed', 'self-signed', 'receiver.example', 'tls_self_signed'],
    ['for another name', 'valid', 'other.example', 'tls_wrong_host'],
  ] as const)('fails before anything is sent if the certificate is %s', async (_title, name, host, error) => {
    let requests = 0;
    const receiver = closing(await startTlsReceiver(name, () => (requests += 1)));
    const result = await senderWith({ resolve }).send(post(`https://${host}:${receiver.port}/`));
    expect(result).toMatchObject({ outcome: 'failed', error });
    expect(requests).toBe(0);
    await untilClosed(receiver);
  });

  test.each([
    ['TLSv1.3', 'tls_client_certificate'],
    ['TLSv1.2', 'tls'],
  ] as const)('fails if the receiver asks for a client certificate under %s', async (version, error) => {
    let requests = 0;
    const options = { requestCert: true, rejectUnauthorized: true, minVersion: version, maxVersion: version };
    const receiver = closing(await startTlsReceiver('valid', () => (requests += 1), options));
    const sender = senderWith({ resolve });
    for (let attempt = 0; attempt < 2; attempt += 1)
      expect(await sender.send(post(`https://receiver.example:${receiver.port}/`))).toMatchObject({ error });
    expect(requests).toBe(0);
  });

  test.each(['TLSv1.3', 'TLSv1.2'] as const)(
    'delivers if the receiver only offers to take a client certificate under %s',
    async (version) => {
      const options = { requestCert: true, rejectUnauthorized: false, minVersion: version, maxVersion: version };
      const receiver = closing(await startTlsReceiver('valid', (_request, response) => response.end('ok'), options));
      const result = await senderWith({ resolve }).send(post(`https://receiver.example:${receiver.port}/`));
      expect(result).toMatchObject({ status: 200 });
    },
  );

  test('checks certificates even if a variable of the environment says otherwise', async () => {
    vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
    onTestFinished(() => void vi.unstubAllEnvs());
    const receiver = closing(await startTlsReceiver('self-signed', (_request, response) => response.end()));
    const result = await senderWith({ resolve }).send(post(`https://receiver.example:${receiver.port}/`));
    expect(result).toMatchObject({ error: 'tls_self_signed' });
  });

  test('fails if the receiver speaks plain HTTP', async () => {
    const receiver = closing(await startReceiver((_request, response) => response.end()));
    expect(await senderWith().send(post(`https://127.0.0.1:${receiver.port}/`))).toMatchObject({ error: 'tls' });
  });
});

describe('connections to receivers', () => {
  const ok = async (): Promise<Receiver> => closing(await startReceiver((_request, response) => response.end('ok')));

  test('are reused for many requests', async () => {
    const receiver = await ok();
    const sender = senderWith();
    for (let n = 0; n < 20; n += 1) expect(await sender.send(post(urlOf(receiver)))).toMatchObject({ status: 200 });
    expect(receiver.connections()).toBe(1);
  });

  test('are kept for the next request if one was opened too late for a request, which is then not sent', async () => {
    let requests = 0;
    const receiver = closing(
      await startReceiver((_request, response) => {
        requests += 1;
        response.end('ok');
      }),
    );
    const sender = senderWith();
    const late = await sender.send(post(urlOf(receiver), { startWithinMs: Number.MIN_VALUE }));
    expect(late).toMatchObject({ outcome: 'failed', error: 'busy' });
    expect(await sender.send(post(urlOf(receiver), { startWithinMs: 60_000 }))).toMatchObject({ status: 200 });
    expect([requests, receiver.connections()]).toEqual([1, 1]);
  });

  test('are not waited for longer than a request has to be sent', async () => {
    const answers: (() => void)[] = [];
    const receiver = closing(
      await startReceiver((_request, response) => {
        answers.push(() => response.end('ok'));
      }),
    );
    const sender = senderWith({ concurrencyPerReceiver: 1 });
    const first = sender.send(post(urlOf(receiver)));
    expect(await sender.send(post(urlOf(receiver), { startWithinMs: 1 }))).toMatchObject({ error: 'busy' });
    while (answers.length === 0) await new Promise((resolve) => setImmediate(resolve));
    for (const answer of answers) answer();
    expect(await first).toMatchObject({ status: 200 });
    expect(answers).toHaveLength(1);
  });

  test('are not reused after ten seconds, because the name may resolve to another address', async () => {
    const receiver = await ok();
    let now = 0;
    const sender = senderWith({ clock: () => now });
    await sender.send(post(urlOf(receiver)));
    now = 10_000;
    await sender.send(post(urlOf(receiver)));
    expect(receiver.connections()).toBe(1);
    now = 10_001;
    await sender.send(post(urlOf(receiver)));
    expect(receiver.connections()).toBe(2);
  });

  test('are opened again if the receiver has closed them while idle', async () => {
    const receiver = closing(
      await startReceiver(({ socket }, response) => {
        response.end('ok', () => setImmediate(() => socket.end()));
      }),
    );
    const sender = senderWith();
    for (let n = 0; n < 5; n += 1) {
      expect(await sender.send(post(urlOf(receiver)))).toMatchObject({ status: 200 });
      await untilClosed(receiver);
    }
  });

  test('are limited per origin, and further requests wait for one', async () => {
    const held: { end(): unknown }[] = [];
    const receiver = closing(
      await startReceiver((_request, response) => {
        held.push(response);
        if (held.length === 3) for (const one of held.splice(0)) one.end();
      }),
    );
    const sender = senderWith({ concurrencyPerReceiver: 3 });
    const results = await Promise.all(Array.from({ length: 12 }, () => sender.send(post(urlOf(receiver)))));
    expect(results.every((result) => result.outcome === 'answered')).toBe(true);
    expect(receiver.connections()).toBe(3);
  });

  test('cause the error busy, and no request, if none becomes free in time', async () => {
    let requests = 0;
    const receiver = closing(await startReceiver(() => (requests += 1)));
    const sender = senderWith({ concurrencyPerReceiver: 1 });
    const first = sender.send(post(urlOf(receiver), { timeoutMs: 200 }));
    expect(await sender.send(post(urlOf(receiver), { timeoutMs: 50 }))).toMatchObject({
      outcome: 'failed',
      error: 'busy',
    });
    expect(await first).toMatchObject({ error: 'timeout' });
    expect(requests).toBe(1);
  });

  test('go to the next request that still waits', async () => {
    const held: { end(): unknown }[] = [];
    const receiver = closing(
      await startReceiver((request, response) => {
        if (request.url === '/held') held.push(response);
        else response.end('ok');
      }),
    );
    const sender = senderWith({ concurrencyPerReceiver: 1 });
    const first = sender.send(post(urlOf(receiver, '/held')));
    const busy = sender.send(post(urlOf(receiver), { timeoutMs: 50 }));
    const waiting = sender.send(post(urlOf(receiver)));
    expect(await busy).toMatchObject({ error: 'busy' });
    for (const response of held) response.end();
    expect(await first).toMatchObject({ status: 200 });
    expect(await waiting).toMatchObject({ status: 200, excerpt: 'ok' });
  });

  test('are limited to 256 idle ones, so that file descriptors suffice for thousands of hosts', async () => {
    const receiver = await ok();
    const sender = senderWith({ resolve: () => Promise.resolve(['127.0.0.1']) });
    for (let n = 0; n < 300; n += 1) await sender.send(post(`http://r${n}.example:${receiver.port}/`));
    expect(receiver.connections()).toBe(300);
    while (receiver.open() > 256) await new Promise((resolve) => setImmediate(resolve));
    expect(await sender.send(post(`http://r299.example:${receiver.port}/`))).toMatchObject({ status: 200 });
    expect(receiver.connections()).toBe(300);
    expect(await sender.send(post(`http://r0.example:${receiver.port}/`))).toMatchObject({ status: 200 });
    expect(receiver.connections()).toBe(301);
  });

  test('to a hanging receiver do not affect another receiver', async () => {
    const hanging = closing(await startReceiver(() => {}));
    const receiver = await ok();
    const sender = senderWith({ concurrencyPerReceiver: 2 });
    const hung = Promise.all(Array.from({ length: 6 }, () => sender.send(post(urlOf(hanging), { timeoutMs: 300 }))));
    const results = await Promise.all(Array.from({ length: 20 }, () => sender.send(post(urlOf(receiver)))));
    expect(results.every((result) => result.outcome === 'answered')).toBe(true);
    expect((await hung).every((result) => result.outcome === 'failed')).toBe(true);
  });

  test('are closed when they have been idle for some time', async () => {
    const receiver = closing(
      await startReceiver((_request, response) => {
        // undici subtracts two seconds from the receiver's limit, so this limit means: at once.
        response.writeHead(200, { Connection: 'keep-alive', 'Keep-Alive': 'timeout=2' }).end();
      }),
    );
    await senderWith().send(post(urlOf(receiver)));
    await untilClosed(receiver);
    expect(receiver.open()).toBe(0);
  });
});

test('an invalid header throws, because the receiver did not cause it', async () => {
  const receiver = closing(await startReceiver((_request, response) => response.end()));
  const sender = senderWith();
  await expect(sender.send(post(urlOf(receiver), { headers: { 'X-Bad': 'a\r\nb' } }))).rejects.toThrow(
    'invalid X-Bad header',
  );
  expect(await sender.send(post(urlOf(receiver)))).toMatchObject({ status: 200 });
});

test('proxy variables in the environment are ignored', async () => {
  const proxy = closing(await startReceiver((_request, response) => response.end('proxy')));
  const receiver = closing(await startReceiver((_request, response) => response.end('receiver')));
  const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
  for (const name of names) process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : `http://127.0.0.1:${proxy.port}`;
  try {
    expect(await senderWith().send(post(urlOf(receiver)))).toMatchObject({ excerpt: 'receiver' });
    expect(proxy.connections()).toBe(0);
  } finally {
    for (const name of names) delete process.env[name];
  }
});
