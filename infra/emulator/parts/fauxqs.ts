/** Starts the SQS part: fauxqs in this process, on loopback only, in memory or with its SQLite file in a folder. */
import { DatabaseSync } from 'node:sqlite';
import { buildApp } from 'fauxqs';
// The package opens only its entry, whose start function binds all interfaces and keeps its stores to itself.
import { PersistenceManager } from '../../../node_modules/fauxqs/dist/persistence.js';
import { S3Store } from '../../../node_modules/fauxqs/dist/s3/s3Store.js';
import { SnsStore } from '../../../node_modules/fauxqs/dist/sns/snsStore.js';
import { type SqsQueue, SqsStore } from '../../../node_modules/fauxqs/dist/sqs/sqsStore.js';
import { region } from '../account.ts';
import type { Part } from './part.ts';

/** The queues of the SQS part, as they lie in this process. */
export type Queues = SqsStore;
export type Queue = SqsQueue;

export interface QueuePart extends Part {
  readonly queues: Queues;
  /** Answers one request to the part without a socket; `url` is a path. */
  readonly app: ReturnType<typeof buildApp>;
}

/**
 * Starts fauxqs on a free loopback port. With `folder` queues and messages are kept there; messages that were being
 * worked on when the last process ended are visible again, since their worker died with it.
 */
export const startFauxqs = async (options: { readonly folder?: string } = {}): Promise<QueuePart> => {
  const queues = new SqsStore();
  // Else queue URLs have a host of their own, `sqs.<region>.localhost`, which not every machine resolves.
  queues.host = '';
  const stores = { sqsStore: queues, snsStore: new SnsStore(), s3Store: new S3Store() };
  const files = options.folder === undefined ? undefined : openFiles(options.folder, stores);
  const app = buildApp({ logger: false, defaultRegion: region, stores });
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  return {
    url,
    queues,
    app,
    async stop() {
      await app.close();
      files?.close();
    },
  };
};

const openFiles = (
  folder: string,
  stores: { readonly sqsStore: SqsStore; readonly snsStore: SnsStore; readonly s3Store: S3Store },
): PersistenceManager => {
  const files = new PersistenceManager(folder);
  // Its database waits for the disk after every message. A process that is killed loses nothing without that either.
  const database: unknown = Reflect.get(files, 'db');
  if (database instanceof DatabaseSync) database.exec('PRAGMA synchronous = NORMAL');
  // fauxqs 2.4.1 writes NULL where the table takes none, and throws. What the file holds as received is visible again after
  // the next start anyway.
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
