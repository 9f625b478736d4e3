/** A DynamoDB that sends every call to two tables, answers as the first does, and records where answers differ. */
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { isDeepStrictEqual } from 'node:util';
import { listen } from '../../infra/emulator/loopback.ts';

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly text: string;
}

/** What is compared: errors by name, cancellations by reason, and values unordered where DynamoDB promises no order. */
interface Essence {
  readonly status: number;
  readonly error: string | undefined;
  readonly reasons: readonly unknown[] | undefined;
  readonly values: unknown;
}

export interface Compared {
  readonly calls: Readonly<Record<string, number>>;
  /** Calls that differ, by action and what differs, with the first example. */
  readonly differences: Readonly<Record<string, { readonly count: number; readonly example: string }>>;
}

export interface Comparison {
  readonly url: string;
  read(): Compared;
  stop(): void;
}

/** Starts it. `first` and `second` are the URLs of the tables. */
export const startComparison = async (first: string, second: string): Promise<Comparison> => {
  const calls: Record<string, number> = {};
  const differences: Record<string, { count: number; example: string }> = {};
  let turn: Promise<unknown> = Promise.resolve();
  const compare = (action: string, input: string, answers: readonly [Answer, Answer]): void => {
    calls[action] = (calls[action] ?? 0) + 1;
    const [one, other] = answers.map((answer) => essenceOf(action, answer));
    for (const part of ['status', 'error', 'reasons', 'values'] as const) {
      if (isDeepStrictEqual(one?.[part], other?.[part])) continue;
      const name = `${action}: ${part}`;
      const example = [input, ...answers.map(({ text }) => text)].map((text) => text.slice(0, 2000)).join('\n  ');
      differences[name] = {
        count: (differences[name]?.count ?? 0) + 1,
        example: differences[name]?.example ?? example,
      };
      // The rest follows from it.
      return;
    }
  };
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    const headers = sentOn(request.headers);
    const ask = async (url: string): Promise<Answer> => {
      const answer = await fetch(url, { method: 'POST', headers, body: new Uint8Array(body) });
      return { status: answer.status, type: answer.headers.get('content-type') ?? '', text: await answer.text() };
    };
    // One after the other: of two calls at the same time, the tables could carry out different ones first.
    const mine = turn.then(() => Promise.all([ask(first), ask(second)]));
    turn = mine.catch(() => {});
    try {
      const answers = await mine;
      compare(headers['x-amz-target']?.split('.')[1] ?? '', body.toString(), answers);
      response.writeHead(answers[0].status, { 'content-type': answers[0].type }).end(answers[0].text);
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  });
  const { origin } = await listen(server);
  return {
    url: origin,
    read: () => ({ calls, differences }),
    stop: () => server.close().closeAllConnections(),
  };
};

/** A table may keep apart what different access keys store, and accept only letters and digits in them. */
const sentOn = (headers: NodeJS.Dict<string | string[]>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      if (typeof value !== 'string' || !/^(?:authorization|content-type|x-amz-)/.test(name)) return [];
      return [[name, value.replace(/Credential=[^/]+/, 'Credential=local')]];
    }),
  );

const essenceOf = (action: string, { status, text }: Answer): Essence => {
  const body: Record<string, unknown> = JSON.parse(text || '{}');
  const { __type: type, CancellationReasons: reasons, ...rest } = body;
  if (status !== 200)
    return {
      status,
      error: String(type).split('#').at(-1),
      reasons: Array.isArray(reasons) ? reasons.map(({ Code, Item }) => ({ Code, Item })) : undefined,
      values: rest.Item,
    };
  // Descriptions differ in times and ids.
  if (/^(?:Create|Describe|Delete|Update)(?:Table|TimeToLive)$/.test(action))
    return { status, error: undefined, reasons: undefined, values: undefined };
  const { ConsumedCapacity: _capacity, ItemCollectionMetrics: _metrics, LastEvaluatedKey, ...values } = rest;
  // A page of a scan ends where its own order says, and a counted one at a megabyte, of which tables have other ideas.
  const isPart = action === 'Scan' ? LastEvaluatedKey !== undefined : action === 'Query' && values.Items === undefined;
  return { status, error: undefined, reasons: undefined, values: isPart ? undefined : unordered(values) };
};

/** Pages, and answers to a batch, list their items in no promised order. */
const unordered = ({ Items, Responses, ...others }: Record<string, unknown>): unknown => ({
  ...others,
  Items: inAnyOrder(Items),
  Responses:
    typeof Responses === 'object' && Responses !== null && !Array.isArray(Responses)
      ? Object.entries(Responses).map(([table, items]) => [table, inAnyOrder(items)])
      : Responses,
});

const inAnyOrder = (items: unknown): unknown =>
  Array.isArray(items) ? items.map((item) => JSON.stringify(sorted(item))).sort() : items;

/** Returns a value whose objects have their keys in order. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  );
};
