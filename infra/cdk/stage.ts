/** What a stage may say in the stage table, and the reading of it: a wrong value names stage, field, value and reason. */
import * as v from 'valibot';
import { type ContractLine, contract } from '../../shared/contract.ts';
import { emailAddress } from '../../shared/foundation/email.ts';
import { type Settings, settingsSchema } from '../../shared/foundation/settings.ts';

/** What CloudWatch Logs accepts as a retention, up to two years. */
const retentions = [1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365, 400, 545, 731] as const;

const lines: readonly ContractLine[] = contract;
const queueNames = lines.flatMap((line) => (line.kind === 'queue' ? line.sources.map((source) => source.queue) : []));

/** What is left of a function's 4 KiB of environment when URLs and names are in it. */
const settingsBytes = 3000;

/** Name of a function of the contract that has this kind of trigger. */
function functionOf(kind: ContractLine['kind']) {
  const names = lines.filter((line) => line.kind === kind).map((line) => line.function);
  return v.pipe(
    v.string(),
    v.check((name) => names.includes(name), `is one of ${names.join(', ')}`),
  );
}

const hostName = v.pipe(v.string(), v.regex(/^([a-z0-9-]+\.)+[a-z]{2,}$/, 'is a host name such as hooks.example.org'));

const hostedZone = v.strictObject({
  /** Id of a Route 53 hosted zone. */
  id: v.pipe(v.string(), v.regex(/^Z[A-Z0-9]{5,31}$/, 'is the id of a hosted zone such as Z0123456789ABC')),
  name: hostName,
});

const domain = v.strictObject({
  name: hostName,
  /** A certificate for the name, in the stage's region. */
  certificateArn: v.pipe(v.string(), v.regex(/^arn:aws[a-z-]*:acm:/, 'is the ARN of an ACM certificate')),
  /** Where the name's record is made; without it, point the name at the output `DomainTarget` yourself. */
  hostedZone: v.optional(hostedZone),
});

const rate = v.strictObject({
  /** Requests a second to one method. */
  ratePerSecond: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(10_000)),
  /** Requests at once to one method. */
  burst: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5000)),
});

const features = v.strictObject({
  /** One dashboard, three of which are free in an account. */
  dashboard: v.optional(v.boolean(), false),
  /** Alarms; each costs 0.10 USD a month beyond the ten free ones of an account. */
  alarms: v.optional(v.boolean(), false),
  /** Shift traffic in steps, and roll back on an alarm; needs `alarms`. */
  canary: v.optional(v.boolean(), false),
  /** A web ACL before the API; from 8 USD a month. */
  waf: v.optional(v.boolean(), false),
  /** A line for each request in CloudWatch Logs. */
  accessLogs: v.optional(v.boolean(), false),
  /** A key of our own for table, queues and topic; 1 USD a month. */
  customerManagedKey: v.optional(v.boolean(), false),
});

const { stage: stageName, ...functionSettings } = settingsSchema.entries;

const stageSchema = v.strictObject({
  ...functionSettings,
  /** Where it is deployed; null for whatever the command line's profile says. */
  region: v.nullable(v.pipe(v.string(), v.regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'is a region such as eu-central-1'))),
  /** Where the API begins; the official Ghost client expects the default. */
  basePath: v.optional(v.pipe(v.string(), v.regex(/^(\/[a-z0-9-]+)+$/, 'is a path such as /ghost/api')), '/ghost/api'),
  domain: v.optional(domain),
  /** `create` verifies the sender's domain in SES; `existing` where the account has it already. */
  senderIdentity: v.optional(v.picklist(['create', 'existing']), 'create'),
  /** Where the DKIM records of a created identity are made; without it they are outputs of the stack `mail`. */
  senderHostedZone: v.optional(hostedZone),
  /** Keep table, queues and logs when their stack is deleted, and refuse to delete them. */
  retain: v.optional(v.boolean(), false),
  logRetentionDays: v.optional(v.picklist(retentions), 14),
  /** Gets the alarms. */
  alarmEmail: v.optional(emailAddress()),
  /** Where docs/operations.md can be read by whoever gets an alarm. */
  runbookUrl: v.optional(v.string(), 'docs/operations.md'),
  throttle: v.optional(rate, { ratePerSecond: 50, burst: 100 }),
  /** Other rates for single endpoints, by their function. */
  throttleOf: v.optional(v.record(functionOf('endpoint'), rate), {}),
  /**
   * Invocations at a time for a queue, where the contract's number does not fit; AWS takes 2 to 1,000. Null is no cap: then AWS also
   * polls an idle queue less (docs/cost.md).
   */
  concurrency: v.optional(
    v.record(v.picklist(queueNames), v.nullable(v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(1000)))),
    {},
  ),
  /** Minutes between two runs of a scheduled function, where the contract's number does not fit. */
  everyMinutes: v.optional(
    v.record(functionOf('schedule'), v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1440))),
    {},
  ),
  features: v.optional(features, {}),
});

export type StageInput = v.InferInput<typeof stageSchema>;

/** A parsed stage: what the stacks are made of, and `settings`, what its functions get. */
export interface StageConfig extends Omit<v.InferOutput<typeof stageSchema>, keyof typeof functionSettings> {
  readonly name: string;
  readonly settings: Settings;
}

/** The stage table has a wrong value; the message is all that its author needs to read. */
export class StageError extends Error {
  override readonly name = 'StageError';
}

/**
 * Reads one row of the stage table.
 * @throws StageError that lists every wrong value with stage, field, what was there and what it should be
 */
export function parseStage(name: string, input: unknown): StageConfig {
  const parsedName = v.safeParse(stageName, name);
  if (!parsedName.success) {
    throw new StageError(
      `infra/cdk/stages.ts: the name ${JSON.stringify(name)} of a stage ${parsedName.issues[0].message}.`,
    );
  }
  const parsed = v.safeParse(stageSchema, input);
  if (!parsed.success) refuse(name, parsed.issues.map(describe));
  const ofFunctions = Object.entries(parsed.output).filter(([key]) => Object.hasOwn(functionSettings, key));
  const settings = v.parse(settingsSchema, { stage: name, ...Object.fromEntries(ofFunctions) });
  const config: StageConfig = { ...parsed.output, name, settings };
  const contradictions = contradictionsIn(config);
  if (contradictions.length > 0) refuse(name, contradictions);
  return config;
}

function refuse(name: string, faults: readonly string[]): never {
  throw new StageError(
    `infra/cdk/stages.ts: the stage ${name} cannot be made.\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
  );
}

function describe(issue: v.BaseIssue<unknown>): string {
  const field = v.getDotPath(issue) ?? 'the stage';
  if (issue.type === 'strict_object' && issue.expected === 'never') return `${field}: there is no such setting.`;
  if (issue.input === undefined) return `${field} is missing.`;
  // Rules of our own say what a value is or must be (`is a region …`), those of valibot what is wrong with it.
  const rule = issue.message
    .replace(/^is /, 'It must be ')
    .replace(/^must /, 'It must ')
    .replace(/\.$/, '');
  return `${field} is ${JSON.stringify(issue.input)}. ${rule}.`;
}

/** Values that are right each by itself and wrong together. */
function contradictionsIn({ features, senderHostedZone, settings }: StageConfig): string[] {
  const faults: string[] = [];
  const senderDomain = settings.mail.from.replace(/^.*@/, '');
  if (features.canary && !features.alarms) {
    faults.push(
      'features.canary is true, but features.alarms is not: without alarms nothing would take a bad version back.',
    );
  }
  if (senderHostedZone && senderHostedZone.name !== senderDomain) {
    faults.push(
      `senderHostedZone.name is "${senderHostedZone.name}": it must be the domain of mail.from, ${senderDomain}, since that is what is verified.`,
    );
  }
  const bytes = Buffer.byteLength(JSON.stringify(settings));
  if (bytes > settingsBytes) {
    faults.push(
      `its settings for the functions take ${bytes} bytes: at most ${settingsBytes} fit into their environment (AWS: 4 KiB in all).`,
    );
  }
  return faults;
}
