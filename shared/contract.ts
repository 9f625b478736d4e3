/**
 * The contract: every function of Masthead, one line each: where it is reached, who may call it and what it may touch.
 *
 * The CDK app makes routes, functions, event sources and IAM grants of these lines, the local stack runs the template
 * made of them, the endpoints read their own line, and tests walk over all of them. Nothing of this is declared anywhere else.
 */

/** Who may call an endpoint: a role of the staff, any of the staff, an integration's key, or everybody without a key. */
export type Caller = 'Owner' | 'Administrator' | 'staff' | 'integration' | 'anyone';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The queues; each has a dead-letter queue of the same name with `-dead` behind it. */
export type QueueName = 'mail' | 'events' | 'deliveries' | 'slow-deliveries' | 'replays' | 'deletions';

/** Beginnings of the table's partition keys. What ends in `#` is followed by an id or a hash; the others are whole keys. */
export type Partition =
  | 'WEBHOOK#'
  | 'EVENT#'
  | 'EVENT_BODY#'
  | 'LIMIT#'
  | 'REPLAY#'
  | 'ADDRESS#'
  | 'INTEGRATION#'
  | 'INTEGRATIONS'
  | 'KEY#'
  | 'INVITES'
  | 'STAFF'
  | 'ROLES';

/** Transactions are authorised as the single actions in them, batches as `BatchGetItem` and `BatchWriteItem`. */
export type TableAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'ConditionCheckItem'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'BatchWriteItem';

/** What a function may do; all that is not named here is refused by IAM, on AWS and on the local stack alike. */
export interface Access {
  /** Which actions on which partitions of the table. */
  readonly table?: Partial<Record<TableAction, readonly Partition[]>>;
  /** Whether it may query the index of what is due. */
  readonly due?: true;
  /** The queues it may send to; their URLs stand in its environment. */
  readonly send?: readonly QueueName[];
  /** Whether it may send mail from the stage's sender. */
  readonly mail?: true;
}

interface Line {
  /** Path of the file below `functions/`, without its ending. */
  readonly function: string;
  readonly access: Access;
  /** Longest run in seconds; 10 unless said otherwise. */
  readonly timeoutSeconds?: number;
  /** Memory in MiB, which also decides the share of a CPU; 512 unless said otherwise. */
  readonly memoryMb?: number;
  /**
   * Whether a new version is shifted in steps, in a stage with canary deployments: functions with so much traffic that a tenth of it
   * shows a fault within minutes. All deployments start at once, and AWS limits their rate.
   */
  readonly canary?: true;
}

export interface EndpointLine extends Line {
  readonly kind: 'endpoint';
  readonly method: Method;
  /** Below the base URL, with the trailing slash that clients may leave out; parameters in braces. */
  readonly path: string;
  readonly callers: readonly Caller[];
  /** Largest body in bytes; 64 KiB unless said otherwise. */
  readonly bodyLimit?: number;
}

export interface QueueLine extends Line {
  readonly kind: 'queue';
  /** Where its messages come from: more than one queue only where one function serves several lanes. */
  readonly sources: readonly { readonly queue: QueueName; readonly batchSize: number; readonly concurrency: number }[];
}

export interface ScheduleLine extends Line {
  readonly kind: 'schedule';
  readonly everyMinutes: number;
}

/** Fed by EventBridge with what SES says of the stage's mails after it has taken them. */
export interface BusLine extends Line {
  readonly kind: 'bus';
  /** `detail-type` of the events, as AWS names them. */
  readonly detailTypes: readonly string[];
}

/** Answers whatever no endpoint answers: 404, 405 with `Allow`, and CORS preflight. */
export interface FallbackLine extends Line {
  readonly kind: 'fallback';
}

/** Has no trigger: it is invoked by whoever runs the stage. */
export interface CommandLine extends Line {
  readonly kind: 'command';
}

export type ContractLine = EndpointLine | QueueLine | ScheduleLine | BusLine | FallbackLine | CommandLine;

/** What checking an API key takes; part of every endpoint that is not for anyone. */
const authentication = ['KEY#', 'STAFF'] as const;

/** What accepting an invitation takes, over the API and on the page alike. */
const accepting = {
  table: {
    GetItem: ['INVITES', 'ADDRESS#'],
    PutItem: ['ADDRESS#', 'STAFF'],
    UpdateItem: ['INVITES', 'STAFF'],
  },
  send: ['events'],
} as const satisfies Access;

export const contract = [
  {
    kind: 'endpoint',
    function: 'webhooks/create',
    canary: true,
    method: 'POST',
    path: '/admin/webhooks/',
    callers: ['Owner', 'Administrator', 'integration'],
    access: {
      table: {
        GetItem: [...authentication, 'WEBHOOK#'],
        PutItem: ['WEBHOOK#', 'EVENT#', 'INTEGRATION#'],
        ConditionCheckItem: ['INTEGRATION#'],
      },
    },
  },
  {
    kind: 'endpoint',
    function: 'webhooks/update',
    method: 'PUT',
    path: '/admin/webhooks/{id}/',
    callers: ['Owner', 'Administrator', 'integration'],
    access: {
      table: {
        GetItem: [...authentication, 'WEBHOOK#'],
        Query: ['WEBHOOK#'],
        PutItem: ['EVENT#'],
        UpdateItem: ['WEBHOOK#'],
        DeleteItem: ['EVENT#'],
      },
    },
  },
  {
    kind: 'endpoint',
    function: 'webhooks/delete',
    method: 'DELETE',
    path: '/admin/webhooks/{id}/',
    callers: ['Owner', 'Administrator', 'integration'],
    access: {
      table: { GetItem: [...authentication, 'WEBHOOK#'], DeleteItem: ['WEBHOOK#', 'EVENT#', 'INTEGRATION#'] },
    },
  },
  {
    kind: 'endpoint',
    function: 'webhooks/ping',
    method: 'POST',
    path: '/admin/webhooks/{id}/ping/',
    callers: ['Owner', 'Administrator', 'integration'],
    access: {
      table: {
        GetItem: [...authentication, 'WEBHOOK#'],
        BatchGetItem: ['LIMIT#'],
        PutItem: ['LIMIT#', 'EVENT_BODY#', 'WEBHOOK#'],
      },
      send: ['deliveries', 'slow-deliveries'],
    },
  },
  {
    kind: 'endpoint',
    function: 'webhooks/rotate-secret',
    method: 'POST',
    path: '/admin/webhooks/{id}/secret/',
    callers: ['Owner', 'Administrator', 'integration'],
    access: { table: { GetItem: [...authentication, 'WEBHOOK#'], UpdateItem: ['WEBHOOK#'] } },
  },
  {
    kind: 'endpoint',
    function: 'webhooks/disable',
    method: 'POST',
    path: '/admin/webhooks/{id}/disable/',
    callers: ['Owner', 'Administrator', 'integration'],
    access: {
      table: { GetItem: [...authentication, 'WEBHOOK#'], Query: ['WEBHOOK#'], UpdateItem: ['WEBHOOK#'] },
    },
  },
  {
    kind: 'endpoint',
    function: 'webhooks/enable',
    method: 'POST',
    path: '/admin/webhooks/{id}/enable/',
    callers: ['Owner', 'Administrator', 'integration'],
    access: {
      table: { GetItem: [...authentication, 'WEBHOOK#'], Query: ['WEBHOOK#'], UpdateItem: ['WEBHOOK#'] },
    },
  },
  {
    kind: 'endpoint',
    function: 'deliveries/list',
    method: 'GET',
    path: '/admin/webhooks/{id}/deliveries/',
    callers: ['Owner', 'Administrator', 'integration'],
    access: { table: { GetItem: [...authentication, 'WEBHOOK#'], Query: ['WEBHOOK#'] } },
  },
  {
    kind: 'endpoint',
    function: 'deliveries/read',
    method: 'GET',
    path: '/admin/webhooks/{id}/deliveries/{delivery_id}/',
    callers: ['Owner', 'Administrator', 'integration'],
    access: { table: { GetItem: [...authentication, 'WEBHOOK#'] } },
  },
  {
    kind: 'endpoint',
    function: 'deliveries/redeliver',
    method: 'POST',
    path: '/admin/webhooks/{id}/deliveries/{delivery_id}/redeliver/',
    callers: ['Owner', 'Administrator', 'integration'],
    access: {
      table: {
        GetItem: [...authentication, 'WEBHOOK#', 'EVENT_BODY#'],
        BatchGetItem: ['LIMIT#'],
        PutItem: ['WEBHOOK#', 'LIMIT#'],
      },
      send: ['deliveries', 'slow-deliveries'],
    },
  },
  {
    kind: 'endpoint',
    function: 'replays/create',
    method: 'POST',
    path: '/admin/webhooks/{id}/replays/',
    callers: ['Owner', 'Administrator', 'integration'],
    access: {
      table: {
        GetItem: [...authentication, 'WEBHOOK#', 'REPLAY#'],
        BatchGetItem: ['LIMIT#'],
        PutItem: ['LIMIT#', 'REPLAY#'],
        UpdateItem: ['WEBHOOK#'],
      },
      send: ['replays'],
    },
  },
  {
    kind: 'endpoint',
    function: 'replays/read',
    method: 'GET',
    path: '/admin/webhooks/{id}/replays/{replay_id}/',
    callers: ['Owner', 'Administrator', 'integration'],
    access: { table: { GetItem: [...authentication, 'WEBHOOK#', 'REPLAY#'] } },
  },
  {
    kind: 'endpoint',
    function: 'roles/list',
    method: 'GET',
    path: '/admin/roles/',
    callers: ['staff', 'integration'],
    access: { table: { GetItem: authentication, Query: ['ROLES'] } },
  },
  {
    kind: 'endpoint',
    function: 'invites/create',
    canary: true,
    method: 'POST',
    path: '/admin/invites/',
    callers: ['staff', 'integration'],
    access: {
      table: {
        GetItem: authentication,
        BatchGetItem: ['ADDRESS#', 'LIMIT#'],
        Query: ['ROLES'],
        PutItem: ['INVITES', 'ADDRESS#', 'LIMIT#'],
        UpdateItem: ['INVITES'],
      },
      send: ['mail'],
    },
  },
  {
    kind: 'endpoint',
    function: 'invites/list',
    method: 'GET',
    path: '/admin/invites/',
    callers: ['staff'],
    access: { table: { GetItem: authentication, BatchGetItem: ['ADDRESS#'], Query: ['INVITES'] } },
  },
  {
    kind: 'endpoint',
    function: 'invites/read',
    method: 'GET',
    path: '/admin/invites/{id}/',
    callers: ['staff'],
    access: { table: { GetItem: [...authentication, 'INVITES'], BatchGetItem: ['ADDRESS#'] } },
  },
  {
    kind: 'endpoint',
    function: 'invites/delete',
    method: 'DELETE',
    path: '/admin/invites/{id}/',
    callers: ['staff'],
    access: {
      table: { GetItem: [...authentication, 'INVITES'], BatchGetItem: ['ADDRESS#'], UpdateItem: ['INVITES'] },
    },
  },
  {
    kind: 'endpoint',
    function: 'invites/resend',
    method: 'POST',
    path: '/admin/invites/{id}/resend/',
    callers: ['staff'],
    access: {
      table: {
        GetItem: [...authentication, 'INVITES'],
        BatchGetItem: ['ADDRESS#', 'LIMIT#'],
        PutItem: ['LIMIT#'],
        UpdateItem: ['INVITES'],
      },
      send: ['mail'],
    },
  },
  {
    kind: 'endpoint',
    function: 'invites/status',
    method: 'GET',
    path: '/admin/authentication/invitation/',
    callers: ['anyone'],
    access: { table: { GetItem: ['ADDRESS#', 'INVITES'], BatchGetItem: ['LIMIT#'], PutItem: ['LIMIT#'] } },
  },
  {
    kind: 'endpoint',
    function: 'invites/accept',
    method: 'POST',
    path: '/admin/authentication/invitation/',
    callers: ['anyone'],
    access: accepting,
  },
  {
    kind: 'endpoint',
    function: 'invites/show-page',
    method: 'GET',
    path: '/invitation/{token}/',
    callers: ['anyone'],
    access: { table: { GetItem: ['INVITES', 'ADDRESS#'] } },
  },
  {
    kind: 'endpoint',
    function: 'invites/accept-page',
    method: 'POST',
    path: '/invitation/{token}/',
    callers: ['anyone'],
    bodyLimit: 16 * 1024,
    access: accepting,
  },
  {
    kind: 'endpoint',
    function: 'events/publish',
    canary: true,
    method: 'POST',
    path: '/admin/events/',
    callers: ['Owner', 'Administrator', 'integration'],
    bodyLimit: 256 * 1024,
    access: {
      table: { GetItem: [...authentication, 'INTEGRATION#'], BatchGetItem: ['EVENT_BODY#'] },
      send: ['events'],
    },
  },
  {
    kind: 'endpoint',
    function: 'integrations/list',
    method: 'GET',
    path: '/admin/integrations/',
    callers: ['Owner', 'Administrator'],
    access: {
      table: {
        GetItem: authentication,
        BatchGetItem: ['INTEGRATION#', 'WEBHOOK#'],
        Query: ['INTEGRATIONS', 'INTEGRATION#', 'WEBHOOK#'],
      },
    },
  },
  {
    kind: 'endpoint',
    function: 'integrations/read',
    method: 'GET',
    path: '/admin/integrations/{id}/',
    callers: ['Owner', 'Administrator', 'integration'],
    access: {
      table: {
        GetItem: [...authentication, 'INTEGRATION#'],
        BatchGetItem: ['WEBHOOK#'],
        Query: ['INTEGRATION#', 'WEBHOOK#'],
      },
    },
  },
  {
    kind: 'endpoint',
    function: 'integrations/create',
    method: 'POST',
    path: '/admin/integrations/',
    callers: ['Owner', 'Administrator'],
    access: {
      table: {
        GetItem: [...authentication, 'INTEGRATION#'],
        PutItem: ['INTEGRATION#', 'INTEGRATIONS', 'KEY#'],
      },
    },
  },
  {
    kind: 'endpoint',
    function: 'integrations/update',
    method: 'PUT',
    path: '/admin/integrations/{id}/',
    callers: ['Owner', 'Administrator'],
    access: {
      table: {
        GetItem: [...authentication, 'INTEGRATION#'],
        BatchGetItem: ['WEBHOOK#'],
        Query: ['INTEGRATION#', 'WEBHOOK#'],
        UpdateItem: ['INTEGRATION#'],
      },
    },
  },
  {
    kind: 'endpoint',
    function: 'integrations/delete',
    method: 'DELETE',
    path: '/admin/integrations/{id}/',
    callers: ['Owner', 'Administrator'],
    timeoutSeconds: 20,
    access: {
      table: {
        GetItem: [...authentication, 'INTEGRATION#'],
        BatchGetItem: ['WEBHOOK#'],
        Query: ['INTEGRATION#'],
        UpdateItem: ['INTEGRATION#'],
        DeleteItem: ['INTEGRATIONS', 'INTEGRATION#', 'KEY#', 'WEBHOOK#', 'EVENT#'],
      },
      send: ['deletions'],
    },
  },
  {
    kind: 'endpoint',
    function: 'integrations/refresh-key',
    method: 'POST',
    path: '/admin/integrations/{id}/api_key/{key_id}/refresh/',
    callers: ['Owner', 'Administrator'],
    access: {
      table: {
        GetItem: [...authentication, 'INTEGRATION#'],
        Query: ['INTEGRATION#'],
        ConditionCheckItem: ['INTEGRATION#'],
        PutItem: ['INTEGRATION#', 'KEY#'],
        DeleteItem: ['INTEGRATION#', 'KEY#'],
      },
    },
  },
  {
    kind: 'endpoint',
    function: 'openapi/read',
    method: 'GET',
    path: '/admin/openapi.json/',
    callers: ['anyone'],
    access: {},
  },
  {
    kind: 'endpoint',
    function: 'openapi/page',
    method: 'GET',
    path: '/admin/docs/',
    callers: ['anyone'],
    access: {},
  },
  {
    kind: 'endpoint',
    function: 'openapi/asset',
    method: 'GET',
    path: '/admin/docs/{file}/',
    callers: ['anyone'],
    access: {},
  },
  {
    kind: 'fallback',
    function: 'fallback/answer',
    access: {},
  },
  {
    kind: 'queue',
    function: 'mail/send',
    canary: true,
    sources: [{ queue: 'mail', batchSize: 10, concurrency: 2 }],
    timeoutSeconds: 30,
    access: {
      table: {
        GetItem: ['INVITES', 'ADDRESS#', 'LIMIT#', 'WEBHOOK#', 'INTEGRATION#', 'STAFF'],
        Query: ['STAFF'],
        PutItem: ['LIMIT#'],
        UpdateItem: ['INVITES', 'WEBHOOK#'],
      },
      send: ['mail'],
      mail: true,
    },
  },
  {
    kind: 'bus',
    function: 'invites/record-feedback',
    detailTypes: ['Email Bounced', 'Email Complaint Received', 'Email Rejected', 'Email Rendering Failed'],
    access: { table: { UpdateItem: ['INVITES'] } },
  },
  {
    kind: 'queue',
    function: 'deliveries/fan-out',
    canary: true,
    sources: [{ queue: 'events', batchSize: 10, concurrency: 4 }],
    timeoutSeconds: 30,
    access: {
      table: {
        GetItem: ['EVENT_BODY#'],
        PutItem: ['EVENT_BODY#'],
        UpdateItem: ['EVENT_BODY#'],
        Query: ['EVENT#'],
      },
      send: ['events', 'deliveries', 'slow-deliveries'],
    },
  },
  {
    kind: 'queue',
    function: 'replays/run',
    sources: [{ queue: 'replays', batchSize: 1, concurrency: 2 }],
    timeoutSeconds: 30,
    access: {
      table: {
        GetItem: ['WEBHOOK#'],
        BatchGetItem: ['WEBHOOK#'],
        Query: ['WEBHOOK#'],
        PutItem: ['WEBHOOK#'],
        UpdateItem: ['REPLAY#', 'WEBHOOK#'],
      },
      send: ['replays', 'slow-deliveries'],
    },
  },
  {
    kind: 'queue',
    function: 'deliveries/deliver',
    canary: true,
    // A webhook that hangs for the first time blocks the environments that take its deliveries until it is known as slow, for ten seconds
    // each: at 10 events a second and a soft deadline of 500 ms those are 5 or 6, and the others of the lane must be enough for everyone else.
    sources: [
      { queue: 'deliveries', batchSize: 10, concurrency: 10 },
      { queue: 'slow-deliveries', batchSize: 10, concurrency: 10 },
    ],
    timeoutSeconds: 30,
    access: {
      table: {
        BatchGetItem: ['WEBHOOK#', 'EVENT_BODY#'],
        BatchWriteItem: ['WEBHOOK#'],
        PutItem: ['WEBHOOK#'],
        UpdateItem: ['WEBHOOK#', 'EVENT#'],
        DeleteItem: ['WEBHOOK#', 'EVENT#', 'INTEGRATION#'],
      },
      send: ['slow-deliveries', 'mail'],
    },
  },
  {
    kind: 'queue',
    function: 'integrations/finish-deletion',
    sources: [{ queue: 'deletions', batchSize: 1, concurrency: 2 }],
    timeoutSeconds: 60,
    access: {
      table: {
        GetItem: ['INTEGRATION#'],
        BatchGetItem: ['WEBHOOK#'],
        Query: ['INTEGRATION#'],
        DeleteItem: ['INTEGRATION#', 'KEY#', 'WEBHOOK#', 'EVENT#'],
      },
      send: ['deletions'],
    },
  },
  {
    kind: 'schedule',
    function: 'due/sweep',
    everyMinutes: 1,
    timeoutSeconds: 55,
    // One virtual CPU: each due item costs a conditional write, and signing and reading its request takes CPU time, not waiting.
    memoryMb: 1769,
    access: {
      table: {
        BatchGetItem: ['WEBHOOK#', 'STAFF'],
        UpdateItem: ['WEBHOOK#', 'INVITES', 'INTEGRATION#', 'STAFF', 'REPLAY#'],
      },
      due: true,
      send: ['mail', 'events', 'slow-deliveries', 'replays', 'deletions'],
    },
  },
  {
    kind: 'command',
    function: 'setup/seed',
    timeoutSeconds: 30,
    access: {
      table: {
        GetItem: ['ADDRESS#'],
        Query: ['STAFF'],
        ConditionCheckItem: ['INTEGRATION#', 'KEY#'],
        PutItem: ['ROLES', 'STAFF', 'ADDRESS#', 'KEY#', 'INTEGRATION#', 'INTEGRATIONS'],
      },
    },
  },
] as const satisfies readonly ContractLine[];

/** Name of a function, which is its path below `functions/`. */
export type FunctionName = (typeof contract)[number]['function'];
