/**
 * The contract: every function of Masthead with its route or trigger, its callers and its access. The CDK app derives
 * routes, functions, event sources and IAM grants from it; endpoints and tests read it too.
 */

/** Roles that endpoints name as callers; all others are `staff`. */
export const namedRoles = ['Owner', 'Administrator', 'Super Editor', 'Editor'] as const;

/** Who can call an endpoint: a role of staff members, any staff member, an integration, or any client without a key. */
export type Caller = (typeof namedRoles)[number] | 'staff' | 'integration' | 'anyone';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The queues; each has a dead-letter queue, whose name ends in `-dead`. */
export const queueNames = ['mail', 'events', 'replays', 'deliveries', 'slow-deliveries', 'deletions'] as const;
export type QueueName = (typeof queueNames)[number];
export type DeadQueueName = `${QueueName}-dead`;

/** The queues whose messages are stored with the change that causes them. Who may store one may also send it. */
export type OutboxQueue = Extract<QueueName, 'events' | 'mail'>;
type OutboxPartition = `OUTBOX#${OutboxQueue}#`;

/** Prefixes of partition keys (docs/architecture.md, "The table"). An id or a hash follows a `#`; others are whole. */
export type Partition =
  | 'WEBHOOK#'
  | 'OPTIONS#'
  | 'EVENT#'
  | 'EVENT_BODY#'
  | OutboxPartition
  | 'AUDIT#'
  | 'LIMIT#'
  | 'STATS#'
  | 'REPLAY#'
  | 'ADDRESS#'
  | 'INTEGRATION#'
  | 'INTEGRATIONS'
  | 'RELAY#'
  | 'MOVE'
  | 'KEY#'
  | 'INVITES'
  | 'IDEMPOTENCY#'
  | 'STAFF'
  | 'SESSION#'
  | 'SIGN_IN#'
  | 'BROWSER#'
  | 'USED#'
  | 'ROLES';

/** The table's indexes. An item is in one if it has its partition key, the index's name; the time is `<name>_at`. */
export const tableIndexes = ['due', 'undelivered', 'requested'] as const;
export type TableIndex = (typeof tableIndexes)[number];

/** IAM authorises a transaction by the actions in it, and a batch as `BatchGetItem` or `BatchWriteItem`. */
export type TableAction =
  | 'GetItem'
  | 'BatchGetItem'
  | 'Query'
  | 'ConditionCheckItem'
  | 'PutItem'
  | 'UpdateItem'
  | 'DeleteItem'
  | 'BatchWriteItem';

/** What a function may do. IAM denies all else, on AWS and locally. */
export interface Access {
  readonly table?: Partial<Record<TableAction, readonly Partition[]>>;
  readonly indexes?: readonly TableIndex[];
  /** The queues it may send to; their URLs are in its environment. */
  readonly send?: readonly QueueName[];
  /** The queues whose length it may read; their URLs are in its environment. */
  readonly measure?: readonly (QueueName | DeadQueueName)[];
  readonly mail?: true;
}

/** The memory in MiB of functions whose line states none (lab/README.md). */
export const defaultMemoryMb = 512;

interface FunctionLine {
  /** Path of the file below `functions/`, without its extension. */
  readonly function: string;
  readonly access: Access;
  /** Timeout in seconds. Default: 10. */
  readonly timeoutSeconds?: number;
  /** Whether it posts to receivers, from the fixed addresses of a stage that has some. */
  readonly reachesReceivers?: true;
  /** Memory in MiB, which also sets the share of a CPU. Default: `defaultMemoryMb`. */
  readonly memoryMb?: number;
  /**
   * Whether canary deployments shift its traffic in steps: for functions so busy that a tenth reveals a fault within
   * minutes. An endpoint that gets the flag later answers 503 during that deployment, until its alias exists.
   */
  readonly canary?: true;
}

export interface EndpointLine extends FunctionLine {
  readonly kind: 'endpoint';
  readonly method: Method;
  /** Below the base URL, with a trailing slash that clients may omit; parameters in braces. */
  readonly path: string;
  readonly callers: readonly Caller[];
  /** Maximum size of the body in bytes. Default: 64 KiB. */
  readonly bodyLimit?: number;
  /** Whether a signature over the body authenticates its requests. The limits for strangers then don't apply. */
  readonly signed?: true;
  /** Whether a mailed link's token authenticates its requests. A source that sends too many dead ones is refused. */
  readonly link?: true;
}

export interface QueueLine extends FunctionLine {
  readonly kind: 'queue';
  /** The queues it reads: more than one only if one function serves several lanes. */
  readonly sources: readonly { readonly queue: QueueName; readonly batchSize: number; readonly concurrency: number }[];
}

export interface ScheduleLine extends FunctionLine {
  readonly kind: 'schedule';
  readonly everyMinutes: number;
}

/** Invoked by EventBridge with the events of SES about the stage's mails. */
export interface BusLine extends FunctionLine {
  readonly kind: 'bus';
  readonly detailTypes: readonly string[];
}

/** Answers requests that match no endpoint: 404, 405 with `Allow`, and CORS preflight. */
export interface FallbackLine extends FunctionLine {
  readonly kind: 'fallback';
}

/** Has no trigger: the operator of the stage invokes it. */
export interface CommandLine extends FunctionLine {
  readonly kind: 'command';
}

export type ContractLine = EndpointLine | QueueLine | ScheduleLine | BusLine | FallbackLine | CommandLine;

type EndpointAccess = Pick<Access, 'table' | 'indexes' | 'send' | 'measure'> &
  Omit<EndpointLine, 'kind' | 'function' | 'method' | 'path' | 'callers' | 'access'> & {
    /** The queues whose messages it stores with a change, sends, and deletes when they are sent. */
    readonly outbox?: readonly OutboxQueue[];
  };

/** The partitions of inviters: an invite is valid only while its inviter may assign its role. */
const ofInviters = ['STAFF', 'INTEGRATION#'] as const;

const outbox = ['OUTBOX#events#', 'OUTBOX#mail#'] as const satisfies readonly Partition[];

const accepting = {
  table: {
    GetItem: ['INVITES'],
    BatchGetItem: ['ADDRESS#', ...ofInviters],
    PutItem: ['ADDRESS#', 'STAFF', 'AUDIT#'],
    UpdateItem: ['INVITES'],
    ConditionCheckItem: ofInviters,
  },
  outbox: ['events'],
} as const satisfies EndpointAccess;

const settingStatus = {
  table: {
    GetItem: ['WEBHOOK#'],
    Query: ['WEBHOOK#'],
    PutItem: ['AUDIT#'],
    UpdateItem: ['WEBHOOK#', 'EVENT#', 'INTEGRATION#'],
  },
  outbox: ['events'],
} as const satisfies EndpointAccess;

const ofBrowser = ['SESSION#', 'STAFF'] as const;

const signingIn = {
  table: {
    GetItem: ['SIGN_IN#', 'STAFF'],
    PutItem: ['SESSION#', 'BROWSER#', 'AUDIT#', 'ADDRESS#'],
    UpdateItem: ['STAFF', 'SIGN_IN#'],
    DeleteItem: ['ADDRESS#'],
    ConditionCheckItem: ['STAFF'],
  },
  outbox: ['mail'],
} as const satisfies EndpointAccess;

/** Access that accepting events needs: their fan-outs begin at once (docs/adr/0017-fan-outs-begin-directly.md). */
const acceptingEvents = {
  table: {
    Query: ['EVENT#'],
    BatchGetItem: ['EVENT_BODY#'],
    PutItem: ['EVENT_BODY#'],
    BatchWriteItem: ['EVENT_BODY#'],
    UpdateItem: ['LIMIT#', 'STATS#'],
  },
  send: ['events', 'deliveries'],
} as const satisfies Access;

const readingMoves = {
  GetItem: ['INTEGRATION#'],
  BatchGetItem: ['WEBHOOK#'],
  Query: ['MOVE'],
} as const satisfies Access['table'];

/** Memory of endpoints with many AWS calls: with 512 MB, their first request took over 500 ms (lab/README.md). */
const memoryForManyCalls = 768;

/** Memory of the endpoint that takes the largest bodies: time matters most there, because Ghost waits two seconds. */
const memoryForLargeBodies = 1769;

/** Callers of endpoints on which integrations manage their own resources. */
const managers = ['Owner', 'Administrator', 'integration'] as const;
const administrators = ['Owner', 'Administrator'] as const;
/** The staff who can assign at least one role (docs/compatibility.md, "Roles"). */
const inviters = ['Owner', 'Administrator', 'Super Editor', 'Editor'] as const;

/** Returns an endpoint's line. Unless anyone may call it, its access includes the check of keys and sessions. */
const endpoint = <const Name extends string>(
  name: Name,
  route: `${Method} /${string}`,
  callers: readonly Caller[],
  {
    table: { GetItem = [], PutItem = [], DeleteItem = [], ...table } = {},
    outbox = [],
    indexes,
    send = [],
    measure,
    ...settings
  }: EndpointAccess = {},
) => {
  const [method, path] = route.split(' ') as [Method, string];
  const isOpen = callers.includes('anyone');
  const read: readonly Partition[] = isOpen ? GetItem : ['KEY#', 'SESSION#', 'STAFF', ...GetItem];
  const stored = outbox.map((queue): Partition => `OUTBOX#${queue}#`);
  const written: readonly Partition[] = [...(isOpen ? PutItem : ['USED#' as const, ...PutItem]), ...stored];
  const deleted = [...DeleteItem, ...stored];
  const sent = [...outbox, ...send];
  const access: Access = {
    ...(read.length > 0 && {
      table: {
        GetItem: read,
        ...(written.length > 0 && { PutItem: written }),
        ...table,
        ...(deleted.length > 0 && { DeleteItem: deleted }),
      },
    }),
    ...(indexes && { indexes }),
    ...(sent.length > 0 && { send: sent }),
    ...(measure && { measure }),
  };
  return {
    kind: 'endpoint',
    function: name,
    method,
    path,
    callers,
    access,
    ...settings,
  } as const satisfies EndpointLine;
};

const lines = [
  endpoint('webhooks/create', 'POST /admin/webhooks/', managers, {
    table: {
      GetItem: ['WEBHOOK#'],
      BatchGetItem: ['INTEGRATION#', 'EVENT#', 'WEBHOOK#'],
      Query: ['INTEGRATION#', 'EVENT#'],
      PutItem: ['WEBHOOK#', 'OPTIONS#', 'EVENT#', 'INTEGRATION#', 'INTEGRATIONS', 'AUDIT#'],
      UpdateItem: ['INTEGRATION#', 'INTEGRATIONS'],
      // A webhook that the new one replaces.
      DeleteItem: ['WEBHOOK#', 'OPTIONS#', 'EVENT#', 'INTEGRATION#'],
      ConditionCheckItem: ['INTEGRATION#'],
    },
    canary: true,
  }),
  endpoint('webhooks/update', 'PUT /admin/webhooks/{id}/', managers, {
    table: {
      GetItem: ['WEBHOOK#'],
      BatchGetItem: ['INTEGRATION#', 'OPTIONS#'],
      Query: ['WEBHOOK#', 'EVENT#'],
      PutItem: ['EVENT#', 'OPTIONS#', 'AUDIT#'],
      UpdateItem: ['WEBHOOK#', 'INTEGRATION#'],
      DeleteItem: ['EVENT#', 'OPTIONS#'],
    },
    outbox: ['events'],
  }),
  endpoint('webhooks/read-options', 'GET /admin/webhooks/{id}/options/', managers, {
    table: { GetItem: ['WEBHOOK#'], BatchGetItem: ['OPTIONS#'] },
  }),
  endpoint('webhooks/update-options', 'PUT /admin/webhooks/{id}/options/', managers, {
    table: {
      GetItem: ['WEBHOOK#'],
      BatchGetItem: ['OPTIONS#'],
      PutItem: ['OPTIONS#', 'AUDIT#'],
      UpdateItem: ['WEBHOOK#'],
      DeleteItem: ['OPTIONS#'],
    },
  }),
  endpoint('webhooks/preview', 'POST /admin/webhooks/preview/', managers, {
    table: {
      GetItem: ['WEBHOOK#'],
      BatchGetItem: ['INTEGRATION#', 'OPTIONS#', 'EVENT_BODY#', 'LIMIT#'],
      PutItem: ['LIMIT#'],
      Query: ['INTEGRATIONS', 'INTEGRATION#', 'WEBHOOK#'],
    },
  }),
  endpoint('webhooks/delete', 'DELETE /admin/webhooks/{id}/', managers, {
    table: {
      PutItem: ['AUDIT#'],
      GetItem: ['WEBHOOK#'],
      DeleteItem: ['WEBHOOK#', 'OPTIONS#', 'EVENT#', 'INTEGRATION#'],
    },
  }),
  endpoint('webhooks/rotate-secret', 'POST /admin/webhooks/{id}/secret/', managers, {
    table: { PutItem: ['AUDIT#'], GetItem: ['WEBHOOK#'], UpdateItem: ['WEBHOOK#'] },
  }),
  endpoint('webhooks/disable', 'POST /admin/webhooks/{id}/disable/', managers, settingStatus),
  endpoint('webhooks/enable', 'POST /admin/webhooks/{id}/enable/', managers, settingStatus),
  endpoint('deliveries/list', 'GET /admin/webhooks/{id}/deliveries/', managers, {
    table: { GetItem: ['WEBHOOK#'], Query: ['WEBHOOK#'], BatchGetItem: ['WEBHOOK#'], UpdateItem: ['LIMIT#'] },
    indexes: ['undelivered'],
  }),
  endpoint('deliveries/list-all', 'GET /admin/deliveries/', managers, {
    table: {
      GetItem: ['WEBHOOK#'],
      BatchGetItem: ['EVENT_BODY#', 'WEBHOOK#', 'OPTIONS#'],
      Query: ['INTEGRATIONS', 'INTEGRATION#', 'WEBHOOK#', 'STAFF', 'AUDIT#'],
      UpdateItem: ['LIMIT#'],
    },
    indexes: ['undelivered', 'requested'],
    timeoutSeconds: 20,
    // One virtual CPU: a query costs 0.6 ms, and without a filter there is one per webhook that the caller can see.
    memoryMb: 1769,
  }),
  endpoint('deliveries/read', 'GET /admin/webhooks/{id}/deliveries/{delivery_id}/', managers, {
    table: { GetItem: ['WEBHOOK#'], BatchGetItem: ['INTEGRATION#', 'EVENT_BODY#', 'OPTIONS#', 'WEBHOOK#'] },
  }),
  endpoint('deliveries/redeliver', 'POST /admin/webhooks/{id}/deliveries/{delivery_id}/redeliver/', managers, {
    table: {
      GetItem: ['WEBHOOK#', 'EVENT_BODY#'],
      BatchGetItem: ['LIMIT#'],
      PutItem: ['WEBHOOK#', 'LIMIT#', 'AUDIT#'],
      UpdateItem: ['WEBHOOK#'],
    },
    send: ['deliveries', 'slow-deliveries'],
  }),
  endpoint('webhooks/ping', 'POST /admin/webhooks/{id}/ping/', managers, {
    table: {
      GetItem: ['WEBHOOK#'],
      BatchGetItem: ['LIMIT#'],
      Query: ['WEBHOOK#'],
      PutItem: ['LIMIT#', 'EVENT_BODY#', 'WEBHOOK#', 'AUDIT#'],
    },
    send: ['deliveries', 'slow-deliveries'],
  }),
  endpoint('webhooks/try-filter', 'POST /admin/webhooks/{id}/trial/', managers, {
    table: {
      GetItem: ['WEBHOOK#'],
      BatchGetItem: ['INTEGRATION#', 'OPTIONS#', 'EVENT_BODY#', 'LIMIT#'],
      PutItem: ['LIMIT#'],
      Query: ['WEBHOOK#'],
    },
  }),
  endpoint('replays/create', 'POST /admin/webhooks/{id}/replays/', managers, {
    table: {
      GetItem: ['WEBHOOK#', 'REPLAY#'],
      BatchGetItem: ['LIMIT#'],
      PutItem: ['LIMIT#', 'REPLAY#', 'AUDIT#'],
      UpdateItem: ['WEBHOOK#'],
    },
    send: ['replays'],
  }),
  endpoint('replays/read', 'GET /admin/webhooks/{id}/replays/{replay_id}/', managers, {
    table: { GetItem: ['WEBHOOK#', 'REPLAY#'] },
  }),
  endpoint('recoveries/create', 'POST /admin/recoveries/', managers, {
    table: {
      GetItem: ['WEBHOOK#', 'REPLAY#'],
      BatchGetItem: ['LIMIT#', 'WEBHOOK#', 'REPLAY#'],
      Query: ['INTEGRATIONS', 'INTEGRATION#', 'WEBHOOK#'],
      PutItem: ['LIMIT#', 'REPLAY#', 'AUDIT#'],
      UpdateItem: ['WEBHOOK#'],
    },
    indexes: ['undelivered'],
    send: ['replays'],
    timeoutSeconds: 20,
    // As `deliveries/list-all`: queries for each webhook that the caller can see.
    memoryMb: 1769,
  }),
  endpoint('recoveries/read', 'GET /admin/recoveries/{id}/', managers, {
    table: { GetItem: ['REPLAY#'], BatchGetItem: ['REPLAY#'] },
  }),
  endpoint('stats/read', 'GET /admin/stats/', administrators, {
    table: { Query: ['STATS#'] },
    measure: queueNames.map((queue): DeadQueueName => `${queue}-dead`),
  }),
  endpoint('overview/read', 'GET /admin/overview/', administrators, {
    table: {
      BatchGetItem: ['ADDRESS#', ...ofInviters, 'WEBHOOK#', 'USED#'],
      Query: ['STATS#', 'INTEGRATIONS', 'INTEGRATION#', 'WEBHOOK#', 'RELAY#', 'INVITES', 'STAFF'],
    },
    indexes: ['undelivered'],
    measure: queueNames.map((queue): DeadQueueName => `${queue}-dead`),
    memoryMb: memoryForManyCalls,
  }),
  endpoint('roles/list', 'GET /admin/roles/', ['staff', 'integration'], { table: { Query: ['ROLES'] } }),
  endpoint('invites/create', 'POST /admin/invites/', [...inviters, 'integration'], {
    table: {
      BatchGetItem: ['ADDRESS#', ...ofInviters, 'LIMIT#', 'INVITES'],
      GetItem: ['IDEMPOTENCY#', 'LIMIT#'],
      Query: ['ROLES', 'INVITES'],
      PutItem: ['INVITES', 'ADDRESS#', 'LIMIT#', 'IDEMPOTENCY#'],
      UpdateItem: ['INVITES'],
    },
    send: ['mail'],
    canary: true,
    memoryMb: memoryForManyCalls,
  }),
  endpoint('invites/list', 'GET /admin/invites/', inviters, {
    table: { BatchGetItem: ['ADDRESS#', ...ofInviters], Query: ['INVITES'] },
  }),
  endpoint('invites/read', 'GET /admin/invites/{id}/', inviters, {
    table: { GetItem: ['INVITES'], BatchGetItem: ['ADDRESS#', ...ofInviters] },
  }),
  endpoint('invites/delete', 'DELETE /admin/invites/{id}/', inviters, {
    table: {
      PutItem: ['AUDIT#'],
      GetItem: ['INVITES'],
      BatchGetItem: ['ADDRESS#', ...ofInviters],
      UpdateItem: ['INVITES'],
    },
  }),
  endpoint('invites/resend', 'POST /admin/invites/{id}/resend/', inviters, {
    table: {
      GetItem: ['INVITES', 'LIMIT#'],
      Query: ['INVITES'],
      BatchGetItem: ['ADDRESS#', ...ofInviters, 'LIMIT#'],
      PutItem: ['LIMIT#', 'AUDIT#'],
      UpdateItem: ['INVITES', 'ADDRESS#'],
    },
    send: ['mail'],
    memoryMb: memoryForManyCalls,
  }),
  endpoint('invites/status', 'GET /admin/authentication/invitation/', ['anyone'], {
    table: {
      GetItem: ['ADDRESS#', 'INVITES'],
      BatchGetItem: ['ADDRESS#', ...ofInviters, 'LIMIT#'],
      PutItem: ['LIMIT#'],
    },
  }),
  endpoint('invites/accept', 'POST /admin/authentication/invitation/', ['anyone'], { ...accepting, link: true }),
  endpoint('invites/show-page', 'GET /invitation/{token}/', ['anyone'], {
    table: { GetItem: ['INVITES', ...ofBrowser], BatchGetItem: ['ADDRESS#', ...ofInviters] },
    link: true,
  }),
  endpoint('invites/accept-page', 'POST /invitation/{token}/', ['anyone'], {
    ...accepting,
    table: {
      ...accepting.table,
      GetItem: [...accepting.table.GetItem, ...ofBrowser],
      PutItem: [...accepting.table.PutItem, 'SESSION#', 'BROWSER#'],
      UpdateItem: [...accepting.table.UpdateItem, 'ADDRESS#'],
    },
    send: ['mail'],
    bodyLimit: 16 * 1024,
    link: true,
  }),
  endpoint('sessions/request', 'POST /admin/session/', ['anyone'], {
    table: { GetItem: ['ADDRESS#', 'BROWSER#'], BatchGetItem: ['LIMIT#'], PutItem: ['LIMIT#'] },
    send: ['mail'],
  }),
  endpoint('sessions/create', 'PUT /admin/session/', ['anyone'], { ...signingIn, link: true }),
  endpoint('sessions/show-page', 'GET /sign-in/{token}/', ['anyone'], {
    table: { GetItem: ['SIGN_IN#', 'STAFF', 'INTEGRATION#'] },
    link: true,
  }),
  endpoint('sessions/create-on-page', 'POST /sign-in/{token}/', ['anyone'], {
    ...signingIn,
    table: {
      ...signingIn.table,
      GetItem: [...signingIn.table.GetItem, 'SESSION#', 'INTEGRATION#'],
      UpdateItem: [...signingIn.table.UpdateItem, 'INTEGRATION#'],
    },
    bodyLimit: 16 * 1024,
    link: true,
  }),
  endpoint('sessions/list', 'GET /admin/session/', ['staff'], {
    table: { BatchGetItem: ['USED#'], Query: ['SESSION#'] },
  }),
  endpoint('sessions/end-current', 'DELETE /admin/session/', ['staff'], {
    table: { PutItem: ['AUDIT#'], DeleteItem: ['SESSION#'] },
  }),
  endpoint('sessions/end', 'DELETE /admin/session/{id}/', ['staff'], {
    table: { PutItem: ['AUDIT#'], DeleteItem: ['SESSION#'] },
  }),
  endpoint('users/list-sessions', 'GET /admin/users/{id}/sessions/', administrators, {
    table: { BatchGetItem: ['USED#'], Query: ['SESSION#'] },
  }),
  endpoint('users/end-session', 'DELETE /admin/users/{id}/sessions/{session_id}/', administrators, {
    table: { PutItem: ['AUDIT#'], DeleteItem: ['SESSION#'] },
  }),
  endpoint('users/list', 'GET /admin/users/', administrators, {
    table: { BatchGetItem: ['USED#'], Query: ['STAFF', 'ROLES'] },
  }),
  endpoint('users/read', 'GET /admin/users/{id}/', ['staff'], {
    table: { BatchGetItem: ['USED#'], Query: ['ROLES'] },
  }),
  endpoint('users/read-by-email', 'GET /admin/users/email/{address}/', administrators, {
    table: { GetItem: ['ADDRESS#'], BatchGetItem: ['USED#'], Query: ['ROLES'] },
  }),
  endpoint('users/read-by-slug', 'GET /admin/users/slug/{member_slug}/', administrators, {
    table: { BatchGetItem: ['USED#'], Query: ['STAFF', 'ROLES'] },
  }),
  endpoint('users/update', 'PUT /admin/users/{id}/', ['staff'], {
    table: {
      BatchGetItem: ['USED#'],
      Query: ['ROLES'],
      UpdateItem: ['STAFF'],
      PutItem: ['AUDIT#'],
    },
    outbox: ['events'],
  }),
  endpoint('users/change-email', 'POST /admin/users/{id}/email/', ['staff'], {
    table: {
      GetItem: ['ADDRESS#'],
      BatchGetItem: ['LIMIT#'],
      UpdateItem: ['STAFF'],
      PutItem: ['AUDIT#', 'LIMIT#'],
    },
    outbox: ['mail'],
  }),
  endpoint('users/hand-over', 'PUT /admin/users/owner/', ['Owner'], {
    table: {
      BatchGetItem: ['USED#'],
      Query: ['STAFF'],
      UpdateItem: ['STAFF'],
      PutItem: ['AUDIT#'],
    },
    outbox: ['events', 'mail'],
  }),
  endpoint('users/delete', 'DELETE /admin/users/{id}/', administrators, {
    table: { PutItem: ['AUDIT#'], DeleteItem: ['STAFF', 'ADDRESS#', 'KEY#'] },
    outbox: ['events'],
    memoryMb: memoryForManyCalls,
  }),
  endpoint('users/renew-token', 'PUT /admin/users/{id}/token/', ['staff'], {
    table: {
      BatchGetItem: ['LIMIT#'],
      PutItem: ['KEY#', 'AUDIT#', 'LIMIT#'],
      UpdateItem: ['STAFF'],
      DeleteItem: ['KEY#'],
    },
    outbox: ['mail'],
  }),
  endpoint('audit/list', 'GET /admin/audit/', administrators, {
    table: { Query: ['AUDIT#', 'INVITES'], BatchGetItem: ['INTEGRATION#'] },
  }),
  endpoint('events/publish', 'POST /admin/events/', managers, {
    table: { GetItem: ['INTEGRATION#'], ...acceptingEvents.table },
    send: acceptingEvents.send,
    canary: true,
    bodyLimit: 1024 * 1024,
  }),
  endpoint('integrations/create', 'POST /admin/integrations/', administrators, {
    table: {
      GetItem: ['INTEGRATION#'],
      Query: ['INTEGRATIONS'],
      PutItem: ['INTEGRATION#', 'INTEGRATIONS', 'KEY#', 'AUDIT#'],
      UpdateItem: ['INTEGRATIONS'],
    },
    outbox: ['mail'],
  }),
  endpoint('integrations/list', 'GET /admin/integrations/', administrators, {
    table: {
      BatchGetItem: ['USED#', 'INTEGRATION#', 'WEBHOOK#'],
      Query: ['INTEGRATIONS', 'INTEGRATION#', 'WEBHOOK#'],
    },
  }),
  endpoint('integrations/read', 'GET /admin/integrations/{id}/', managers, {
    table: {
      GetItem: ['INTEGRATION#'],
      BatchGetItem: ['USED#', 'WEBHOOK#'],
      Query: ['INTEGRATION#', 'WEBHOOK#'],
    },
  }),
  endpoint('integrations/update', 'PUT /admin/integrations/{id}/', administrators, {
    table: {
      PutItem: ['AUDIT#'],
      GetItem: ['INTEGRATION#'],
      BatchGetItem: ['USED#', 'WEBHOOK#'],
      Query: ['INTEGRATION#', 'WEBHOOK#'],
      UpdateItem: ['INTEGRATION#'],
    },
    outbox: ['mail'],
  }),
  endpoint('integrations/delete', 'DELETE /admin/integrations/{id}/', administrators, {
    table: {
      PutItem: ['AUDIT#'],
      GetItem: ['INTEGRATION#'],
      BatchGetItem: ['WEBHOOK#'],
      Query: ['INTEGRATION#'],
      UpdateItem: ['INTEGRATION#'],
      DeleteItem: ['INTEGRATIONS', 'INTEGRATION#', 'KEY#', 'WEBHOOK#', 'OPTIONS#', 'EVENT#'],
      ConditionCheckItem: ['MOVE'],
    },
    send: ['deletions'],
    timeoutSeconds: 20,
  }),
  endpoint('integrations/refresh-key', 'POST /admin/integrations/{id}/api_key/{key_id}/refresh/', administrators, {
    table: {
      GetItem: ['INTEGRATION#'],
      BatchGetItem: ['USED#'],
      Query: ['INTEGRATION#'],
      ConditionCheckItem: ['INTEGRATION#'],
      PutItem: ['INTEGRATION#', 'KEY#', 'AUDIT#'],
      UpdateItem: ['INTEGRATION#', 'KEY#'],
      DeleteItem: ['INTEGRATION#', 'KEY#'],
    },
  }),
  endpoint('site/read', 'GET /admin/site/', ['anyone']),
  endpoint('config/read', 'GET /admin/config/', ['staff', 'integration']),
  endpoint('integrations/replace-inbound-secret', 'POST /admin/integrations/{id}/inbound_secret/', administrators, {
    table: { GetItem: ['INTEGRATION#'], PutItem: ['AUDIT#'], UpdateItem: ['INTEGRATION#', 'RELAY#'] },
  }),
  endpoint('inbound/ghost', 'POST /inbound/ghost/{integration_id}/{event}/', ['anyone'], {
    table: {
      GetItem: ['INTEGRATION#'],
      ...acceptingEvents.table,
      UpdateItem: ['INTEGRATION#', ...acceptingEvents.table.UpdateItem, 'RELAY#'],
    },
    send: acceptingEvents.send,
    // 0.4 MB of HTML makes a post of 1.7 MB. Lambda's 6 MiB are for the whole event, with an escaped body.
    bodyLimit: 6 * 1024 * 1024,
    memoryMb: memoryForLargeBodies,
    signed: true,
  }),
  endpoint('relays/list', 'GET /admin/relays/', administrators, {
    table: { BatchGetItem: ['INTEGRATION#'], Query: ['INTEGRATIONS', 'RELAY#'] },
  }),
  endpoint('relays/update', 'PUT /admin/relays/{id}/', administrators, {
    table: { GetItem: ['INTEGRATION#'], Query: ['RELAY#'], PutItem: ['AUDIT#'], UpdateItem: ['RELAY#'] },
  }),
  endpoint('moves/update', 'PUT /admin/moves/{site}/', administrators, {
    table: {
      ...readingMoves,
      GetItem: ['INTEGRATION#', 'MOVE'],
      PutItem: ['AUDIT#'],
      UpdateItem: ['MOVE'],
      DeleteItem: ['MOVE'],
    },
    bodyLimit: 256 * 1024,
  }),
  endpoint('moves/read', 'GET /admin/moves/{site}/', administrators, { table: readingMoves }),
  endpoint('moves/read-secrets', 'POST /admin/moves/{site}/secrets/', administrators, {
    table: { Query: ['MOVE', 'STAFF'], PutItem: ['AUDIT#'] },
    outbox: ['mail'],
  }),
  endpoint('moves/delete', 'DELETE /admin/moves/{site}/', administrators, {
    table: { Query: ['MOVE'], PutItem: ['AUDIT#'], DeleteItem: ['MOVE'] },
  }),
  endpoint('openapi/read', 'GET /admin/openapi.json/', ['anyone']),
  endpoint('openapi/page', 'GET /admin/docs/', ['anyone']),
  endpoint('openapi/asset', 'GET /admin/docs/{file}/', ['anyone']),
  endpoint('console/page', 'GET /console/', ['anyone']),
  endpoint('console/asset', 'GET /console/{file}/', ['anyone']),
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
        GetItem: ['INVITES', 'LIMIT#', 'WEBHOOK#', 'INTEGRATION#', 'STAFF'],
        BatchGetItem: ['ADDRESS#', 'LIMIT#', 'WEBHOOK#', ...ofInviters],
        Query: ['STAFF', 'INVITES', 'INTEGRATIONS', 'INTEGRATION#'],
        PutItem: ['LIMIT#', 'SIGN_IN#'],
        UpdateItem: ['INVITES'],
      },
      indexes: ['undelivered'],
      send: ['mail'],
      mail: true,
    },
  },
  {
    kind: 'bus',
    function: 'invites/record-feedback',
    detailTypes: ['Email Bounced', 'Email Complaint Received', 'Email Rejected', 'Email Rendering Failed'],
    access: {
      table: {
        GetItem: ['INVITES', 'LIMIT#', ...ofInviters],
        Query: ['INVITES', 'STAFF'],
        PutItem: ['LIMIT#'],
        UpdateItem: ['INVITES'],
      },
      send: ['mail'],
    },
  },
  {
    kind: 'queue',
    function: 'deliveries/fan-out',
    canary: true,
    sources: [{ queue: 'events', batchSize: 10, concurrency: 4 }],
    timeoutSeconds: 30,
    access: {
      table: {
        GetItem: ['EVENT_BODY#', 'WEBHOOK#'],
        BatchGetItem: ['INTEGRATION#'],
        PutItem: ['EVENT_BODY#'],
        UpdateItem: ['EVENT_BODY#', 'STATS#'],
        BatchWriteItem: ['EVENT_BODY#'],
        Query: ['EVENT#'],
      },
      send: ['events', 'deliveries'],
    },
  },
  {
    kind: 'queue',
    function: 'replays/run',
    // Most messages only check whether the lane has room.
    sources: [{ queue: 'replays', batchSize: 5, concurrency: 2 }],
    timeoutSeconds: 30,
    access: {
      table: {
        GetItem: ['REPLAY#', 'WEBHOOK#'],
        BatchGetItem: ['WEBHOOK#', 'OPTIONS#', 'INTEGRATION#'],
        Query: ['WEBHOOK#'],
        PutItem: ['WEBHOOK#'],
        UpdateItem: ['REPLAY#', 'WEBHOOK#'],
        DeleteItem: ['LIMIT#'],
      },
      indexes: ['undelivered'],
      send: ['replays', 'slow-deliveries'],
    },
  },
  {
    kind: 'queue',
    function: 'deliveries/deliver',
    reachesReceivers: true,
    canary: true,
    // A webhook that hangs for the first time blocks environments that post to it for ten seconds, ten of them at 10
    // events a second, until it is known to be slow after one. The rest of the lane must suffice for the others.
    sources: [
      // Each message can stand for ten deliveries.
      { queue: 'deliveries', batchSize: 5, concurrency: 10 },
      { queue: 'slow-deliveries', batchSize: 10, concurrency: 10 },
    ],
    timeoutSeconds: 30,
    access: {
      table: {
        Query: ['EVENT#', 'WEBHOOK#'],
        BatchGetItem: ['WEBHOOK#', 'OPTIONS#', 'EVENT_BODY#', 'INTEGRATION#'],
        GetItem: ['WEBHOOK#', 'LIMIT#'],
        BatchWriteItem: ['WEBHOOK#'],
        PutItem: ['WEBHOOK#', 'AUDIT#', 'LIMIT#', ...outbox],
        UpdateItem: ['WEBHOOK#', 'OPTIONS#', 'EVENT#', 'INTEGRATION#', 'STATS#'],
        DeleteItem: ['LIMIT#', ...outbox],
      },
      send: ['slow-deliveries', 'replays', 'mail', 'events'],
    },
  },
  {
    kind: 'queue',
    function: 'integrations/finish-deletion',
    sources: [{ queue: 'deletions', batchSize: 1, concurrency: 2 }],
    timeoutSeconds: 60,
    access: {
      table: {
        GetItem: ['INTEGRATION#', 'WEBHOOK#'],
        BatchGetItem: ['WEBHOOK#'],
        Query: ['INTEGRATION#'],
        PutItem: ['AUDIT#'],
        UpdateItem: ['WEBHOOK#'],
        DeleteItem: ['INTEGRATION#', 'KEY#', 'WEBHOOK#', 'OPTIONS#', 'EVENT#'],
      },
      send: ['deletions'],
    },
  },
  {
    kind: 'schedule',
    function: 'due/sweep',
    everyMinutes: 1,
    timeoutSeconds: 55,
    // Each due item costs about 1 ms of CPU. 512 MB sends fewer than 250 a second (lab/README.md).
    memoryMb: 1024,
    access: {
      table: {
        GetItem: ['INTEGRATION#'],
        Query: ['RELAY#'],
        BatchGetItem: ['WEBHOOK#', ...outbox],
        PutItem: ['OUTBOX#events#'],
        UpdateItem: ['WEBHOOK#', 'INVITES', 'INTEGRATION#', ...outbox, 'REPLAY#', 'RELAY#'],
        DeleteItem: [...outbox, 'RELAY#'],
      },
      indexes: ['due'],
      send: ['mail', 'events', 'slow-deliveries', 'replays', 'deletions'],
      measure: queueNames.map((queue): DeadQueueName => `${queue}-dead`),
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
        PutItem: ['ROLES', 'STAFF', 'ADDRESS#', 'KEY#', 'INTEGRATION#', 'INTEGRATIONS', 'AUDIT#'],
        UpdateItem: ['STAFF'],
      },
    },
  },
  {
    kind: 'command',
    function: 'setup/change-address',
    timeoutSeconds: 30,
    access: {
      table: {
        GetItem: ['ADDRESS#', 'STAFF'],
        UpdateItem: ['STAFF'],
        PutItem: ['ADDRESS#', 'OUTBOX#mail#', 'AUDIT#'],
        DeleteItem: ['ADDRESS#', 'OUTBOX#mail#'],
      },
      send: ['mail'],
    },
  },
  {
    kind: 'command',
    function: 'setup/hand-over',
    timeoutSeconds: 30,
    access: {
      table: {
        GetItem: ['ADDRESS#', 'STAFF'],
        Query: ['STAFF'],
        UpdateItem: ['STAFF'],
        PutItem: [...outbox, 'AUDIT#'],
        DeleteItem: outbox,
      },
      send: ['events', 'mail'],
    },
  },
] as const satisfies readonly ContractLine[];

/** Name of a function, which is its path below `functions/`. */
export type FunctionName = (typeof lines)[number]['function'];

export const contract: readonly (ContractLine & { readonly function: FunctionName })[] = lines;

/** Returns the lines of the endpoints. */
export const endpointLines = () => contract.filter((line) => line.kind === 'endpoint');

/** The endpoints that Ghost has, too. */
const ofGhost: readonly FunctionName[] = [
  'webhooks/create',
  'webhooks/update',
  'webhooks/delete',
  'invites/create',
  'invites/list',
  'invites/read',
  'invites/delete',
  'invites/accept',
  'invites/status',
  'roles/list',
  'site/read',
  'config/read',
  'users/list',
  'users/read',
  'users/read-by-email',
  'users/read-by-slug',
  'users/update',
  'users/hand-over',
  'users/delete',
  'users/renew-token',
  'integrations/list',
  'integrations/read',
  'integrations/create',
  'integrations/update',
  'integrations/delete',
  'integrations/refresh-key',
];

/** Returns whether a path may begin with this version of Ghost's API, as Ghost 6 still accepts it. */
export const isVersion = (text: string): boolean => /^(?:v[234]|canary)$/.test(text);

/** Returns the lines of Ghost's endpoints with the version in the path; the functions are the same. */
export const versionedLines = () =>
  endpointLines().flatMap((line) =>
    ofGhost.includes(line.function) ? [{ ...line, path: `/{version}${line.path}` }] : [],
  );

/** Returns what feeds the functions of all queues. */
export const queueSources = (): readonly QueueLine['sources'][number][] =>
  contract.flatMap((line) => (line.kind === 'queue' ? line.sources : []));
