/** Lambda in the simulated world: reads queues in batches, so many at a time, runs handlers, and lets some of them die half-way. */
import { type Message, type Queue, queueNamed, show } from './sqs.ts';
import { type Run, world } from './world.ts';

type Handler = (event: object, context: object) => Promise<unknown>;

/** How bad it is. */
interface Fate {
  /** Share of runs that die at one of their calls. */
  killed: number;
  /** Share of messages that are shown a second time, at the same time or later. */
  doubled: number;
}

export const goodFate: Fate = { killed: 0, doubled: 0 };
export const fate: Fate = { ...goodFate };

export const runs = { begun: 0, killed: 0, doubled: 0 };

/** SQS and Lambda: receives before a message is dead, the timeout of functions and six times that. */
const maxReceives = 10;
const timeoutMs = 30_000;
const visibilityMs = 6 * timeoutMs;
/** A run dies within so many steps, each call of which is two; at its very end where it has fewer. */
const fewSteps = 8;
const manySteps = 48;

/** Runs a handler once; undefined where it died. Rejects where the handler threw. */
export async function invoke(
  functionName: string,
  handler: Handler,
  event: object,
): Promise<{ result: unknown } | undefined> {
  runs.begun++;
  let die: () => void = () => {};
  const death = new Promise<undefined>((resolve) => {
    die = () => {
      run.dead = true;
      resolve(undefined);
    };
  });
  const { random } = world();
  const isMortal = random() < fate.killed;
  let left = Math.ceil(random() * (random() < 0.5 ? fewSteps : manySteps));
  const run: Run = {
    functionName,
    startedAt: world().now,
    dead: false,
    onStep: () => {
      left--;
      if (isMortal && left === 0) die();
    },
  };
  const endsAt = world().now + timeoutMs;
  const overdue = world().after(timeoutMs, die);
  const end = world()
    .within(run, () =>
      handler(event, {
        awsRequestId: `r${runs.begun}`,
        getRemainingTimeInMillis: () => endsAt - world().now,
      }),
    )
    .then((result) => ({ result }));
  try {
    const outcome = await Promise.race([end, death]);
    if (isMortal) run.dead = true;
    return run.dead ? undefined : outcome;
  } finally {
    if (run.dead) runs.killed++;
    overdue.act = undefined;
  }
}

/** Feeds a function from a queue, with so many environments. */
export function readQueue(name: string, functionName: string, handler: Handler, concurrency: number): void {
  const queue = queueNamed(name);
  let busy = 0;
  const work = async (batch: readonly Message[]) => {
    const Records = batch.map(({ id, body }) => ({
      messageId: id,
      body,
      eventSourceARN: `arn:aws:sqs:eu-central-1:000000000000:masthead-test-${name}`,
    }));
    const end = await invoke(functionName, handler, { Records }).catch(() => undefined);
    const failed = new Set(
      end === undefined
        ? batch.map(({ id }) => id)
        : (end.result as { batchItemFailures: { itemIdentifier: string }[] }).batchItemFailures.map(
            ({ itemIdentifier }) => itemIdentifier,
          ),
    );
    for (const message of batch) {
      if (failed.has(message.id)) continue;
      message.deleted = true;
      if (world().random() < fate.doubled / 2) repeat(queue, message, world().random() * 60_000);
    }
  };
  const fill = () => {
    while (busy < concurrency && queue.ready.length > 0) {
      const batch = receive(queue);
      if (batch.length === 0) continue;
      busy++;
      void work(batch).finally(() => {
        busy--;
        fill();
      });
    }
  };
  queue.onReady = fill;
}

const receive = (queue: Queue): Message[] => {
  const batch: Message[] = [];
  while (batch.length < 10) {
    const message = queue.ready.shift();
    if (message === undefined) break;
    if (message.deleted) continue;
    message.receives++;
    if (message.receives > maxReceives) {
      queue.dead.push(message);
      continue;
    }
    if (message.receives === 1 && world().random() < fate.doubled / 2) repeat(queue, message, 0);
    show(queue, message, visibilityMs);
    batch.push(message);
  }
  return batch;
};

const repeat = (queue: Queue, { id, body }: Message, afterMs: number): void => {
  runs.doubled++;
  show(queue, { id, body, receives: 1, deleted: false }, afterMs);
};

/** Puts what is dead back into its queue; gives how many. */
export function redrive(names: readonly string[]): number {
  let count = 0;
  for (const name of names) {
    const queue = queueNamed(name);
    for (const { id, body } of queue.dead.splice(0)) {
      show(queue, { id, body, receives: 0, deleted: false }, 0);
      count++;
    }
  }
  return count;
}
