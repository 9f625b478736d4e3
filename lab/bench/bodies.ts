/** Measures the CPU cost of event bodies: for requests without a valid key, whose body must not be parsed, and for accepted events. */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { command, run } from '../../infra/command-line/command.ts';
import { log } from '../../shared/aws/log.ts';
import { exactPayloads } from '../../shared/events/exact-payloads.ts';
import { NotFoundError } from '../../shared/foundation/errors.ts';
import { bodyLimits, scanJson } from '../../shared/foundation/json-scan.ts';
import { keyEndpoint } from '../../shared/http/endpoint.ts';
import { apiEvent, lambdaContext } from '../../test/support/parts-event.ts';
import { settingsText } from '../../test/support/settings-text.ts';
import { median } from './statistics.ts';

const size = 1024 * 1024;
const rounds = 30;
const id = '0123456789abcdef01234567';
const secret = 'ab'.repeat(32);

/** Returns a body of 1 MiB with one event: a long string, and the value repeated `count` times or as often as it fits. */
const large = (value: string, count?: number): string => {
  const fits = Math.floor((size - 200) / (value.length + 1));
  const values = Array.from({ length: Math.min(fits, count ?? fits) }, () => value).join(',');
  return withCurrent(`"s":"${'x'.repeat(Math.max(0, size - values.length - 200))}","a":[${values}]`);
};

/** Returns the same body without the long string, so that only the cost of the values is measured. */
const small = (value: string, count: number): string =>
  withCurrent(`"a":[${Array.from({ length: count }, () => value).join(',')}]`);

const withCurrent = (members: string): string =>
  `{"events":[{"event":"post.edited","payload":{"post":{"current":{${members}}}}}]}`;

const bodies: Readonly<Record<string, string>> = {
  'no event': '{"events":[]}',
  'one string': large('0', 1),
  'one string, escaped': withCurrent(`"s":"${'\\"'.repeat(size / 2 - 100)}"`),
  'a surrogate pair and 90,000 × -0': large('-0', 90_000).replace('"s":"', '"s":"\\ud83d\\ude00'),
  '50,000 × 0.12345678901234567': small('0.12345678901234567', 50_000),
  '90,000 × 0.05': small('0.05', 90_000),
  '30,000 × {"a":1.0}': small('{"a":1.0}', 30_000),
  '30,000 × {"a":1}': small('{"a":1}', 30_000),
  '90,000 × []': small('[]', 90_000),
  '8,000 × -0, small': small('-0', 8_000),
  '8,000 × 1.0, small': small('1.0', 8_000),
  '8,000 × 0.12345678901234567, small': small('0.12345678901234567', 8_000),
  '8,000 × 12345678901234567890, small': small('12345678901234567890', 8_000),
  '10 × -0': small('-0', 10),
};

/** Returns the median CPU time in ms, including helper threads. Unlike wall time, it hardly depends on other programs. */
const timed = async (work: () => unknown): Promise<number> => {
  const took: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    took.push((user + system) / 1000);
  }
  return median(took);
};

/** Parses as publishing does, but skips decoding the bytes. */
const parsed = (body: string): unknown => {
  const { hasLongNumbers } = scanJson(body, bodyLimits);
  const json: unknown = JSON.parse(body);
  return hasLongNumbers ? exactPayloads(body, [{ event: 'post.edited' }]) : json;
};

const eventWith = (body: string, key?: string): APIGatewayProxyEvent =>
  apiEvent({ method: 'POST', path: '/admin/events/', body, ...(key && { key }) }, '/admin/events/', '/ghost/api');

const measure = async (): Promise<void> => {
  process.env.SETTINGS ??= settingsText({ stage: 'bench' });
  log.begin = () => {};
  const found = { secret, caller: { kind: 'integration', keyId: id, integrationId: id } as never };
  const handler = keyEndpoint({
    line: 'events/publish',
    credentials: {
      key: Object.assign(async (kid: string) => (kid === id ? found : undefined), { known: () => undefined }),
      session: Object.assign(async () => undefined, { isKnown: () => false }),
      noteUse: async () => {},
    },
    // Nothing after the parsing is measured.
    handle: async () => {
      throw new NotFoundError('Parsed.');
    },
  });
  const send = (event: APIGatewayProxyEvent) => handler(event, lambdaContext('events/publish', 10));
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = () => true;
  const rows: Record<string, Record<string, string>> = {};
  for (const [name, body] of Object.entries(bodies)) {
    const text = JSON.stringify(eventWith(body));
    const event = await timed(() => JSON.parse(text));
    const withoutKey = await timed(() => send(eventWith(body)));
    const unknownKey = eventWith(body, `${'f'.repeat(24)}:${secret}`);
    for (let failures = 0; failures < 60; failures += 1) await send(unknownKey);
    const tooOften = await timed(() => send(unknownKey));
    const signed = { ...eventWith(body, `${id}:${secret}`), requestContext: eventWith(body).requestContext };
    const other = {
      ...signed,
      requestContext: {
        ...signed.requestContext,
        identity: { ...signed.requestContext.identity, sourceIp: '192.0.2.1' },
      },
    };
    const { statusCode } = await send(other);
    const accepted = await timed(() => send(other));
    const parse = await timed(() => JSON.parse(body));
    const exactly = await timed(() => parsed(body));
    const ms = (value: number) => value.toFixed(2);
    rows[name] = {
      'Lambda event': ms(event),
      'without a key': ms(withoutKey),
      'at 429': ms(tooOften),
      'with a key': ms(accepted),
      answer: statusCode === 404 ? 'parsed' : String(statusCode),
      'parsed exactly': ms(exactly),
      'JSON.parse': ms(parse),
      ratio: `${(exactly / parse).toFixed(1)} ×`,
    };
  }
  process.stdout.write = write;
  console.log('Milliseconds (ms) of CPU:');
  console.table(rows);
};

await run(
  command('npm --prefix lab run bench:bodies --')
    .description(
      `Measures what event bodies cost, as the median CPU time in ms of ${rounds} rounds: parsing the Lambda event, refusing it without a key or from a throttled source, and parsing it with a key.`,
    )
    .action(measure),
);
