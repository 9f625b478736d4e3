/** What `ops prove` asks: a question with what is expected, and the parts of a stage that answer it. */
import type { StageConfig } from '../../cdk/stage.ts';

export type Answer =
  | { readonly result: 'as expected'; readonly seen?: string }
  | { readonly result: 'different'; readonly seen: string }
  | { readonly result: 'not run'; readonly reason: string };

export interface Question {
  readonly name: string;
  readonly expects: string;
  readonly ask: (world: World) => Promise<Answer>;
}

export interface ApiRequest {
  readonly method: string;
  /** Below the base URL. */
  readonly path: string;
  /** Who signs it. Default: nobody. */
  readonly as?: 'owner' | 'integration';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
}

export interface ApiResponse {
  readonly status: number;
  /** The parsed JSON of the body; its text if it is not JSON. */
  readonly body: unknown;
  /** From the request to the end of the response, in milliseconds. */
  readonly ms: number;
}

export interface Made {
  readonly integrationId: string;
  /** Two webhooks, for `page.added` and `tag.added`. Their target, an unknown path of the stage, answers 404. */
  readonly busyWebhook: string;
  readonly webhook: string;
  readonly inboundSecret: string;
}

type Row = Readonly<Record<string, string>>;

export interface Account {
  /** Runs a query over the logs of the functions in the last `hours`. */
  readonly query: (query: string, hours: number) => Promise<readonly Row[]>;
  readonly savedQueries: () => Promise<Readonly<Record<string, string>>>;
  /** Invokes a function; returns the error that Lambda reports. */
  readonly invoke: (functionName: string, event: object) => Promise<string | undefined>;
  /** Sets an alarm to ALARM; returns what its history then says about its actions. */
  readonly release: (alarmName: string) => Promise<readonly string[]>;
  /** The API's methods that have their own settings, and how many each has; undefined for an API behind a domain. */
  readonly methodSettings: () => Promise<Readonly<Record<string, object>> | undefined>;
}

/** The dead-letter queue of `replays`, whose worker skips a message about a replay that does not exist. */
export interface DeadLetters {
  readonly count: () => Promise<number>;
  readonly add: (text: string) => Promise<void>;
  readonly redrive: () => Promise<void>;
}

export interface World {
  readonly config: StageConfig;
  readonly send: (request: ApiRequest) => Promise<ApiResponse>;
  /** Undefined if it could not be made; then `failure` has the response of the first request. */
  readonly made: Made | undefined;
  readonly failure?: ApiResponse;
  readonly deadLetters: DeadLetters;
  /** Undefined on the local stack. */
  readonly account: Account | undefined;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
  readonly removeLater: (path: string) => void;
}

export const asExpected = (seen?: string): Answer => ({ result: 'as expected', ...(seen !== undefined && { seen }) });
export const different = (seen: string): Answer => ({ result: 'different', seen });
export const notRun = (reason: string): Answer => ({ result: 'not run', reason });

/** Returns `as expected` if it is right, and `different` with what was seen otherwise. */
export const judged = (isRight: boolean, seen: string): Answer => (isRight ? asExpected(seen) : different(seen));
