/** Validates a stage of the stage table: an error names stage, field, value and reason. */
import * as v from 'valibot';
import { contract } from '../../shared/contract.ts';
import { commonEvents } from '../../shared/foundation/event-names.ts';
import { type Settings, settingsSchema } from '../../shared/foundation/settings.ts';
import { groupOf } from './function-groups.ts';
import {
  executionsOf,
  functionSettings,
  maxConcurrencyOf,
  reservedOf,
  type StageConfig,
  stageName,
  stageSchema,
} from './stage.ts';

/** The bytes of a function's 4 KiB of environment that remain after URLs and names. */
const settingsBytes = 2500;

/** A stage has wrong values; the message lists them and needs no stack trace. */
export class StageError extends Error {
  override readonly name = 'StageError';
}

/**
 * Validates one stage.
 * @param where the place of its settings, for errors
 * @throws StageError that lists every wrong value with stage, field, value and reason
 */
export const parseStage = (name: string, input: unknown, where = 'infra/cdk/stages.ts'): StageConfig => {
  const refuse: (faults: readonly string[]) => never = (faults) => {
    throw new StageError(
      `${where}: the stage ${name} is not valid.\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
    );
  };
  const parsedName = v.safeParse(stageName, name);
  if (!parsedName.success) {
    throw new StageError(`${where}: the name ${JSON.stringify(name)} of a stage ${parsedName.issues[0].message}.`);
  }
  const parsed = v.safeParse(stageSchema, input);
  if (!parsed.success) return refuse(parsed.issues.map(describe));
  v.assert(stageSchema, input);
  const ofFunctions = Object.entries(parsed.output).filter(([key]) => Object.hasOwn(functionSettings, key));
  const settings = v.parse(settingsSchema, { stage: name, ...Object.fromEntries(ofFunctions) });
  const config: StageConfig = { ...parsed.output, name, input, settings };
  const contradictions = contradictionsIn(config);
  if (contradictions.length > 0) refuse(contradictions);
  return config;
};

const describe = (issue: v.BaseIssue<unknown>): string => {
  const field = v.getDotPath(issue) ?? 'the stage';
  if (issue.type === 'strict_object' && issue.expected === 'never') return `${field}: unknown setting.`;
  if (issue.input === undefined) return `${field} is missing.`;
  const rule = issue.message.replace(/^must /, 'It must ').replace(/\.$/, '');
  return `${field} is ${JSON.stringify(issue.input)}. ${rule}.`;
};

const isTimezone = (name: string): boolean => {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
};

/** Publishers could send an event with a name of Masthead's own, and the caps count the webhooks of each name once. */
const wrongOwnEvents = ({ ownEvents }: Settings): string[] =>
  ownEvents.flatMap((name, position) => {
    if (commonEvents.includes(name)) return [`ownEvents has "${name}", which every stage has. Remove it or rename it.`];
    return ownEvents.indexOf(name) < position ? [`ownEvents has "${name}" more than once. Remove one of them.`] : [];
  });

/** What Lambda keeps unreserved: https://docs.aws.amazon.com/lambda/latest/dg/configuration-concurrency.html */
const unreservable = 100;

/** What an attempt leaves of its function's timeout, in ms, for reading the batch and recording the results. */
const besideAttemptMs = 5000;

/** Finds an attempt longer than its function's timeout: waiting for a connection, connecting, and the response. */
const wrongTimeout = ({ timeoutMs, connectTimeoutMs }: Settings['deliveries']): string[] => {
  const { timeoutSeconds = 0 } = contract.find((line) => line.function === 'deliveries/deliver') ?? {};
  const availableMs = timeoutSeconds * 1000 - besideAttemptMs;
  const neededMs = 2 * timeoutMs + connectTimeoutMs;
  if (neededMs <= availableMs) return [];
  return [
    `deliveries.timeoutMs is ${timeoutMs} and deliveries.connectTimeoutMs is ${connectTimeoutMs}: an attempt can ` +
      `take ${neededMs} ms (twice timeoutMs, for a free connection and for the answer, and connectTimeoutMs), but ` +
      `${availableMs} fit into the ${timeoutSeconds} s of deliveries/deliver.`,
  ];
};

/** Finds reservations that the account cannot have, and those below what the queues of a function may take. */
const wrongReservations = (config: StageConfig): string[] => {
  const { accountConcurrency } = config;
  const reservations = contract.flatMap((line) => {
    const each = reservedOf(config, line);
    return each === undefined ? [] : [{ line, each }];
  });
  const sum = reservations.reduce((all, { each }) => all + each, 0);
  const faults: string[] = [];
  if (sum > 0 && sum > accountConcurrency - unreservable)
    faults.push(
      `reservedConcurrency reserves ${sum} executions for ${reservations.length} functions, but ` +
        `accountConcurrency is ${accountConcurrency}, and Lambda keeps ${unreservable} unreserved` +
        `${accountConcurrency <= unreservable ? ': an account with so few can reserve none' : ''}. ` +
        'Lower it, or request a quota from AWS and set accountConcurrency to it.',
    );
  for (const { line, each } of reservations) {
    if (line.kind !== 'queue') continue;
    const wanted = line.sources.reduce((all, source) => all + (maxConcurrencyOf(config, source) ?? 0), 0);
    if (wanted > each)
      faults.push(
        `reservedConcurrency.${groupOf(line)} is ${each}, but the queues of ${line.function} may take ${wanted}: ` +
          'the difference would be throttled. Raise it, or lower concurrency.',
      );
  }
  return faults;
};

/** Finds ARNs of another region, which the stage's region cannot use. */
const wrongRegions = ({ region, domain, alarmTargets }: StageConfig): string[] => {
  const faultOf = (field: string, arn: string, rule: string) => {
    const found = arn.split(':')[3];
    return region === null || found === undefined || found === region
      ? []
      : [`${field} is in ${found}, the stage is in ${region}: ${rule} of its own region.`];
  };
  return [
    ...(domain ? faultOf('domain.certificateArn', domain.certificateArn, 'API Gateway accepts only certificates') : []),
    ...alarmTargets.flatMap((target, index) =>
      'topicArn' in target
        ? faultOf(`alarmTargets.${index}.topicArn`, target.topicArn, 'CloudWatch notifies only topics')
        : [],
    ),
  ];
};

/** Finds values that are valid on their own but contradict each other, or an unknown time zone. */
const contradictionsIn = (config: StageConfig): string[] => {
  const { accountConcurrency, features, senderHostedZone, settings } = config;
  const faults = wrongOwnEvents(settings);
  const senderDomain = settings.mail.from.replace(/^.*@/, '');
  if (features.canary && !features.alarms) {
    faults.push(
      'features.canary is true, but features.alarms is not: without alarms, no bad version would be rolled back.',
    );
  }
  if (features.relays && !features.alarms) {
    faults.push('features.relays is true, but features.alarms is not: it adds the alarms about Ghost sites.');
  }
  if (config.pipeline && !features.customerManagedKey) {
    faults.push(
      'pipeline is set, but features.customerManagedKey is not true: ' +
        'without a key of its own, whoever may read the account may read the secrets in the table.',
    );
  }
  faults.push(...wrongReservations(config), ...wrongRegions(config));
  const { egress, account, region } = config;
  if (egress && 'natGateways' in egress && egress.natGateways > 2 && (account === undefined || region === null)) {
    faults.push(
      `egress.natGateways is ${egress.natGateways}, but account or region is missing: ` +
        'without them, the CDK knows two availability zones.',
    );
  }
  if (senderHostedZone && senderHostedZone.name !== senderDomain) {
    faults.push(
      `senderHostedZone.name is "${senderHostedZone.name}": it must be the domain of mail.from, ${senderDomain}, ` +
        'because SES verifies that domain.',
    );
  }
  const { timezone } = settings.publication;
  if (!isTimezone(timezone)) {
    faults.push(
      `publication.timezone is "${timezone}". It must be a time zone of the IANA database such as Europe/Berlin.`,
    );
  }
  const { sandbox, perSecond, perDay } = settings.mail;
  if (sandbox && (perSecond > 1 || perDay === null || perDay > 200)) {
    faults.push(
      `mail.sandbox is true, but mail.perSecond is ${perSecond} and mail.perDay is ${perDay}: ` +
        `SES's sandbox sends one mail a second and 200 a day.`,
    );
  }
  faults.push(...wrongTimeout(settings.deliveries));
  const { queues, schedules } = executionsOf(config);
  if (queues + schedules >= accountConcurrency) {
    faults.push(
      `concurrency: the queues can take ${queues} and the schedules ${schedules} of accountConcurrency, ` +
        `${accountConcurrency}, which leaves nothing for the API. ` +
        'Lower the caps, or request a quota from AWS and set accountConcurrency to it.',
    );
  }
  const bytes = Buffer.byteLength(JSON.stringify(settings));
  if (bytes > settingsBytes) {
    faults.push(
      `its settings for the functions take ${bytes} bytes: at most ${settingsBytes} fit into their environment ` +
        '(AWS: 4 KiB in all).',
    );
  }
  return faults;
};
