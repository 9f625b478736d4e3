/** The SQS part: fauxqs in this process, without a port, in memory or with its SQLite file in a folder. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { buildApp } from 'fauxqs';
import * as v from 'valibot';
// The package exports only its entry, whose start function binds all interfaces and does not expose its stores.
import { SqsError } from '../../../node_modules/fauxqs/dist/common/errors.js';
import { PersistenceManager } from '../../../node_modules/fauxqs/dist/persistence.js';
import { S3Store } from '../../../node_modules/fauxqs/dist/s3/s3Store.js';
import { SnsStore } from '../../../node_modules/fauxqs/dist/sns/snsStore.js';
import { getQueueAttributes } from '../../../node_modules/fauxqs/dist/sqs/actions/getQueueAttributes.js';
import { sendMessageBatch } from '../../../node_modules/fauxqs/dist/sqs/actions/sendMessageBatch.js';
import { type SqsQueue, SqsStore } from '../../../node_modules/fauxqs/dist/sqs/sqsStore.js';
import { region } from '../account.ts';
import { checkFile } from './sqlite-file.ts';

/** The queues of the SQS part, in this process. */
export type Queues = SqsStore;
export type Queue = SqsQueue;

export interface QueuePart {
  readonly queues: Queues;
  /** Answers an action that functions use; undefined for any other. */
  answer(action: string, input: unknown): Answer | undefined;
  /** Returns fauxqs's server, which answers all actions and listens on no port. Loaded when an operator needs it. */
  app(): Promise<Server>;
  stop(): Promise<void>;
}

type Server = Awaited<ReturnType<typeof buildApp>>;

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The actions that functions use; the server would take longer for them. */
const actions = new Map<string, (input: Record<string, unknown>, queues: Queues) => object>([
  ['SendMessageBatch', sendMessageBatch],
  ['GetQueueAttributes', getQueueAttributes],
]);

const fields = v.record(v.string(), v.unknown());

const answerWith = (status: number, body: object, headers: Answer['headers'] = {}): Answer => ({
  status,
  headers: { 'content-type': 'application/x-amz-json-1.0', ...headers },
  body: JSON.stringify(body),
});

/**
 * Starts fauxqs. With `folder`, it stores queues and messages there. Messages in flight when the last process ended
 * are visible again, because their worker ended with it.
 * @throws PartMissingError if the file is damaged
 */
export const startFauxqs = (options: { readonly folder?: string } = {}): QueuePart => {
  const queues = new SqsStore();
  queues.region = region;
  // Otherwise queue URLs have the host `sqs.<region>.localhost`, which not every machine resolves.
  queues.host = '';
  const stores = { sqsStore: queues, snsStore: new SnsStore(), s3Store: new S3Store() };
  const files = options.folder === undefined ? undefined : openFiles(options.folder, stores);
  let server: Promise<Server> | undefined;
  return {
    queues,
    answer(action, input) {
      const act = actions.get(action);
      if (act === undefined) return undefined;
      try {
        return answerWith(200, act(v.parse(fields, input), queues));
      } catch (error) {
        if (!(error instanceof SqsError)) throw error;
        return answerWith(error.statusCode, error, { 'x-amzn-query-error': error.queryErrorHeader });
      }
    },
    app() {
      server ??= import('fauxqs').then(({ buildApp }) => buildApp({ logger: false, defaultRegion: region, stores }));
      return server;
    },
    async stop() {
      await (await server)?.close();
      queues.shutdown();
      files?.close();
    },
  };
};

const openFiles = (
  folder: string,
  stores: { readonly sqsStore: SqsStore; readonly snsStore: SnsStore; readonly s3Store: S3Store },
): PersistenceManager => {
  checkFile(join(folder, 'fauxqs.db'));
  const files = new PersistenceManager(folder);
  // By default SQLite waits for the disk after every message. Without that, a killed process still loses nothing.
  const database: unknown = Reflect.get(files, 'db');
  if (database instanceof DatabaseSync) database.exec('PRAGMA synchronous = NORMAL');
  // fauxqs 2.4.1 writes NULL into a NOT NULL column and throws. After a start, received messages are visible anyway.
  files.updateMessageReady = () => {};
  files.load(stores.sqsStore, stores.snsStore, stores.s3Store);
  stores.sqsStore.persistence = files;
  for (const queue of stores.sqsStore.allQueues()) {
    queue.persistence = files;
    for (const inFlight of queue.inflightMessages.values()) inFlight.visibilityDeadline = 0;
    queue.processTimers();
  }
  return files;
};
